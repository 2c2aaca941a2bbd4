"""Who does the shards: workers of a Ray cluster. Everything that knows Ray stands here."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError, TaskCancelledError

import kagetsu_fleet
from kagetsu_fleet import shard as shards
from kagetsu_fleet.job import Job
from kagetsu_fleet.shard import Order, Report

# Files that the object store keeps for shards to come. Those of rescoring are gigabytes in all, and a shard needs one.
KEPT_FILES = 16


@dataclass
class Lost:
    """A shard whose worker was lost, and how."""

    why: str


# Where it is lost, it begins anew: nobody is late for that, and no shard fails.
@ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)
class _Begun:
    """Hears from workers that they have begun: Ray does not say whether a task still waits for a place."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def note(self, number: int) -> None:
        self.numbers.append(number)

    def take(self) -> list[int]:
        """What was noted since the last time."""
        taken, self.numbers = self.numbers, []
        return taken


@ray.remote(max_retries=0)
def _do(begun: Any, order: Order, names: list[str], *contents: bytes) -> tuple[str, Report]:
    # Waited for: a worker that hangs at once has been heard.
    ray.get(begun.note.remote(order.number))
    return ray.get_runtime_context().get_node_id(), shards.run(order, names, list(contents))


def connect(address: str | None, **options: Any) -> None:
    """Joins a cluster, or makes one of this machine."""
    # Workers get this package from the driver, and the rest of Python from their image.
    package = str(Path(kagetsu_fleet.__file__).parent)
    ray.init(
        # Without one Ray would join whatever cluster was started on this machine.
        address=address or "local",
        runtime_env={"py_modules": [package]},
        log_to_driver=False,
        logging_level="WARNING",
        **options,
    )


class RayCrew:
    """The workers of the cluster that this process has joined."""

    def __init__(self, binary: Path, job: Job, cpus: float = 1):
        self.cpus = cpus
        self.job = job
        self.shipped: OrderedDict[Path, ray.ObjectRef] = OrderedDict()
        self.binary = binary
        self.excluded: set[str] = set()
        self.hears = _Begun.remote()
        # It takes a moment to start, for which no worker has to wait.
        ray.get(self.hears.take.remote())
        self.heard: ray.ObjectRef | None = None

    def room(self) -> int:
        """Shards that may be under way: twice as many as there are places, so that no place waits for the driver. Where no
        machine has places yet, two of them make the cluster grow; none where all that have places are excluded."""
        places = {node["NodeID"]: node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]}
        free = sum(cpus for node, cpus in places.items() if node not in self.excluded)
        if not free and any(places.values()):
            return 0
        return max(2, int(2 * free / self.cpus))

    def begun(self) -> list[int]:
        """The numbers of orders of which it was heard since the last time that their worker has begun."""
        if self.heard is None:
            self.heard = self.hears.take.remote()
        ready, _ = ray.wait([self.heard], timeout=0)
        if not ready:
            return []
        self.heard = None
        return ray.get(ready[0])

    def exclude(self, node: str) -> None:
        """Gives a machine nothing more."""
        self.excluded.add(node)

    def submit(self, order: Order) -> ray.ObjectRef:
        paths = [self.job.path, self.binary, *self.job.files_of(order.shard)]
        options: dict[str, Any] = {"num_cpus": self.cpus}
        if self.excluded:
            options["label_selector"] = {"ray.io/node-id": f"!in({','.join(sorted(self.excluded))})"}
        contents = [self._ship(path) for path in paths]
        # What is under way holds what it needs by itself.
        while len(self.shipped) > max(KEPT_FILES, len(paths)):
            self.shipped.popitem(last=False)
        return _do.options(**options).remote(self.hears, order, [path.name for path in paths], *contents)

    def _ship(self, path: Path) -> ray.ObjectRef:
        """Puts a file into the object store when the first shard needs it."""
        if path not in self.shipped:
            self.shipped[path] = ray.put(path.read_bytes())
        self.shipped.move_to_end(path)
        return self.shipped[path]

    def wait(self, handles: list[ray.ObjectRef], seconds: float) -> list[ray.ObjectRef]:
        """Those of the shards that are done, as soon as one is."""
        ready, _ = ray.wait(handles, num_returns=1, timeout=seconds)
        if not ready:
            return []
        more, _ = ray.wait(handles, num_returns=len(handles), timeout=0)
        return more

    def collect(self, handle: ray.ObjectRef) -> tuple[str, Report] | Lost:
        """The machine and what it reports."""
        try:
            return ray.get(handle)
        except TaskCancelledError:
            return Lost("cancelled")
        except RayError as error:
            return Lost(why(error))

    def cancel(self, handle: ray.ObjectRef, force: bool = False) -> None:
        """Wants nothing more of a shard; `force` is for workers that do not listen."""
        ray.cancel(handle, force=force)


def why(error: RayError) -> str:
    """What has happened, in one line: an error within a task ends with its cause, and others begin with it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1 if isinstance(error, RayTaskError) else 0]
