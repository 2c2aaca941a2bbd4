"""The driver with a crew that does the shards at once, in this process: no cluster is needed."""

import fcntl
import json
import os
import re
import subprocess
import sys
import traceback
from collections import deque
from pathlib import Path

import pytest
import ray
from conftest import match, merged

from kagetsu_fleet import shard as shards
from kagetsu_fleet.crew import Lost, why
from kagetsu_fleet.driver import Driver, Settings
from kagetsu_fleet.job import Follower, Job, ProgramError, ask, default_binary
from kagetsu_fleet.progress import in_words
from kagetsu_fleet.results import Results
from kagetsu_fleet.shard import Report


class Notes:
    """Remembers what happened."""

    def __init__(self):
        self.said: list[str] = []

    def stands(self, figures: dict, under_way: int) -> None:
        pass

    def happened(self, text: str) -> None:
        self.said.append(text)


class OwnCrew:
    """Does shards here, the last and the first given out in turn, unless `mishap` has something else in mind. A tenth of
    a second goes by each time that the driver waits, however long that takes on this machine."""

    def __init__(self, binary: Path, job: Job, mishap=lambda order, attempt: None):
        self.binary, self.job, self.mishap = binary, job, mishap
        self.orders: dict[int, object] = {}
        self.asked: list[int] = []
        self.cancelled = 0
        self.excluded: set[str] = set()
        self.turn = False
        self.time = 0.0
        self.begins: list[int] = []

    def clock(self) -> float:
        return self.time

    def room(self) -> int:
        return 0 if self.excluded else 4

    def exclude(self, node: str) -> None:
        self.excluded.add(node)

    def submit(self, order):
        handle = len(self.asked)
        self.asked.append(order.shard)
        self.orders[handle] = order
        self.begins.append(order.number)
        return handle

    def begun(self):
        begun, self.begins = self.begins, []
        return begun

    def wait(self, handles, seconds):
        self.time += 0.1
        return self.lands(handles)

    def lands(self, handles):
        """Whose worker comes back next."""
        self.turn = not self.turn
        return [max(handles) if self.turn else min(handles)]

    def collect(self, handle):
        order = self.orders.pop(handle)
        landed = self.mishap(order, self.asked.count(order.shard))
        if landed is not None:
            return landed
        paths = [self.job.path, self.binary, *self.job.files_of(order.shard)]
        return "here", shards.run(order, [path.name for path in paths], [path.read_bytes() for path in paths])

    def cancel(self, handle, force=False):
        self.cancelled += 1


def drive(binary, path, results, mishap=lambda order, attempt: None, crew=OwnCrew, **settings):
    job = Job.read(binary, path)
    follower = Follower(binary, job)
    crew, notes = crew(binary, job, mishap), Notes()
    try:
        outcome = Driver(job, follower, Results(str(results)), crew, Settings(**settings), notes, crew.clock).run()
    finally:
        follower.close()
    return outcome, crew, notes


def test_a_difference_without_bounds_is_told():
    meeting = {"elo": 338.0, "elo_low": None, "elo_high": 12.0}
    match = {"games": 8, "sprt": None, "encounters": [meeting], "faults": 0}
    figures = {"done": 1, "shards": 2, "match": match}
    assert in_words(figures) == "1/2 shards, 8 games, Elo +338.0 [-∞, +12.0]"
    meeting["elo_low"], meeting["elo_high"] = 51.25, None
    assert in_words(figures) == "1/2 shards, 8 games, Elo +338.0 [+51.2, +∞]"
    meeting["elo"] = None
    assert in_words(figures) == "1/2 shards, 8 games"


def test_a_job_is_done_once(binary, plan, alone, tmp_path):
    job = plan(*match(games=12))
    outcome, crew, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over and sorted(crew.asked) == [0, 1, 2] and crew.cancelled == 0
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)
    # Nothing is left to do, so nothing is done.
    outcome, crew, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over and crew.asked == []


def test_a_stopped_test_has_the_verdict_of_one_that_was_not(binary, plan, tmp_path):
    job = plan(*match(80, 400, "--sprt", "0,250"), size=1)
    whole, crew, _ = drive(binary, job, tmp_path / "whole")
    needed = whole.figures["match"]["sprt"]["pairs"]
    # Every other shard overtakes all before it here; beyond those there is only what was under way at the decision.
    assert whole.figures["match"]["sprt"]["verdict"] != "open" and len(crew.asked) <= 2 * needed + crew.room()
    landed = deque()

    class Killed(Exception):
        pass

    def kill(order, attempt):
        landed.append(order.shard)
        if len(landed) == 5:
            raise Killed

    with pytest.raises(Killed):
        drive(binary, job, tmp_path / "again", kill)
    again, _, _ = drive(binary, job, tmp_path / "again")
    assert again.figures["match"]["sprt"] == {
        **whole.figures["match"]["sprt"],
        "waiting": again.figures["match"]["sprt"]["waiting"],
    }
    records = [merged(binary, job, tmp_path / name, tmp_path / f"{name}-merged") for name in ("whole", "again")]
    assert records[0] == records[1]


def test_nobody_waits_for_a_slow_worker(binary, plan, alone, tmp_path):
    job = plan(*match(games=24), size=1)

    class Slow(OwnCrew):
        def lands(self, handles):
            # The first worker never comes back.
            return [max(handles)] if max(handles) > 0 else []

    outcome, crew, notes = drive(binary, job, tmp_path / "r", crew=Slow)
    assert outcome.is_over and crew.asked.count(0) == 2 and crew.cancelled == 1
    assert any("second worker" in text for text in notes.said)
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


class Slowly(OwnCrew):
    """Workers that come back in their order, and some that never do."""

    never: tuple[int, ...] = ()

    def __init__(self, *words):
        super().__init__(*words)
        self.dismissed: list[int] = []

    def room(self) -> int:
        return 20

    def lands(self, handles):
        landing = [handle for handle in handles if handle not in self.never]
        return [min(landing)] if landing else []

    def cancel(self, handle, force=False):
        self.dismissed.append(handle)


def test_each_late_shard_is_given_to_a_second_worker(binary, plan, alone, tmp_path):
    job = plan(*match(games=24), size=1)

    class Crew(Slowly):
        # The first workers of shards 0 and 1, and the second one of shard 0, which is asked after the twelve first.
        never = (0, 1, 12)

    # Later than what is given to a second worker, which is 5 s and four times what others took.
    outcome, crew, notes = drive(binary, job, tmp_path / "r", crew=Crew, patience=14)
    assert outcome.is_over and not outcome.given_up, outcome
    # A twin that hangs does not keep the next shard from getting one.
    assert crew.asked[12:14] == [0, 1] and sum("second worker" in text for text in notes.said) == 2
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


def test_the_slower_twin_is_dismissed_and_a_failed_one_is_waited_for(binary, plan, alone, tmp_path):
    job = plan(*match(games=24), size=1)

    class Crew(Slowly):
        never = (0,)

        def lands(self, handles):
            # Once all else is done and shard 0 has failed with its second worker, the first one comes back.
            if handles == [0] and len(self.asked) > 12:
                return [0]
            return super().lands(handles)

    def mishap(order, attempt):
        if order.shard == 0 and len(failed) == 0:
            failed.append(order)
            return "here", Report(0, "failed", said="it crashed")

    failed: list = []
    outcome, crew, _ = drive(binary, job, tmp_path / "r", mishap, crew=Crew, attempts=1)
    # One attempt only, and it has failed; but another worker was still at it.
    assert failed and outcome.is_over and not outcome.given_up and crew.asked.count(0) == 2
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)

    class Both(Slowly):
        never = (0,)

    outcome, crew, _ = drive(binary, job, tmp_path / "twice", crew=Both)
    assert outcome.is_over and crew.asked.count(0) == 2 and crew.dismissed == [0]


def test_a_test_goes_on_before_a_shard_that_was_given_up(binary, plan, tmp_path):
    job = plan(*match(80, 400, "--sprt", "0,250"), size=1)
    whole, _, _ = drive(binary, job, tmp_path / "whole")
    last = whole.figures["match"]["sprt"]["pairs"] - 1

    def crashes(bad):
        return lambda order, attempt: ("here", Report(bad, "failed", said="it crashed")) if order.shard == bad else None

    # Behind the decision a shard may crash as it likes.
    outcome, _, _ = drive(binary, job, tmp_path / "behind", crashes(last + 2), attempts=1)
    assert outcome.is_over and outcome.figures["match"]["sprt"]["verdict"] == whole.figures["match"]["sprt"]["verdict"]
    # Before it nothing can be decided; what comes before the gap is done, and nothing is begun behind it.
    outcome, crew, _ = drive(binary, job, tmp_path / "before", crashes(last - 1), attempts=1)
    assert not outcome.is_over and list(outcome.given_up) == [last - 1]
    assert outcome.figures["match"]["sprt"]["pairs"] == last - 1
    assert len(crew.asked) <= 2 * last + crew.room()


def test_what_always_fails_is_told_and_not_tried_for_ever(binary, plan, tmp_path):
    job = plan(*match(games=12))

    def mishap(order, attempt):
        if order.shard == 1:
            return "here", Report(1, "failed", said="it crashed")

    outcome, crew, notes = drive(binary, job, tmp_path / "r", mishap, attempts=3)
    assert crew.asked.count(1) == 3 and not outcome.is_over
    assert list(outcome.given_up) == [1] and "it crashed" in outcome.given_up[1]
    assert any("given up" in text for text in notes.said)
    # The others are done, and the next run does the one that is missing.
    outcome, crew, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over and crew.asked == [1]


def test_lost_workers_cost_nothing_but_time(binary, plan, alone, tmp_path):
    job = plan(*match(games=12))
    outcome, crew, _ = drive(binary, job, tmp_path / "r", lambda order, attempt: Lost("gone") if attempt < 3 else None)
    assert outcome.is_over and not outcome.given_up and len(crew.asked) == 9
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)
    outcome, crew, _ = drive(binary, job, tmp_path / "never", lambda order, attempt: Lost("gone"), losses=4)
    assert len(crew.asked) == 12 and sorted(outcome.given_up) == [0, 1, 2]


def test_another_build_is_refused(binary, plan, tmp_path):
    job = plan(*match(games=12))
    other = json.loads(job.read_text())
    other["build"]["signature"] += 1
    path = tmp_path / "other.json"
    path.write_text(json.dumps(other))
    outcome, crew, notes = drive(binary, path, tmp_path / "r")
    assert not outcome.is_over and "another build" in outcome.refused["here"] and crew.excluded == {"here"}
    assert any("another build" in text for text in notes.said)
    # Shards of one job are not shards of the other.
    drive(binary, job, tmp_path / "r2")
    with pytest.raises(ValueError, match="another build"):
        drive(binary, path, tmp_path / "r2")


def test_a_program_that_hangs_or_cannot_write_is_ended_and_told(binary, plan, tmp_path):
    job = plan(*match(games=4))
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\nsleep 60\n")
    sleeper.chmod(0o755)
    outcome, _, _ = drive(binary, job, tmp_path / "r", timeout=0.5, attempts=1, worker_binary=str(sleeper))
    assert "no end after" in outcome.given_up[0]
    # A file that may not grow is what a full disk is to a program.
    full = tmp_path / "full"
    full.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f 1\nexec {binary} \"$@\"\n")
    full.chmod(0o755)
    outcome, _, _ = drive(binary, job, tmp_path / "r", attempts=2, worker_binary=str(full))
    assert "failed 2 times" in outcome.given_up[0] and "games.jsonl" in outcome.given_up[0], outcome.given_up
    outcome, _, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over


def test_a_manifest_that_was_cut_off_is_none(binary, plan, alone, tmp_path):
    job = plan(*match(games=12))
    drive(binary, job, tmp_path / "r")
    manifest = tmp_path / "r" / "000001" / "done.json"
    manifest.write_text(manifest.read_text()[:50])
    outcome, crew, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over and crew.asked == [1]
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


@pytest.mark.parametrize("place", ["folder", "memory://damaged"])
def test_a_damaged_shard_is_done_again(binary, plan, alone, tmp_path, place):
    job = plan(*match(games=12))
    place = place if "://" in place else tmp_path / place
    drive(binary, job, place)
    results = Results(str(place))
    cut, gone, whole = results.manifests()
    for text, damage in ((cut, "changed"), (gone, "missing")):
        assert results.flaw(text) is None
        found = json.loads(text)
        file = found["files"][0]
        path = f"{results.root}/{found['shard']:06d}/{'' if results.is_local else file['sha256'] + '-'}{file['name']}"
        if damage == "changed":
            results.system.pipe_file(path, results.system.cat_file(path)[:-1])
        else:
            results.system.rm_file(path)
        assert damage in results.flaw(text)
    outcome, crew, notes = drive(binary, job, place)
    assert outcome.is_over and sorted(crew.asked) == [0, 1] and whole in outcome.manifests
    assert sum("is done again" in text for text in notes.said) == 2, notes.said
    home = results.bring_home(tmp_path / "home", outcome.manifests)
    assert merged(binary, job, home, tmp_path / "m") == alone(job)


def test_a_folder_that_is_not_shared_is_noticed(binary, plan, tmp_path):
    job = plan(*match(games=4))

    def elsewhere(order, attempt):
        order.results = str(tmp_path / "elsewhere")

    outcome, crew, _ = drive(binary, job, tmp_path / "r", elsewhere, attempts=2)
    assert not outcome.is_over and crew.asked == [0, 0]
    assert "all machines must see the same folder" in outcome.given_up[0], outcome


def test_who_waits_for_a_place_is_not_late(binary, plan, tmp_path):
    job = plan(*match(games=4))

    class Full(OwnCrew):
        def begun(self):
            return super().begun() if self.time > 100 else []

        def lands(self, handles):
            return super().lands(handles) if self.time > 110 else []

    outcome, crew, notes = drive(binary, job, tmp_path / "r", crew=Full, patience=20)
    assert outcome.is_over and crew.asked == [0] and not notes.said


def test_what_killed_workers_left_is_removed(binary, plan, tmp_path):
    job = plan(*match(games=4))
    old, new, other = (tmp_path / "r" / name for name in (f".000001-{32 * 'a'}", f".000001-{32 * 'b'}", ".hidden"))
    for folder in (old, new, other):
        folder.mkdir(parents=True)
    for folder in (old, other):
        os.utime(folder, (0, 0))
    drive(binary, job, tmp_path / "r")
    assert not old.exists() and new.exists() and other.exists()


def test_who_is_late_changes_nothing(binary, plan, tmp_path):
    job = plan(*match(games=4))
    for name in ("first", "second"):
        subprocess.run([binary, "job", "run", job, "--out", tmp_path / name], check=True, stdout=subprocess.PIPE)
    results = Results(str(tmp_path / "r"))
    # Half of a shard was left there.
    (tmp_path / "r" / "000000").mkdir(parents=True)
    (tmp_path / "r" / "000000" / "games.jsonl").write_text("half")
    # Somebody is at work on it.
    with (tmp_path / "r" / "000000" / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BlockingIOError, match="another process is doing this shard"):
            results.publish(0, tmp_path / "first" / "000000")
    assert (tmp_path / "r" / "000000" / "games.jsonl").read_text() == "half"
    first = results.publish(0, tmp_path / "first" / "000000")
    assert results.publish(0, tmp_path / "second" / "000000") == first
    assert first != (tmp_path / "second" / "000000" / "done.json").read_text()
    merged(binary, job, tmp_path / "r", tmp_path / "m")
    assert results.manifests() == [first] and len(list((tmp_path / "r").iterdir())) == 1


def test_a_manifest_of_another_shape_is_none(binary, plan, tmp_path):
    job = plan(*match(games=4))
    subprocess.run([binary, "job", "run", job, "--out", tmp_path / "r"], check=True, stdout=subprocess.PIPE)
    results = Results(str(tmp_path / "r"))
    path = tmp_path / "r" / "000000" / "done.json"
    (whole,) = results.manifests()
    # One that somebody has put on several lines says the same, and the program hears it in one.
    follower = Follower(binary, Job.read(binary, job))
    assert follower.add(json.dumps(json.loads(whole), indent=1)) is None and follower.is_over
    follower.close()
    # An outcome that has changed is noticed by the program, and the shard is done again.
    path.write_text(whole.replace('"faults":0', '"faults":1', 1))
    outcome, crew, notes = drive(binary, job, tmp_path / "r")
    assert outcome.is_over and crew.asked == [0] and "its manifest is damaged" in notes.said[0], notes.said
    # What this brought there `job run` goes on with, should its manifest be destroyed.
    path.write_text(whole[:50])
    subprocess.run([binary, "job", "run", job, "--out", tmp_path / "r"], check=True, stdout=subprocess.PIPE)
    assert path.exists()
    for text in ("[]", "7", '{"shard": 0}', '{"shard": 0, "files": [1]}', '{"shard": "0", "files": []}'):
        path.write_text(text)
        assert results.manifests() == [] and not path.exists(), text


def test_a_path_is_no_chain_of_systems(tmp_path):
    folder = tmp_path / "a :: b"
    assert Results(str(folder)).root == str(folder)
    assert Results("memory://a").root == "/a"


def test_an_error_of_any_kind_is_a_failure_with_its_cause(binary, plan, tmp_path, monkeypatch):
    job = plan(*match(games=4))

    def no_bucket(self, shard, folder):
        raise ValueError("there is no such bucket")

    monkeypatch.setattr(Results, "publish", no_bucket)
    outcome, crew, _ = drive(binary, job, tmp_path / "r", attempts=2)
    assert crew.asked == [0, 0] and "no such bucket" in outcome.given_up[0], outcome


def test_the_cause_of_an_error_is_told():
    def deep():
        raise KeyError("the cause")

    try:
        deep()
    except KeyError as error:
        told = ray.exceptions.RayTaskError("_do", traceback.format_exc(), error)
    assert "the cause" in why(told)
    told = ray.exceptions.OutOfMemoryError("the node is out of memory\nsee the manual")
    assert why(told) == "the node is out of memory"


def test_two_engines_may_have_the_same_name(binary, plan, alone, tmp_path):
    for name, nodes in (("old", 30), ("new", 60)):
        (tmp_path / name).mkdir()
        engine = tmp_path / name / "engine"
        engine.write_text(f"#!/bin/sh\n# {nodes}\nexec {binary} play\n")
        engine.chmod(0o755)
    old, new = (f"name={name} cmd={tmp_path}/{name}/engine nodes={nodes}" for name, nodes in (("old", 30), ("new", 60)))
    job = plan("match", "-e", old, "-e", new, "--openings", "random", "--seed", "5", "--size", "9", "--games", "4")
    outcome, _, _ = drive(binary, job, tmp_path / "r")
    assert outcome.is_over, outcome
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


def test_two_workers_may_write_a_shard_at_the_same_time(binary, plan, tmp_path):
    job = plan(*match(games=4))
    for name in ("first", "second"):
        subprocess.run([binary, "job", "run", job, "--out", tmp_path / name], check=True, stdout=subprocess.PIPE)
    first, second = (tmp_path / name / "000000" for name in ("first", "second"))
    assert (first / "games.jsonl").read_bytes() != (second / "games.jsonl").read_bytes()
    results = Results("memory://at-once")
    manifest = results.publish(0, first)

    class Blind(Results):
        # Looked before the other one had written its manifest.
        def _manifest_of(self, shard):
            return None

    blind = Blind("memory://at-once")
    put = blind.system.put_file
    written = []

    def put_file(here, there, **options):
        if there.endswith("done.json"):
            raise OSError("it dies before its manifest")
        written.append(there)
        put(here, there, **options)

    blind.system.put_file = put_file
    try:
        with pytest.raises(OSError):
            blind.publish(0, second)
    finally:
        del blind.system.put_file
    assert written and results.manifests() == [manifest]
    merged(binary, job, results.bring_home(tmp_path / "home", [manifest]), tmp_path / "m")
    # And if it lives its manifest finds its own files, and the one that was counted still finds those that are merged.
    other = blind.publish(0, second)
    assert other != manifest and results.manifests() == [other]
    for name, text in (("again", other), ("counted", manifest)):
        home = results.bring_home(tmp_path / name, [text])
        assert (home / "000000" / "done.json").read_text() == text
        merged(binary, job, home, tmp_path / f"m-{name}")
        assert (tmp_path / "m" / "games.jsonl").read_bytes() == (tmp_path / f"m-{name}" / "games.jsonl").read_bytes()


def test_a_simulation_finds_the_verdict_of_its_games(binary):
    # A driver for many, in small: as many sleepers as there is room for, and seconds that are tenths.
    words = [
        "simulate",
        "--workers",
        "40",
        "--processes",
        "2",
        "--seconds",
        "0.4",
        "--sprt",
        "0,30",
        "--games",
        "20000",
    ]
    said = subprocess.run(
        [sys.executable, "-m", "kagetsu_fleet", *words, "--binary", str(binary)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert said.returncode == 0, said.stderr
    found = re.search(r"verdict +(passed|failed) after (\d+) pairs, (\d+) shards; (\d+) were done", said.stdout)
    assert found, said.stdout
    pairs, shards, done = map(int, found.groups()[1:])
    # Beyond the decision no more is done than what overtakes the slowest shard, which takes four times the mean.
    assert shards == -(-pairs // 8) and shards <= done <= shards + 4 * 40, said.stdout


def test_results_go_wherever_fsspec_reaches(binary, plan, alone, tmp_path):
    job = plan(*match(games=12))
    outcome, _, _ = drive(binary, job, "memory://fleet")
    assert outcome.is_over
    home = Results("memory://fleet").bring_home(tmp_path / "home", outcome.manifests)
    assert merged(binary, job, home, tmp_path / "m") == alone(job)
    outcome, crew, _ = drive(binary, job, "memory://fleet")
    assert outcome.is_over and crew.asked == []


def test_a_name_is_no_pattern(tmp_path):
    # As patterns some of these would find the shards of others, and some not their own.
    names = ["r1", "r[1]", "r?", "r*"]
    for start in (f"{tmp_path}/results", "memory://names"):
        for name in names:
            folder = tmp_path / "done" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "done.json").write_text(json.dumps({"shard": 0, "files": [], "of": name}))
            Results(f"{start}/{name}").publish(0, folder)
        for name in names:
            assert [json.loads(text)["of"] for text in Results(f"{start}/{name}").manifests()] == [name]


def test_parameters_are_tuned_in_pairs_that_do_not_wait(binary, plan, tmp_path):
    try:
        job = plan("spsa", "--pairs", "6", "--nodes", "40", "--size", "9", size=1)
    except subprocess.CalledProcessError:
        pytest.skip("parameters are tuned by a build with the feature `tunable`, which this one is not")
    lost = []

    def mishap(order, attempt):
        # Every pair knows what those before it have shown.
        assert len(order.given) == len(json.loads(job.read_text())["work"]["start"])
        if order.shard == 2 and attempt == 1:
            lost.append(order.given)
            return Lost("gone")

    outcome, crew, _ = drive(binary, job, tmp_path / "r", mishap)
    assert outcome.is_over and outcome.figures["spsa"]["pairs"] == 6 and len(crew.asked) == 7 and lost
    out = tmp_path / "m"
    subprocess.run([binary, "job", "merge", job, tmp_path / "r", "--out", out], check=True)
    progress = json.loads((out / "spsa.json").read_text())
    assert progress["pairs"] == 6 and [value for _, value in progress["values"]] == outcome.figures["spsa"]["values"]
    # The plain command goes on with it.
    words = ["spsa", "--out", out / "spsa.json", "--pairs", "7", "--nodes", "40", "--size", "9", "--threads", "1"]
    subprocess.run([binary, *words], check=True, stdout=subprocess.PIPE)
    assert json.loads((out / "spsa.json").read_text())["pairs"] == 7


def test_the_program_is_found_in_the_path(tmp_path, monkeypatch):
    monkeypatch.delenv("KAGETSU", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProgramError, match="there is no program target/release/kagetsu; name it with --binary"):
        ask(default_binary(), "--version")
    for folder in ("bin", "target/release"):
        program = tmp_path / folder / "kagetsu"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
        assert default_binary().resolve() == program
    monkeypatch.setenv("KAGETSU", "other")
    assert default_binary() == Path("other")
