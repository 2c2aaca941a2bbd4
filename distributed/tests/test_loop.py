"""The learning loop, with games so few that nothing is learned, broken off in the middle."""

from pathlib import Path

import pytest
from conftest import merged
from test_driver import drive

from kagetsu_fleet import loop
from kagetsu_fleet.job import ProgramError, ask

PLAN = """
generations = 2
selfplay = ["--games", "8", "--nodes", "40", "--size", "9", "--rule", "freestyle", "--seed", "1"]
rescore = ["--nodes", "80"]
train = ["--epochs", "1", "--layer-epochs", "1", "--threads", "1"]
match = ["--nodes", "30", "--size", "9", "--openings", "random", "--seed", "1", "--games", "4", "--draw-after", "20"]
build = "cp {best} {{binary}}"

[shard_size]
selfplay = 4
match = 1
"""


@pytest.fixture
def best(binary, tmp_path) -> Path:
    """A program that takes a network as a build for tuning does, and plays with its own all the same."""
    path = tmp_path / "best"
    path.write_text(f'#!/bin/sh\nif [ "$1" = play ]; then exec {binary} play; fi\nexec {binary} "$@"\n')
    path.chmod(0o755)
    return path


def test_every_step_is_done_once(best, binary, tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN.format(best=best))
    plan = loop.Plan.read(tmp_path / "plan.toml", best)
    jobs, said = [], []

    def run_job(program: Path, path: Path, folder: Path) -> Path:
        jobs.append(f"{folder.parent.name} {folder.name}")
        if len(jobs) in (2, 5):
            raise KeyboardInterrupt
        outcome, _, _ = drive(program, path, folder / "shards")
        assert outcome.is_over, outcome.given_up
        ask(program, "job", "merge", str(path), str(folder / "shards"), "--out", str(folder / "merged"))
        return folder / "merged"

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            loop.run(plan, run_job, said.append)
    last = loop.run(plan, run_job, said.append)
    # What was broken off was begun again, and what was done was not.
    first = ["000 selfplay", "000 rescore", "000 rescore", "000 match"]
    second = ["001 selfplay", "001 selfplay", "001 rescore", "001 match"]
    assert jobs == first + second
    folder = tmp_path / "plan" / "000"
    assert (folder / "train" / "network.bin").stat().st_size > 1000
    assert len(list((folder / "rescore" / "merged").glob("*.kgr"))) == 2
    # The network plays as the program does, so it has won or not by the order of the games alone: as its job says.
    score = merged(binary, folder / "match" / "job.json", folder / "match" / "shards", tmp_path / "again")
    assert score == (folder / "match" / "merged" / "games.jsonl").read_bytes()
    assert last.exists() and any("generation 1" in text for text in said)
    # All of it again is nothing.
    count = len(jobs)
    assert loop.run(plan, run_job, said.append) == last and len(jobs) == count


def test_a_training_that_was_killed_goes_on(binary, tmp_path):
    games = tmp_path / "games"
    options = ["--games", "120", "--nodes", "40", "--size", "9", "--rule", "freestyle", "--seed", "1"]
    ask(binary, "selfplay", "--out", str(games), *options)
    folder = tmp_path / "loop" / "000"
    checkpoint = folder / "train" / "network.bin.checkpoint"
    # The program, whose first training is killed when it has kept something.
    program = tmp_path / "program"
    program.write_text(f"""#!/bin/sh
if [ -e {tmp_path}/killed ]; then exec {binary} "$@"; fi
touch {tmp_path}/killed
{binary} "$@" &
until [ -e {checkpoint} ]; do sleep 0.01; done
kill -9 $!
exit 1
""")
    program.chmod(0o755)
    train = ["--epochs", "60", "--checkpoint-minutes", "0"]
    generation = loop.Generation(loop.Plan(folder.parent, program, 1, [], None, train, []), folder, program, None)

    def step() -> Path:
        return generation._step("train", {"train": train}, lambda folder: generation._train(folder, [games]))

    with pytest.raises(ProgramError):
        step()
    assert checkpoint.exists() and not (folder / "train" / "network.bin").exists()
    network = (step() / "network.bin").read_bytes()
    assert not checkpoint.exists()
    ask(binary, "train", "--data", str(games), *train, "--out", str(tmp_path / "whole.bin"))
    assert network == (tmp_path / "whole.bin").read_bytes()


def test_a_folder_may_have_blanks_and_a_command_braces(best, tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    program = best.rename(folder / "best")
    (folder / "plan.toml").write_text(PLAN.format(best="nothing"))
    plan = loop.Plan.read(folder / "plan.toml", program)
    generation = loop.Generation(plan, plan.folder / "000", program, None)
    # A shell's own braces stay, and what it is told of needs no quotes of its own.
    plan.build = f'BEST="{program}"; cp "${{BEST}}" {{binary}} && test -e {{network}}'
    network = folder / "new network.bin"
    network.write_bytes(b"none")
    built = generation.accept(network)
    assert built.read_bytes() == program.read_bytes()

    def run_job(binary: Path, path: Path, folder: Path) -> Path:
        outcome, _, _ = drive(binary, path, folder / "shards")
        assert outcome.is_over, outcome.given_up
        ask(binary, "job", "merge", str(path), str(folder / "shards"), "--out", str(folder / "merged"))
        return folder / "merged"

    generation = loop.Generation(plan, plan.folder / "001", program, run_job)
    (generation.folder / "train").mkdir(parents=True)
    (generation.folder / "train" / "network.bin").write_bytes(b"none")
    (generation.folder / "train" / "step.json").write_text("{}")
    verdict, _ = generation.judge([])
    assert verdict in ("passed", "failed")
    with pytest.raises(ValueError, match="both kinds of quotes"):
        loop.quoted(Path("a'b\"c"))


def test_a_changed_plan_is_refused(best, tmp_path):
    plan = loop.Plan(tmp_path / "loop", best, 1, ["--games", "2"], None, [], [])
    done = []
    generation = loop.Generation(plan, plan.folder / "000", best, None)
    generation._step("train", {"train": ["--epochs", "1"]}, lambda folder: done.append(folder))
    generation._step("train", {"train": ["--epochs", "1"]}, lambda folder: done.append(folder))
    assert len(done) == 1
    with pytest.raises(ValueError, match="another plan.*--epochs"):
        generation._step("train", {"train": ["--epochs", "2"]}, lambda folder: done.append(folder))
    # The program may have been built anew since, under the same name.
    best.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(ValueError, match="the old program"):
        generation._step("train", {"train": ["--epochs", "1"]}, lambda folder: done.append(folder))


def test_a_build_that_fails_is_told(tmp_path):
    plan = loop.Plan(tmp_path / "loop", tmp_path / "none", 1, [], None, [], [])
    generation = loop.Generation(plan, plan.folder / "000", plan.binary, None)
    for build, said in [("exit 3", "`exit 3` ended with status 3"), ("true", "`true` has not made")]:
        plan.build = build
        with pytest.raises(ValueError, match=said):
            generation._build(tmp_path, tmp_path / "network.bin")


def test_a_plan_says_what_it_means(tmp_path):
    path = tmp_path / "plan.toml"
    whole = {"generations": "2", "selfplay": "[]", "train": "[]", "match": "[]"}

    def read(**changed: str) -> loop.Plan:
        lines = [f"{key} = {value}" for key, value in {**whole, **changed}.items() if value]
        path.write_text("\n".join(lines))
        return loop.Plan.read(path, tmp_path)

    for changed, said in [
        ({"generatoins": "1"}, "generatoins"),
        ({"train": ""}, "`train` is missing"),
        ({"train": "["}, "plan.toml: .*line"),
        ({"generations": '"1"'}, '`generations` must be a number from 1, and is "1"'),
        ({"generations": "true"}, "`generations`"),
        ({"selfplay": '"--games 4"'}, '`selfplay` must be a list of options .*, and is "--games 4"'),
        ({"match": '["--games", 4]'}, "`match`"),
        ({"window": "0"}, "`window`"),
        ({"build": '["make"]'}, "`build` must be a text"),
        ({"shard_size": "{ selfpaly = 4 }"}, "`shard_size`"),
        ({"shard_size": '{ match = "4" }'}, "`shard_size`"),
        ({"selfplay": '["--seed", "1"]', "window": "2"}, "leave --seed out"),
        ({"selfplay": '["--seed=1"]', "window": "2"}, "leave --seed out"),
    ]:
        with pytest.raises(ValueError, match=said):
            read(**changed)
    assert read(selfplay='["--seed", "1"]', window="1", shard_size="{ match = 4 }").shard_size == {"match": 4}
    assert read(window="3", rescore="[]", folder='"there"').folder == tmp_path / "there"
