"""One network after the other: self-play, rescoring, training, a match, and the choice.

Every generation has a folder and every step a folder in it. `begun.json` there says by which options and with which
program the step was begun: a plan that has others by now is refused, for nobody could tell afterwards what a network was
made of. A step that is done leaves `step.json`, written last, and is not done again. One that was cut short begins where
its job stands, and training at its last checkpoint, so the same command resumes after any end.
"""

import json
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kagetsu_fleet.job import ask
from kagetsu_fleet.results import sha256

# Does a job in a folder, and says where its merged result is.
RunJob = Callable[[Path, Path, Path], Path]


@dataclass
class Plan:
    """What a generation is made of. Lists are options of the program's subcommands."""

    folder: Path
    # A build with the feature `tunable`, which plays with any network.
    binary: Path
    generations: int
    selfplay: list[str]
    rescore: list[str] | None
    train: list[str]
    match: list[str]
    # Generations whose games are learned from, the new one included.
    window: int = 1
    # Makes a program of a network that has won, for the next generation: a command, in which {network} is the file of
    # the network and {binary} the program to be made, in quotes where a shell needs them. Other braces are the shell's.
    # Without it the loop ends with the first network that wins.
    build: str | None = None
    shard_size: dict[str, int] | None = None

    @staticmethod
    def read(path: Path, binary: Path) -> "Plan":
        """Raises ValueError where something is missing, unknown or of the wrong kind, with the file and the key."""
        with path.open("rb") as file:
            try:
                found = tomllib.load(file)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
        if unknown := found.keys() - KINDS.keys():
            raise ValueError(f"{path}: unknown: {', '.join(sorted(unknown))}; there are {', '.join(sorted(KINDS))}")
        for needed in ("generations", "selfplay", "train", "match"):
            if needed not in found:
                raise ValueError(f"{path}: `{needed}` is missing")
        for key, value in found.items():
            wanted, is_so = KINDS[key]
            if not is_so(value):
                raise ValueError(f"{path}: `{key}` must be {wanted}, and is {json.dumps(value, default=str)}")
        seeds = [word for word in found["selfplay"] if word.split("=")[0] == "--seed"]
        if seeds and found.get("window", 1) > 1:
            raise ValueError(
                f"{path}: `selfplay` has --seed and `window` is {found['window']}: all generations would have the same "
                "seed, and `train` refuses two runs of one seed; leave --seed out"
            )
        found.setdefault("rescore", None)
        folder = path.parent / found.pop("folder", path.stem)
        return Plan(folder=folder.resolve(), binary=binary, **found)


def is_count(value: object) -> bool:
    # To Python, true is 1.
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_options(value: object) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_sizes(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() <= {"selfplay", "rescore", "match"}
        and all(map(is_count, value.values()))
    )


OPTIONS = ('a list of options such as ["--nodes", "2000"]', is_options)
COUNT = ("a number from 1", is_count)
TEXT = ("a text", is_text)
# The keys of a plan: what must stand there, in words and as a question.
KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "folder": TEXT,
    "generations": COUNT,
    "selfplay": OPTIONS,
    "rescore": OPTIONS,
    "train": OPTIONS,
    "match": OPTIONS,
    "window": COUNT,
    "build": TEXT,
    "shard_size": ("a table with numbers from 1 for selfplay, rescore or match", is_sizes),
}


def run(plan: Plan, run_job: RunJob, say: Callable[[str], None] = print) -> Path:
    """Makes the generations that are missing. Returns the program that plays best in the end."""
    best = plan.binary
    games: list[Path] = []
    for number in range(plan.generations):
        generation = Generation(plan, plan.folder / f"{number:03d}", best, run_job)
        say(f"generation {number}: played by {best}")
        games.append(generation.games())
        verdict, network = generation.judge(games[-plan.window :])
        say(f"generation {number}: {verdict}, {network}")
        if verdict != "passed":
            continue
        if plan.build is None:
            say(f"{network} has won; there is no `build` to go on with it")
            break
        best = generation.accept(network)
    return best


class Generation:
    """One turn of the loop."""

    def __init__(self, plan: Plan, folder: Path, binary: Path, run_job: RunJob):
        self.plan, self.folder, self.binary, self.run_job = plan, folder, binary, run_job

    def games(self) -> Path:
        """Games of the engine as it is, searched again if the plan says so."""
        played = self._job("selfplay", self.plan.selfplay, self.plan.selfplay)
        if self.plan.rescore is None:
            return played
        return self._job("rescore", [str(played), *self.plan.rescore], self.plan.rescore)

    def judge(self, games: list[Path]) -> tuple[str, Path]:
        """Trains a network, and lets it play the one that made the games."""
        taught = {"train": self.plan.train, "window": self.plan.window}
        network = self._step("train", taught, lambda folder: self._train(folder, games)) / "network.bin"
        program = f"cmd={quoted(self.binary)}"
        new = f"name=new {program} arg=play arg=--network arg={quoted(network)}"
        self._job("match", ["-e", new, "-e", f"name=old {program}", *self.plan.match], self.plan.match)
        job, shards = self.folder / "match" / "job.json", self.folder / "match" / "shards"
        figures = json.loads(ask(self.binary, "job", "show", str(job), str(shards), "--json"))["match"]
        if figures["sprt"]:
            return figures["sprt"]["verdict"], network
        # Without a test the better score decides.
        return ("passed" if figures["encounters"][0]["score"] > 0.5 else "failed"), network

    def accept(self, network: Path) -> Path:
        """The program that plays with the network."""
        return self._step("accept", {"build": self.plan.build}, lambda folder: self._build(folder, network)) / "kagetsu"

    def _train(self, folder: Path, games: list[Path]) -> None:
        # What a training that was cut short has left in the folder is what it goes on from.
        data = [str(path) for path in games]
        ask(self.binary, "train", "--data", *data, *self.plan.train, "--out", str(folder / "network.bin"))

    def _build(self, folder: Path, network: Path) -> None:
        command = self.plan.build.replace("{network}", shlex.quote(str(network)))
        command = command.replace("{binary}", shlex.quote(str(folder / "kagetsu")))
        status = subprocess.run(command, shell=True).returncode
        if status != 0:
            raise ValueError(f"`build`: `{command}` ended with status {status}")
        if not (folder / "kagetsu").exists():
            raise ValueError(f"`build`: `{command}` has not made {folder / 'kagetsu'}")

    def _job(self, name: str, options: list[str], planned: list[str]) -> Path:
        """Does a job of these options, of which the plan says those that are `planned`."""
        size = (self.plan.shard_size or {}).get(name)

        def work(folder: Path) -> None:
            job = folder / "job.json"
            if not job.exists():
                sized = ["--shard-size", str(size)] if size else []
                # Planned beside its place first: a seed that was drawn by lot must not be drawn twice.
                (folder / "job.new").unlink(missing_ok=True)
                ask(self.binary, "job", "plan", str(folder / "job.new"), *sized, name, *options)
                (folder / "job.new").replace(job)
            self.run_job(self.binary, job, folder)

        return self._step(name, {name: planned, "shard_size": size}, work) / "merged"

    def _step(self, name: str, options: dict, work: Callable[[Path], None]) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        begun, done = folder / "begun.json", folder / "step.json"
        # By its contents: another program may have its path tomorrow.
        options = {**options, "program": sha256(self.binary)}
        if not begun.exists():
            write_whole(begun, options)
        elif (before := json.loads(begun.read_text())) != options:
            raise ValueError(
                f"{folder} was begun by another plan: {json.dumps(before)}, now {json.dumps(options)}; "
                "take the old options and the old program back, or remove that folder and all that came after it"
            )
        if not done.exists():
            work(folder)
            write_whole(done, {"step": name})
        return folder


def quoted(path: Path) -> str:
    """A file as an option of `kagetsu match` names it; there are two kinds of quotes and no escapes."""
    for quote in "'\"":
        if quote not in str(path):
            return f"{quote}{path}{quote}"
    raise ValueError(f"{path}: no engine can be told of a file with both kinds of quotes in its path")


def write_whole(path: Path, what: dict) -> None:
    """A file that is there as a whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(what))
    part.replace(path)
