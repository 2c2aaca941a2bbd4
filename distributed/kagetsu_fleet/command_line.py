"""`kagetsu-fleet`: the command line."""

import argparse
import sys
import tempfile
from pathlib import Path

from kagetsu_fleet import loop, simulation
from kagetsu_fleet.crew import RayCrew, connect
from kagetsu_fleet.driver import Driver, Outcome, Settings
from kagetsu_fleet.job import Follower, Job, ProgramError, ask, default_binary
from kagetsu_fleet.progress import All, Gauges, LiveLine, in_words
from kagetsu_fleet.results import Results

# The exit status when shards were given up.
GIVEN_UP = 3


def main(words: list[str] | None = None) -> None:
    options = parser().parse_args(words)
    try:
        sys.exit(options.what(options))
    except (ProgramError, OSError, ValueError) as error:
        print(f"kagetsu-fleet: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("kagetsu-fleet: interrupted; the same command resumes where this one ended", file=sys.stderr)
        sys.exit(130)


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="kagetsu-fleet", description="Runs the jobs of Kagetsu on a Ray cluster.")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="do a job, or what is left of it, and merge it")
    run.add_argument("job", type=Path, help="the file that `kagetsu job plan` wrote")
    run.add_argument(
        "--results", required=True, help="folder of the shards, or an address that fsspec knows (s3://...)"
    )
    run.add_argument("--out", type=Path, help="folder for the merged result [default: none is made]")
    cluster(run)
    run.set_defaults(what=run_job)

    generations = commands.add_parser(
        "loop", help="self-play, rescoring, training, a match: one network after the other"
    )
    generations.add_argument("plan", type=Path, help="TOML, see docs/fleet.md")
    cluster(generations)
    generations.set_defaults(what=run_loop)

    simulate = commands.add_parser("simulate", help="drive a sequential test with many workers that only sleep")
    simulation.arguments(simulate)
    simulate.set_defaults(what=simulation.run)
    return whole


def cluster(command: argparse.ArgumentParser) -> None:
    command.add_argument("--binary", type=Path, default=default_binary(), help="the program [default: %(default)s]")
    command.add_argument("--address", help="the cluster: auto, or ray://HOST:PORT [default: this machine alone]")
    command.add_argument("--cpus", type=float, help="processors to use, where this machine is all [default: its own]")
    command.add_argument(
        "--timeout", type=float, default=3600, help="seconds after which a shard hangs [default: 3600]"
    )
    command.add_argument("--attempts", type=int, default=3, help="how often a shard may fail [default: 3]")
    command.add_argument("--worker-binary", help="a program that the workers have, in place of the one sent to them")
    command.add_argument("--scratch", help="where workers may write [default: their folder for temporary files]")


def join(options: argparse.Namespace) -> Settings:
    """Joins the cluster."""
    options.binary = options.binary.resolve()
    local = {} if options.address else {"num_cpus": options.cpus, "include_dashboard": False}
    connect(options.address, **{name: value for name, value in local.items() if value is not None})
    return Settings(
        timeout=options.timeout,
        attempts=options.attempts,
        worker_binary=options.worker_binary,
        scratch=options.scratch,
    )


def do(binary: Path, job: Job, url: str, settings: Settings) -> Outcome:
    """Does what is left of a job, and says how it goes."""
    follower = Follower(binary, job)
    line = LiveLine(job.shards)
    try:
        crew = RayCrew(binary, job)
        watcher = All(line, Gauges(job.name))
        return Driver(job, follower, Results(url), crew, settings, watcher).run()
    finally:
        line.close()
        follower.close()


def merge(binary: Path, job: Job, url: str, counted: list[str], out: Path) -> str:
    """Merges the shards, and makes the page of a match."""
    with tempfile.TemporaryDirectory(prefix="kagetsu-merge-") as folder:
        home = Results(url).bring_home(Path(folder), counted)
        said = ask(binary, "job", "merge", str(job.path), str(home), "--out", str(out))
    if job.kind == "match":
        said += ask(binary, "report", str(out))
    return said.strip()


def run_job(options: argparse.Namespace) -> int:
    binary = options.binary.resolve()
    job = Job.read(binary, options.job.resolve())
    if "://" not in options.results:
        options.results = str(Path(options.results).resolve())
    outcome = do(binary, job, options.results, join(options))
    print(in_words(outcome.figures))
    sprt = (outcome.figures.get("match") or {}).get("sprt")
    if sprt and outcome.is_over:
        print(f"SPRT: {sprt['words']} after {sprt['pairs']} pairs, LLR {sprt['llr']:.2f}")
    for node, said in outcome.refused.items():
        print(f"refused {node}: {said}", file=sys.stderr)
    for shard, why in sorted(outcome.given_up.items()):
        print(f"given up: shard {shard}: {why}", file=sys.stderr)
    if not outcome.is_over:
        print("the job is not done; the same command tries again what is missing", file=sys.stderr)
        return GIVEN_UP
    if options.out:
        print(merge(binary, job, options.results, outcome.manifests, options.out))
    return 0


def run_loop(options: argparse.Namespace) -> int:
    plan = loop.Plan.read(options.plan, options.binary.resolve())
    settings = join(options)

    def run(binary: Path, path: Path, folder: Path) -> Path:
        job = Job.read(binary, path)
        outcome = do(binary, job, str(folder / "shards"), settings)
        if not outcome.is_over:
            raise ValueError(f"{path}: {len(outcome.given_up)} shards were given up: {outcome.given_up}")
        merge(binary, job, str(folder / "shards"), outcome.manifests, folder / "merged")
        return folder / "merged"

    loop.run(plan, run)
    return 0
