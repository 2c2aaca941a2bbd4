"""How the driver does with a thousand workers: the driver is the real one, the games are a sleep and a result drawn by lot.

Workers are turns of a loop in a few processes, so that one machine has room for them. What is measured is the driver's
processor time and memory, and when it knows the verdict, against a driver that needs no time at all.
"""

import argparse
import asyncio
import hashlib
import heapq
import json
import random
import resource
import tempfile
import time
from collections import deque
from pathlib import Path

import ray

from kagetsu_fleet.crew import Lost, connect
from kagetsu_fleet.driver import Driver, Settings
from kagetsu_fleet.job import Follower, Job, ask, default_binary
from kagetsu_fleet.results import MANIFEST, Results
from kagetsu_fleet.shard import Order, Report

# Of a thousand pairs of games so many brought the first engine 0 to 4 half points: some 14 Elo.
PAIRS = (60, 140, 540, 180, 80)


def arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=int, default=1000, help="[default: %(default)s]")
    command.add_argument("--processes", type=int, default=8, help="processes that they share [default: %(default)s]")
    command.add_argument("--seconds", type=float, default=20, help="mean time of a shard [default: %(default)s]")
    command.add_argument("--games", type=int, default=200_000, help="games at most [default: %(default)s]")
    command.add_argument("--sprt", default="0,6", help="[default: %(default)s]")
    command.add_argument("--pairs", type=int, default=8, help="pairs of games in a shard [default: %(default)s]")
    command.add_argument("--seed", type=int, default=1, help="[default: %(default)s]")
    command.add_argument("--binary", type=Path, default=default_binary(), help="the program [default: %(default)s]")


def duration(seed: int, shard: int, mean: float) -> float:
    """Shards take different times: from half to twice the mean, with a tail."""
    return mean * min(4.0, random.Random(f"{seed} time {shard}").lognormvariate(-0.08, 0.4))


def outcome(seed: int, shard: int, pairs: int, games: int) -> list[tuple[int, int]]:
    """Number and half points of the games of a shard."""
    chance = random.Random(f"{seed} games {shard}")
    found = []
    for pair in range(shard * pairs, min((shard + 1) * pairs, games // 2)):
        points = chance.choices(range(5), PAIRS)[0]
        first = min(2, points)
        found += [(2 * pair, first), (2 * pair + 1, points - first)]
    return found


@ray.remote(num_cpus=0)
class Sleepers:
    """Workers that share a process."""

    async def do(self, shard: int, seconds: float, games: list[tuple[int, int]], frame: str) -> Report:
        await asyncio.sleep(seconds)
        manifest = json.loads(frame)
        # Rounded, because not all programs write very small numbers alike.
        manifest["shard"], manifest["seconds"] = shard, round(seconds, 3)
        manifest["outcome"] = {"kind": "match", "games": games, "faults": 0, "moves": 30 * len(games)}
        return Report(shard, "done", manifest=sealed(manifest))


def sealed(manifest: dict) -> str:
    """A manifest as the program writes it, with the hash of all that it says."""

    def text() -> str:
        return json.dumps(manifest, ensure_ascii=False, separators=(",", ":"))

    manifest["sha256"] = ""
    manifest["sha256"] = hashlib.sha256(text().encode()).hexdigest()
    return text()


class SleepingCrew:
    """Stands where the crew of a cluster would."""

    def __init__(self, options: argparse.Namespace, frame: str):
        self.options, self.frame = options, frame
        share = -(-options.workers // options.processes)
        self.processes = [Sleepers.options(max_concurrency=share).remote() for _ in range(options.processes)]
        # A process has so many places; a shard waits here until one of them is free, as it would in Ray.
        self.free = deque(process for process in self.processes for _ in range(share))
        self.busy: dict = {}
        self.begins: list[int] = []

    def room(self) -> int:
        return self.options.workers

    def exclude(self, node: str) -> None:
        raise NotImplementedError("sleepers have no build")

    def submit(self, order: Order):
        options = self.options
        process = self.free.popleft()
        seconds = duration(options.seed, order.shard, options.seconds)
        games = outcome(options.seed, order.shard, options.pairs, options.games)
        handle = process.do.remote(order.shard, seconds, games, self.frame)
        self.busy[handle] = process
        self.begins.append(order.number)
        return handle

    def begun(self) -> list[int]:
        begun, self.begins = self.begins, []
        return begun

    def wait(self, handles: list, seconds: float) -> list:
        ready, _ = ray.wait(handles, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = ray.wait(handles, num_returns=len(handles), timeout=0)
        return ready

    def collect(self, handle):
        self.free.append(self.busy.pop(handle))
        try:
            return "simulated", ray.get(handle)
        except ray.exceptions.RayError as error:
            return Lost(str(error))

    def cancel(self, handle, force: bool = False) -> None:
        ray.cancel(handle)


class Nowhere(Results):
    """What sleepers have done is not written anywhere."""

    def holds(self, shard: int) -> bool:
        return True


class Silent:
    """Nobody looks."""

    def stands(self, figures: dict, under_way: int) -> None:
        pass

    def happened(self, text: str) -> None:
        print(text)


def ideal(options: argparse.Namespace, shards: int) -> float:
    """Seconds until these shards are done by workers that are never kept waiting."""
    free = [0.0] * options.workers
    last = 0.0
    for shard in range(shards):
        end = heapq.heappop(free) + duration(options.seed, shard, options.seconds)
        heapq.heappush(free, end)
        last = max(last, end)
    return last


def run(options: argparse.Namespace) -> int:
    options.binary = options.binary.resolve()
    with tempfile.TemporaryDirectory(prefix="kagetsu-simulation-") as folder:
        return _run(options, Path(folder))


def _run(options: argparse.Namespace, folder: Path) -> int:
    path = folder / "job.json"
    words = ["-e", "nodes=2", "-e", "nodes=1", "--openings", "random", "--seed", "1", "--sprt", options.sprt]
    sized = ["--shard-size", str(options.pairs)]
    ask(options.binary, "job", "plan", str(path), *sized, "match", *words, "--games", str(options.games))
    job = Job.read(options.binary, path)
    # A shard of the job in earnest, for everything in a manifest that is not the result.
    ask(options.binary, "job", "run", str(path), "--shard", "0", "--out", str(folder / "one"))
    frame = (folder / "one" / "000000" / MANIFEST).read_text()
    connect(None, num_cpus=2, include_dashboard=False, object_store_memory=200 * 1024 * 1024)
    follower = Follower(options.binary, job)
    crew = SleepingCrew(options, frame)
    # Processes begin to count when they are there.
    ray.get([process.do.remote(0, 0.0, [], frame) for process in crew.processes])
    driver = Driver(job, follower, Nowhere(str(folder / "results")), crew, Settings(timeout=3600), Silent())
    used, started = time.process_time(), time.monotonic()
    figures = driver.run().figures
    wall, used = time.monotonic() - started, time.process_time() - used
    follower.close()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sprt = figures["match"]["sprt"]
    needed = -(-sprt["pairs"] // options.pairs)
    best = ideal(options, needed)
    print(f"verdict    {sprt['verdict']} after {sprt['pairs']} pairs, {needed} shards; {figures['done']} were done")
    print(f"time       {wall:.1f} s, ideal {best:.1f} s: {100 * (wall / best - 1):+.1f} %")
    print(f"processor  {100 * used / wall:.0f} % of a core in the driver ({used:.1f} s)")
    print(f"children   {children.ru_utime + children.ru_stime:.1f} s in the program that decides, and before")
    print(f"memory     {memory:.0f} MB in the driver")
    ray.shutdown()
    return 0
