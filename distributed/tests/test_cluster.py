"""A real Ray cluster of several nodes on this machine, and what it must survive."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
import ray
from conftest import figures, match, merged
from ray.cluster_utils import Cluster
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from kagetsu_fleet.crew import RayCrew, connect
from kagetsu_fleet.driver import Driver, Settings
from kagetsu_fleet.job import Follower, Job
from kagetsu_fleet.results import Results

# An object store has to hold the program more than once: that of the tests is 70 MB, and beside a store that it fills
# alone Ray grants no second lease, now and then for ever.
STORE = 400 * 1024 * 1024


@pytest.fixture(scope="module")
def cluster():
    """A head that plays as well; tests add nodes as they need them."""
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    connect(cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def node(cluster):
    """Another node, which is gone after the test."""
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    cluster.wait_for_nodes()
    yield node
    if node in cluster.list_all_nodes():
        cluster.remove_node(node, allow_graceful=False)


class Notes:
    """Remembers what happened, and acts once so many shards are done."""

    def __init__(self, after: int = -1, act=lambda: None):
        self.said, self.after, self.act = [], after, act

    def stands(self, figures: dict, under_way: int) -> None:
        if self.after >= 0 and figures["done"] >= self.after:
            self.after = -1
            self.act()

    def happened(self, text: str) -> None:
        self.said.append(text)


def wake_all_nodes():
    """Lets each node start a worker, which takes long on a busy machine: what comes next is played by all from the first."""
    nothing = ray.remote(lambda: None)
    for node in ray.nodes():
        if node["Alive"]:
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            ray.get(nothing.options(num_cpus=1, scheduling_strategy=there).remote(), timeout=120)


def drive(binary, path, results, notes=None, **settings):
    job = Job.read(binary, path)
    follower = Follower(binary, job)
    try:
        crew = RayCrew(binary, job)
        return Driver(job, follower, Results(str(results)), crew, Settings(**settings), notes or Notes()).run()
    finally:
        follower.close()


def programs(job: Path) -> list[int]:
    """Processes that do shards of a job, told by the job's file, which each has in its cache."""
    said = subprocess.run(["ps", "-e", "-ww", "-o", "pid,args"], stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split(None, 1) for line in said.splitlines() if " job run " in line and job.name in line]
    return [int(pid) for pid, _ in lines]


def eventually(is_so, seconds=20.0):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_node_is_killed_in_the_middle(binary, plan, alone, cluster, node, tmp_path):
    job = plan(*match(10_000, 24), name="node-killed.json")
    wake_all_nodes()

    def kill():
        # A node plays one shard at a time: where two are played, the node that is killed is in the middle of one.
        eventually(lambda: len(programs(job)) == 2, 60)
        cluster.remove_node(node, allow_graceful=False)

    killer = Thread(target=kill)
    killer.start()
    notes = Notes()
    outcome = drive(binary, job, tmp_path / "r", notes)
    killer.join()
    assert outcome.is_over and not outcome.given_up
    assert any("was lost" in text for text in notes.said), notes.said
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


def once(path: Path, binary: Path, what: str) -> str:
    """A program that does something else the first time."""
    path.write_text(f'#!/bin/sh\nif mkdir "{path}.once" 2> /dev/null; then {what}; fi\nexec {binary} "$@"\n')
    path.chmod(0o755)
    return str(path)


def test_a_program_hangs(binary, plan, alone, cluster, tmp_path):
    job = plan(*match(60, 12), name="hangs.json")
    notes = Notes()
    worker = once(tmp_path / "worker", binary, "kill -STOP $$")
    outcome = drive(binary, job, tmp_path / "r", notes, timeout=8, worker_binary=worker)
    assert outcome.is_over and any("timeout" in text for text in notes.said), notes.said
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)
    eventually(lambda: not programs(job))


def test_a_worker_hangs(binary, plan, alone, cluster, node, tmp_path):
    job = plan(*match(60, 12), name="worker-hangs.json")
    notes = Notes()
    stopped = tmp_path / "stopped"
    worker = once(tmp_path / "worker", binary, f'echo $PPID > "{stopped}"; kill -STOP $PPID')
    outcome = drive(binary, job, tmp_path / "r", notes, patience=10, worker_binary=worker)
    os.kill(int(stopped.read_text()), signal.SIGKILL)
    assert outcome.is_over and any("did not answer" in text for text in notes.said), notes.said
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


def test_a_shard_always_crashes(binary, plan, cluster, tmp_path):
    job = plan(*match(60, 12), name="crashes.json")
    worker = tmp_path / "worker"
    # Its third word but one is the number of the shard.
    worker.write_text(f'#!/bin/sh\nif [ "$5" = 1 ]; then kill -SEGV $$; fi\nexec {binary} "$@"\n')
    worker.chmod(0o755)
    outcome = drive(binary, job, tmp_path / "r", attempts=2, worker_binary=str(worker))
    assert not outcome.is_over and list(outcome.given_up) == [1]
    assert "failed 2 times" in outcome.given_up[1] and "status -11" in outcome.given_up[1], outcome.given_up
    assert figures(binary, job, tmp_path / "r")["done"] == 2


def command(binary, cluster, job, results, out) -> tuple[list[str], dict]:
    """The driver as a user starts it, and its environment."""
    words = [sys.executable, "-m", "kagetsu_fleet", "run", job, "--results", results, "--out", out]
    words += ["--binary", binary, "--address", cluster.address]
    folder = Path(__file__).resolve().parents[1]
    return list(map(str, words)), {**os.environ, "PYTHONPATH": str(folder)}


def kill_after(words: list[str], environment: dict, job: Path, results: Path, shards: int) -> None:
    """Starts the driver, and kills it when so many shards are done."""
    driver = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: len(list(results.glob("*/done.json"))) >= shards, 60)
    driver.kill()
    driver.wait()
    # Nobody wants the shards that were under way.
    eventually(lambda: not programs(job))


def test_the_driver_is_killed_and_started_again(binary, plan, alone, cluster, tmp_path):
    job = plan(*match(400, 24), name="driver-killed.json")
    words, environment = command(binary, cluster, job, tmp_path / "r", tmp_path / "m")
    kill_after(words, environment, job, tmp_path / "r", 1)
    done = figures(binary, job, tmp_path / "r")["done"]
    assert 0 < done < 6
    again = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True)
    assert again.returncode == 0 and "24 games" in again.stdout, again.stdout
    assert (tmp_path / "m" / "games.jsonl").read_bytes() == alone(job)
    assert (tmp_path / "m" / "games.html").exists()


def test_without_an_address_no_cluster_is_joined(binary, plan, cluster, tmp_path):
    job = plan(*match(60, 4), name="local.json")
    words, environment = command(binary, cluster, job, tmp_path / "r", tmp_path / "m")
    words = [*words[:-2], "--cpus", "1"]
    done = subprocess.run(
        words, env={**environment, "RAY_ADDRESS": cluster.address}, capture_output=True, text=True, timeout=120
    )
    # A cluster brings its own processors, so that joining it would refuse `--cpus`.
    assert done.returncode == 0 and "4 games" in done.stdout, done.stderr


def test_a_killed_test_has_the_verdict_of_one_that_was_not(binary, plan, alone, cluster, tmp_path):
    job = plan(*match(600, 400, "--sprt", "0,250"), name="sprt-killed.json", size=1)
    expected = alone(job)
    sprt = figures(binary, job, tmp_path / "alone")["match"]["sprt"]
    assert sprt["verdict"] != "open" and sprt["pairs"] > 3, sprt
    words, environment = command(binary, cluster, job, tmp_path / "r", tmp_path / "m")
    kill_after(words, environment, job, tmp_path / "r", 2)
    assert not figures(binary, job, tmp_path / "r")["decided"]
    again = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True)
    assert again.returncode == 0 and f"{sprt['words']} after {sprt['pairs']} pairs" in again.stdout, again.stdout
    assert (tmp_path / "m" / "games.jsonl").read_bytes() == expected
    # It is decided, so what was under way is cancelled, and nothing of it is played on.
    eventually(lambda: not programs(job))
    assert figures(binary, job, tmp_path / "r")["done"] < 200


def test_a_worker_with_another_build_gets_nothing_more(binary, plan, alone, cluster, node, tmp_path):
    job = plan(*match(60, 16), name="build.json")
    # What the second node has installed was built from another source: it sees a job of another signature.
    signature = json.loads(job.read_text())["build"]["signature"]
    worker = tmp_path / "worker"
    # Ray tells every process on a node who looks after it.
    worker.write_text(
        f"""#!/bin/sh
if grep -qz "^RAY_RAYLET_PID={_raylet_pid(node)}$" /proc/self/environ; then
    sed 's/"signature": {signature}/"signature": 1/' "$3" > {tmp_path}/other-$$.json
    job={tmp_path}/other-$$.json
    shift 3
    exec {binary} job run "$job" "$@"
fi
exec {binary} "$@"
"""
    )
    worker.chmod(0o755)
    notes = Notes()
    outcome = drive(binary, job, tmp_path / "r", notes, worker_binary=str(worker))
    assert outcome.is_over and len(outcome.refused) == 1, (outcome, notes.said)
    assert merged(binary, job, tmp_path / "r", tmp_path / "m") == alone(job)


def _raylet_pid(node) -> int:
    return node.all_processes["raylet"][0].process.pid


def test_a_disk_is_full(binary, plan, alone, cluster, tmp_path):
    job = plan(*match(60, 8), name="full.json")
    full = tmp_path / "full"
    full.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", full], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        # The program does not even fit.
        outcome = drive(binary, job, tmp_path / "r", attempts=2, scratch=str(full))
        assert not outcome.is_over and len(outcome.given_up) == 2
        assert all("No space left" in why for why in outcome.given_up.values()), outcome.given_up
        # Nor is there room for what comes of it.
        subprocess.run(["dd", "if=/dev/zero", f"of={full}/filler", "bs=1k"], stderr=subprocess.DEVNULL)
        outcome = drive(binary, job, full / "r", attempts=2)
        assert not outcome.is_over and len(outcome.given_up) == 2
        (full / "filler").unlink()
        outcome = drive(binary, job, full / "r")
        assert outcome.is_over
        assert merged(binary, job, full / "r", tmp_path / "m") == alone(job)
    finally:
        subprocess.run(["umount", full], check=True)
