"""What the program says about a job. Nothing about games is computed here."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


class ProgramError(Exception):
    """The program ended with an error; the text is what it said."""


def default_binary() -> Path:
    """The program that is meant unless told otherwise: the one that KAGETSU names, built here, or in the PATH."""
    built = Path("target/release/kagetsu")
    if "KAGETSU" in os.environ:
        return Path(os.environ["KAGETSU"])
    return built if built.is_file() else Path(shutil.which("kagetsu") or built)


def ask(binary: Path, *words: str) -> str:
    """Runs a subcommand and returns what it prints."""
    try:
        said = subprocess.run([str(binary), *words], capture_output=True, text=True)
    except FileNotFoundError:
        raise ProgramError(f"there is no program {binary}; name it with --binary, or put it in the PATH") from None
    if said.returncode != 0:
        raise ProgramError(f"kagetsu {' '.join(words)}: {said.stderr.strip()}")
    return said.stdout


@dataclass
class Job:
    """A planned job."""

    path: Path
    name: str
    kind: str
    shards: int
    # Files that shards need besides the program.
    files: list[Path]
    # For each shard the places in that list; all of them where it has no entry.
    needs: dict[int, list[int]]

    @staticmethod
    def read(binary: Path, path: Path) -> "Job":
        shown = json.loads(ask(binary, "job", "show", str(path), "--json"))
        files = [Path(file["path"]) for file in shown["files"]]
        needs = {}
        if shown["kind"] == "rescore":
            # Such files are large, and a shard goes through a part of one.
            first, work = 0, json.loads(path.read_text())["work"]
            for place, source in enumerate(work["inputs"]):
                shards = -(-source["games"] // work["games_per_shard"])
                needs.update((shard, [place]) for shard in range(first, first + shards))
                first += shards
        return Job(path, shown["job"], shown["kind"], shown["shards"], files, needs)

    def files_of(self, shard: int) -> list[Path]:
        places = self.needs.get(shard, range(len(self.files)))
        return [self.files[place] for place in places]


@dataclass
class Refusal:
    """Why a manifest does not count."""

    why: str
    # It is damaged, and says nothing: the shard can be done again.
    is_damaged: bool


class Follower:
    """The program, which is told of every finished shard and says how the job stands."""

    def __init__(self, binary: Path, job: Job):
        self.process = subprocess.Popen(
            [str(binary), "job", "follow", str(job.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # Ctrl-C is for the driver, who ends this one when it is done.
            start_new_session=True,
        )
        self.figures = self._answer()

    def _answer(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise ProgramError(f"kagetsu job follow ended with status {self.process.wait()}")
        return json.loads(line)

    def add(self, manifest: str) -> Refusal | None:
        """Counts a shard by its manifest. Says why if it is refused."""
        # In one line, whoever has written it.
        self.process.stdin.write(json.dumps(json.loads(manifest)) + "\n")
        self.process.stdin.flush()
        answer = self._answer()
        if "refused" in answer:
            return Refusal(answer["refused"], answer.get("damaged", False))
        self.figures = answer
        return None

    @property
    def is_over(self) -> bool:
        return self.figures["over"]

    @property
    def values(self) -> list[float] | None:
        """The values to tune around now, of a job of SPSA."""
        return self.figures.get("spsa", {}).get("values")

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
