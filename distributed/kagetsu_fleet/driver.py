"""Which shard is next, which failed, and when it is over.

The driver keeps nothing that it could not read again: a shard counts when its manifest lies among the results. So it
may be killed at any time, and the same command resumes.
"""

import json
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from kagetsu_fleet.job import Follower, Job
from kagetsu_fleet.results import Results
from kagetsu_fleet.shard import Order, Report


@dataclass
class Settings:
    """How much is borne."""

    # Seconds after which a shard is taken to hang.
    timeout: float = 3600.0
    # How often a shard may fail.
    attempts: int = 3
    # How often the machine of a shard may be lost.
    losses: int = 5
    # A program that workers have themselves.
    worker_binary: str | None = None
    scratch: str | None = None
    # How many times the usual time a shard may take before a second worker does it as well, where others wait for it.
    slow: float = 4.0
    # Seconds after which a worker is taken to hang, if not what `bears` says.
    patience: float | None = None

    def bears(self) -> float:
        """Seconds after which a worker is taken to hang: by itself it ends a program that hangs."""
        return self.patience or 2 * self.timeout + 30


@dataclass
class Outcome:
    """How a run of the driver ended."""

    figures: dict
    # Shards that were given up, and why.
    given_up: dict[int, str] = field(default_factory=dict)
    # Machines whose build was refused.
    refused: dict[str, str] = field(default_factory=dict)
    # The manifests of the shards that count.
    manifests: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.figures["over"]


class Watcher(Protocol):
    """Who is told how it goes."""

    def stands(self, figures: dict, under_way: int) -> None: ...

    def happened(self, text: str) -> None: ...


@dataclass
class Flight:
    """A shard that was given out, and since when: at first since then, and once it has a place, since its worker began."""

    shard: int
    number: int
    since: float
    is_cancelled: bool = False


class Driver:
    """Runs one job."""

    def __init__(
        self,
        job: Job,
        follower: Follower,
        results: Results,
        crew: Any,
        settings: Settings,
        watcher: Watcher,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.job, self.follower, self.results, self.clock = job, follower, results, clock
        self.crew, self.settings, self.watcher = crew, settings, watcher
        self.failures: Counter[int] = Counter()
        self.losses: Counter[int] = Counter()
        self.outcome = Outcome(follower.figures)
        self.flights: dict[Any, Flight] = {}
        # Those that wait for a place, by the numbers of their orders.
        self.queued: dict[int, Flight] = {}
        self.given_out = 0
        self.waiting: deque[int] = deque()
        self.done: set[int] = set()
        # Shards that two workers do, and how long the last ones took.
        self.doubled: set[int] = set()
        self.took: deque[float] = deque(maxlen=100)

    def run(self) -> Outcome:
        """Does what is left of the job."""
        self.results.remove_unused()
        for manifest in self.results.manifests():
            shard, flaw = self._shard_of(manifest), self.results.flaw(manifest)
            refusal = None if flaw else self.follower.add(manifest)
            if refusal and refusal.is_damaged:
                flaw = "its manifest is damaged"
            if flaw:
                self.watcher.happened(f"shard {shard} is done again: {flaw}")
                self.results.drop(shard)
                continue
            if refusal:
                raise ValueError(f"{self.results.url} holds a shard that does not belong to this job: {refusal.why}")
            self._count(manifest)
        self.waiting.extend(shard for shard in range(self.job.shards) if shard not in self.done)
        self._tell()
        try:
            while self._goes_on():
                self._submit()
                if not self.flights:
                    break
                for handle in self.crew.wait(list(self.flights), 1.0):
                    self._land(handle)
                self._look_for_late()
                self._tell()
        finally:
            # Whatever is still under way is not needed, or not waited for.
            for handle, flight in self.flights.items():
                if not flight.is_cancelled:
                    self.crew.cancel(handle)
        self.outcome.figures = self.follower.figures
        return self.outcome

    def _count(self, manifest: str) -> None:
        self.done.add(self._shard_of(manifest))
        self.outcome.manifests.append(manifest)

    @property
    def _is_test(self) -> bool:
        match = self.follower.figures.get("match")
        return bool(match and match["sprt"])

    def _end(self) -> int:
        """The shards that count end here: a test is decided in the order of the games, so not behind a gap in it."""
        return min(self.outcome.given_up) if self._is_test and self.outcome.given_up else self.job.shards

    def _goes_on(self) -> bool:
        if self.follower.is_over:
            return False
        return not (self._is_test and self.outcome.given_up and self.done.issuperset(range(self._end())))

    def _submit(self) -> None:
        room = self.crew.room()
        while self.waiting and len(self.flights) < room:
            shard = self.waiting.popleft()
            # A second worker may have done it in the meantime.
            if shard not in self.done and shard < self._end():
                self._give_out(shard)
        self._double()

    def _give_out(self, shard: int) -> None:
        self.given_out += 1
        order = Order(
            shard=shard,
            number=self.given_out,
            results=self.results.url,
            timeout=self.settings.timeout,
            binary=self.settings.worker_binary,
            scratch=self.settings.scratch,
            given=self.follower.values,
        )
        flight = Flight(shard, order.number, self.clock())
        self.flights[self.crew.submit(order)] = self.queued[flight.number] = flight

    def _double(self) -> None:
        """Gives the first shard that one worker does to a second one, where it takes much longer than others did and all
        wait for it: a test for what comes first in its order, any job for its end. Both do the same, and one counts."""
        enough_to_judge_by = 8
        if len(self.took) < enough_to_judge_by or not (self._is_test or not self.waiting):
            return
        settled = self.done | self.doubled
        alone = [flight for flight in self.flights.values() if self._has_begun(flight) and flight.shard not in settled]
        if not alone:
            return
        first = min(alone, key=lambda flight: flight.shard)
        age, usual = self.clock() - first.since, statistics.median(self.took)
        if age > self.settings.slow * usual + 5:
            self.doubled.add(first.shard)
            self.watcher.happened(
                f"shard {first.shard} takes {age:.0f} s, others {usual:.0f} s: given to a second worker"
            )
            self._give_out(first.shard)

    def _has_begun(self, flight: Flight) -> bool:
        return flight.number not in self.queued

    def _has_twin(self, shard: int) -> bool:
        """Whether another worker is still at it."""
        return any(flight.shard == shard for flight in self.flights.values())

    def _land(self, handle: Any) -> None:
        flight = self.flights.pop(handle)
        self.queued.pop(flight.number, None)
        landed = self.crew.collect(handle)
        if not isinstance(landed, tuple):
            if flight.shard not in self.done:
                self._lose(flight.shard, landed.why)
            return
        node, report = landed
        if flight.shard in self.done:
            # Another worker was faster.
            return
        if report.status == "done":
            if self.results.holds(flight.shard):
                refusal = self.follower.add(report.manifest)
                why = refusal and refusal.why
            else:
                why = f"it is not in {self.results.url}: all machines must see the same folder, or use a store"
            if why is None:
                self._count(report.manifest)
                self.took.append(self.clock() - flight.since)
                self._dismiss(flight.shard)
            else:
                self._fail(report, why)
        elif report.status == "refused":
            self._refuse(node, report)
        else:
            self._fail(report, report.said)

    def _dismiss(self, shard: int) -> None:
        """The slower one of two workers has done enough."""
        for handle, flight in self.flights.items():
            if flight.shard == shard and not flight.is_cancelled:
                flight.is_cancelled = True
                self.crew.cancel(handle)

    def _fail(self, report: Report, why: str) -> None:
        shard = report.shard
        self.failures[shard] += 1
        self.watcher.happened(f"shard {shard} {report.status} on {report.host}: {why}")
        if self._has_twin(shard):
            # The other one may still succeed.
            return
        if self.failures[shard] >= self.settings.attempts:
            self._give_up(shard, f"{report.status} {self.failures[shard]} times, at last on {report.host}: {why}")
        else:
            # Later, and perhaps elsewhere.
            self.waiting.append(shard)

    def _lose(self, shard: int, why: str) -> None:
        self.losses[shard] += 1
        self.watcher.happened(f"the worker of shard {shard} was lost: {why}")
        if self._has_twin(shard):
            return
        if self.losses[shard] >= self.settings.losses:
            self._give_up(shard, f"its worker was lost {self.losses[shard]} times: {why}")
        else:
            self.waiting.appendleft(shard)

    def _refuse(self, node: str, report: Report) -> None:
        if node in self.outcome.refused:
            # Given out before that was known; in any case not for ever.
            self._lose(report.shard, "its machine has another build")
            return
        self.outcome.refused[node] = report.said
        self.watcher.happened(f"{report.host} has another build and gets nothing more: {report.said}")
        self.crew.exclude(node)
        self.waiting.appendleft(report.shard)

    def _give_up(self, shard: int, why: str) -> None:
        self.outcome.given_up[shard] = why
        self.watcher.happened(f"shard {shard} is given up")

    def _look_for_late(self) -> None:
        now = self.clock()
        for number in self.crew.begun():
            flight = self.queued.pop(number, None)
            if flight is not None:
                flight.since = now
        for handle, flight in list(self.flights.items()):
            # Others may hold the places of the cluster, and who waits for one is not late.
            if self._has_begun(flight) and now - flight.since > self.settings.bears():
                # Its worker may never answer: whatever comes of it, the shard is for another one.
                self.crew.cancel(handle, force=True)
                del self.flights[handle]
                if flight.shard not in self.done:
                    self._lose(flight.shard, "its worker did not answer")

    def _tell(self) -> None:
        self.watcher.stands(self.follower.figures, len(self.flights))

    @staticmethod
    def _shard_of(manifest: str) -> int:
        return json.loads(manifest)["shard"]
