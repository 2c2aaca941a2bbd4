"""One shard on a worker. Knows neither Ray nor the other shards."""

import contextlib
import ctypes
import hashlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from kagetsu_fleet.results import KEPT, MANIFEST, Results

# Exit status of `kagetsu job run` in another build than the job was planned with.
OTHER_BUILD = 12
# Characters of what the program said that a report keeps.
LAST_WORDS = 2000
# What the folder of a shard is called at first.
SHARD = "kagetsu-shard-"


@dataclass
class Order:
    """What is to be done."""

    shard: int
    # Tells the orders of a driver apart: a shard may be given out several times.
    number: int
    results: str
    # Seconds after which the program is taken to hang.
    timeout: float
    # A program that the worker has itself, in place of the one that was shipped.
    binary: str | None = None
    # Where the worker may write; a temporary folder otherwise.
    scratch: str | None = None
    # Values to tune around.
    given: list[float] | None = None


@dataclass
class Report:
    """What came of it: done, failed, timeout or refused."""

    shard: int
    status: str
    manifest: str | None = None
    said: str = ""
    host: str = field(default_factory=socket.gethostname)


def run(order: Order, names: list[str], contents: list[bytes]) -> Report:
    """Does a shard with the files that were shipped: the job and the program first, then what else it names."""
    try:
        remove_unused(order.scratch, max(KEPT, 2 * order.timeout))
        with tempfile.TemporaryDirectory(prefix=SHARD, dir=order.scratch) as work:
            return _run(order, names, contents, Path(work))
    except Exception as error:  # noqa: BLE001
        # A disk that is full, a store that does not answer or knows no such bucket: the worker is there, and says why.
        return Report(order.shard, "failed", said=f"{type(error).__name__}: {error}")


def _run(order: Order, names: list[str], contents: list[bytes], work: Path) -> Report:
    paths = [_unpack(name, content, order.scratch) for name, content in zip(names, contents)]
    job, binary = paths[:2]
    # The program looks for the files of a job in one folder, each in a folder named after its hash: two versions of an
    # engine may have the same name.
    files = work / "files"
    for path in dict.fromkeys(paths[2:]):
        place = files / path.parent.name / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path)
    out = work / "out"
    words = [order.binary or str(binary), "job", "run", str(job), "--shard", str(order.shard), "--out", str(out)]
    if paths[2:]:
        words += ["--programs", str(files), "--data", str(files)]
    if order.given is not None:
        given = work / "given.json"
        given.write_text(json.dumps(order.given))
        words += ["--given", str(given)]
    status, said = _call(words, work / "said", order.timeout)
    if status is None:
        return Report(order.shard, "timeout", said=f"no end after {order.timeout:.0f} s\n{said}")
    if status == OTHER_BUILD:
        return Report(order.shard, "refused", said=said)
    folder = out / f"{order.shard:06d}"
    if status != 0 or not (folder / MANIFEST).exists():
        return Report(order.shard, "failed", said=f"status {status}\n{said}")
    manifest = Results(order.results).publish(order.shard, folder)
    return Report(order.shard, "done", manifest=manifest)


def _call(words: list[str], log: Path, timeout: float) -> tuple[int | None, str]:
    """Runs the program; its status, which is None if it took too long, and its last words."""
    with log.open("w+") as said:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # The child must ask for it before it becomes the program. It makes one system call and takes no lock.
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        )
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            # Also when the shard is cancelled. Engines are the program's own affair: its watchdog ends them with it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        return status, said.read()[-LAST_WORDS:].strip()


def _die_with_parent() -> None:
    """Nobody waits for the program once its worker was killed."""
    parent_death_signal = 1
    ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)


def _unpack(name: str, content: bytes, scratch: str | None) -> Path:
    """A file of this content on this machine, written once and shared by all shards that are done here."""
    digest = hashlib.sha256(content).hexdigest()
    place = _cache(scratch) / digest
    place.mkdir(exist_ok=True)
    # Before anything else: what was just used is not removed.
    os.utime(place)
    path = place / name
    if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
        return path
    part = tempfile.NamedTemporaryFile(dir=place, delete=False)  # noqa: SIM115
    try:
        with part:
            part.write(content)
        os.chmod(part.name, 0o755)
        # Another shard may have been faster; then it is the same file.
        os.replace(part.name, path)
    except OSError:
        os.unlink(part.name)
        raise
    return path


def _cache(scratch: str | None) -> Path:
    """The folder of what was shipped to this machine, for this user alone: what lies there is run."""
    root = _scratch(scratch) / f"kagetsu-fleet-{os.getuid()}"
    root.mkdir(mode=0o700, exist_ok=True)
    found = root.lstat()
    # Its name is known, so where everybody may write somebody else may have made it first.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(
            f"{root} is not a folder of user {os.getuid()}: remove it, or name another with --scratch"
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        root.chmod(0o700)
    return root


def _scratch(scratch: str | None) -> Path:
    return Path(scratch or tempfile.gettempdir())


def remove_unused(scratch: str | None, age: float) -> None:
    """Removes what was shipped to this machine and not used for so many seconds, and what killed workers left."""
    for folder, start in ((_cache(scratch), ""), (_scratch(scratch), SHARD)):
        for entry in os.scandir(folder):
            # Another worker may be removing it too.
            with contextlib.suppress(FileNotFoundError):
                found = entry.stat(follow_symlinks=False)
                is_old = time.time() - found.st_mtime > age
                # Shards of other users may lie beside ours.
                if entry.name.startswith(start) and found.st_uid == os.getuid() and is_old:
                    shutil.rmtree(entry.path, ignore_errors=True)
