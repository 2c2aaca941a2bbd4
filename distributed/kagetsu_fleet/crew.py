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


@ray.remote(max_retries=0)
def _do(order: Order, names: list[str], *contents: bytes) -> tuple[str, Report]:
    return ray.get_runtime_context().get_node_id(), shards.run(order, names, list(contents))


def connect(address: str | None, **options: Any) -> None:
    """Joins a cluster, or makes one of this machine."""
    # Workers get this package from the driver, and the rest of Python from their image.
    package = str(Path(kagetsu_fleet.__file__).parent)
    ray.init(
        address=address,
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

    def room(self) -> int:
        """Shards that may be under way: twice as many as there are places, so that no place waits for the driver."""
        return max(2, int(2 * ray.cluster_resources().get("CPU", 0) / self.cpus))

    def nodes(self) -> int:
        """Machines that may be given something."""
        return sum(node["Alive"] and node["NodeID"] not in self.excluded for node in ray.nodes())

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
        return _do.options(**options).remote(order, [path.name for path in paths], *contents)

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
