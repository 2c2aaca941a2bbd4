"""What the tests share: the program, and jobs that it plans."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def binary() -> Path:
    """The program under test: KAGETSU, or what Cargo has built."""
    named = [os.environ["KAGETSU"]] if "KAGETSU" in os.environ else []
    built = [ROOT / "target" / profile / "kagetsu" for profile in ("release", "debug")]
    for path in [*map(Path, named), *built]:
        if path.exists():
            return path.resolve()
    raise FileNotFoundError("build the program first: cargo build --release")


@pytest.fixture
def plan(binary, tmp_path):
    """Plans a job of these words and returns its file."""

    def plan(*words: str, size: int = 2, name: str = "job.json") -> Path:
        path = tmp_path / name
        subprocess.run(
            [binary, "job", "plan", path, "--shard-size", str(size), *words], check=True, stdout=subprocess.PIPE
        )
        return path

    return plan


@pytest.fixture
def alone(binary, tmp_path):
    """The merged records of one machine that does a job by itself, as bytes."""

    def alone(job: Path) -> bytes:
        results, out = tmp_path / "alone", tmp_path / "alone-merged"
        subprocess.run([binary, "job", "run", job, "--out", results], check=True, stdout=subprocess.PIPE)
        return merged(binary, job, results, out)

    return alone


def merged(binary: Path, job: Path, results: Path, out: Path) -> bytes:
    """The records of these shards as one match."""
    subprocess.run([binary, "job", "merge", job, results, "--out", out], check=True, stdout=subprocess.PIPE)
    return (out / "games.jsonl").read_bytes()


def match(nodes: int = 60, games: int = 24, *more: str) -> list[str]:
    """A match between two players of which the first looks further."""
    players = ["-e", f"name=far nodes={3 * nodes}", "-e", f"name=near nodes={nodes}"]
    openings = ["--openings", "random", "--seed", "5", "--size", "11", "--draw-after", "60"]
    return ["match", *players, *openings, "--games", str(games), *more]


def figures(binary: Path, job: Path, results: Path) -> dict:
    """How a job stands."""
    said = subprocess.run([binary, "job", "show", job, results, "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout)
