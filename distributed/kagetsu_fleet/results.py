"""Where finished shards lie: a folder in the form of `kagetsu job run --out`, or an object store that fsspec knows.

In a store nothing can be moved into place at one go, so two workers that do the same shard may write at the same time.
Their games are the same and the times of their moves are not. So a file has its hash before its name there, and every
manifest finds the very files that it was made for, whoever else has written.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import time
import uuid
from pathlib import Path, PurePosixPath

import fsspec

MANIFEST = "done.json"
# What `kagetsu job run` locks in the folder of a shard as long as it works there.
LOCK = "lock"
# Where it says for which job a shard was begun.
BEGUN = "begun.txt"
# Seconds that is kept what killed workers leave behind, and what was shipped to a machine and is not used.
KEPT = 7 * 24 * 3600.0


class Results:
    """The shards of a job."""

    def __init__(self, url: str):
        self.url = url
        # The path of a folder may hold `::`, by which fsspec chains its systems.
        is_path = "://" not in url and "::" in url
        self.system, self.root = (
            (fsspec.filesystem("file"), os.path.abspath(url)) if is_path else fsspec.core.url_to_fs(url)
        )
        self.is_local = isinstance(self.system, fsspec.get_filesystem_class("file"))

    def _place(self, shard: int, name: str = "") -> str:
        return f"{self.root}/{shard:06d}/{name}".rstrip("/")

    def manifests(self) -> list[str]:
        """What the manifests say that are there. One that was cut off, or is none, is as good as none."""
        self.system.makedirs(self.root, exist_ok=True)
        self.system.invalidate_cache()
        manifests = []
        # Listed, since a pattern would take some characters of the root for its own.
        for path in sorted(filter(_is_manifest, self.system.find(self.root, maxdepth=2))):
            text = self.system.cat_file(path).decode(errors="replace")
            if _is_whole(text):
                manifests.append(text)
            else:
                self.system.rm_file(path)
        return manifests

    def flaw(self, manifest: str) -> str | None:
        """What is wrong with the files of a manifest: one is not there, or does not hold what it held. In a store only
        their lengths are asked for, because reading them means to transfer them."""
        found = json.loads(manifest)
        for file in found["files"]:
            path = self._place(found["shard"], file["name"] if self.is_local else _stored(file))
            try:
                is_whole = sha256(path) == file["sha256"] if self.is_local else self.system.size(path) == file["bytes"]
            except FileNotFoundError:
                return f"{file['name']} is missing"
            if not is_whole:
                return f"{file['name']} has changed"
        return None

    def drop(self, shard: int) -> None:
        """Takes the manifest of a shard away: it is not done."""
        self.system.rm_file(self._place(shard, MANIFEST))

    def holds(self, shard: int) -> bool:
        """Whether a shard is there. A folder that the machines do not share holds only what was done on this one; a store
        is the same for all."""
        return not self.is_local or self._manifest_of(shard) is not None

    def remove_unused(self) -> None:
        """Removes what killed workers left in a folder while they brought a shard there."""
        if not self.is_local or not Path(self.root).is_dir():
            return
        for entry in os.scandir(self.root):
            if re.fullmatch(r"\.\d+-[0-9a-f]{32}", entry.name) and time.time() - entry.stat().st_mtime > KEPT:
                shutil.rmtree(entry.path, ignore_errors=True)

    def publish(self, shard: int, folder: Path) -> str:
        """Brings a finished shard to the results, and returns its manifest. A shard that somebody else has finished in
        the meantime stays as it is: the games are the same, but the times of their moves are not."""
        there = self._manifest_of(shard)
        if there is not None:
            return there
        manifest = (folder / MANIFEST).read_text()
        if self.is_local:
            # `kagetsu job run` goes on with a shard of which it knows the job, should its manifest be destroyed.
            begun = [BEGUN] if (folder / BEGUN).exists() else []
            names = [file["name"] for file in json.loads(manifest)["files"]] + begun + [MANIFEST]
            return self._move(shard, folder, names) or manifest
        # The manifest last: a shard that has one is whole.
        for file in json.loads(manifest)["files"]:
            self.system.put_file(str(folder / file["name"]), self._place(shard, _stored(file)))
        self.system.put_file(str(folder / MANIFEST), self._place(shard, MANIFEST))
        return manifest

    def _move(self, shard: int, folder: Path, names: list[str]) -> str | None:
        """Copies the files beside their place and moves them there at one go. The manifest of whoever was faster."""
        place = Path(self._place(shard))
        part = place.parent / f".{place.name}-{uuid.uuid4().hex}"
        try:
            part.mkdir(parents=True)
            for name in names:
                shutil.copyfile(folder / name, part / name)
                _to_disk(part / name)
            for _ in range(2):
                try:
                    part.rename(place)
                    return None
                except OSError:
                    there = self._manifest_of(shard)
                    if there is not None:
                        return there
                    # What has no manifest is half a shard, unless somebody is at work on it.
                    if _is_held(place / LOCK):
                        raise BlockingIOError(f"another process is doing this shard in {place}") from None
                    shutil.rmtree(place, ignore_errors=True)
            part.rename(place)
            return None
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _manifest_of(self, shard: int) -> str | None:
        try:
            text = self.system.cat_file(self._place(shard, MANIFEST)).decode(errors="replace")
        except FileNotFoundError:
            return None
        return text if _is_whole(text) else None

    def bring_home(self, folder: Path, counted: list[str]) -> Path:
        """A folder on this machine with the shards of these manifests, in the form of `kagetsu job run --out`. Two workers
        may have done the same shard; what was counted is what is merged."""
        if self.is_local:
            return Path(self.root)
        there, here = [], []
        for text in counted:
            manifest = json.loads(text)
            place = folder / f"{manifest['shard']:06d}"
            place.mkdir(parents=True, exist_ok=True)
            (place / MANIFEST).write_text(text)
            there += [self._place(manifest["shard"], _stored(file)) for file in manifest["files"]]
            here += [str(place / file["name"]) for file in manifest["files"]]
        if there:
            self.system.get(there, here)
        return folder


def _is_whole(manifest: str) -> bool:
    """Whether a manifest has what is asked of it here: its shard, and the name, length and hash of each file."""
    try:
        found = json.loads(manifest)
        files = [(file["name"], file["sha256"], file["bytes"]) for file in found["files"]]
        return isinstance(found["shard"], int) and all(map(_is_file, files))
    except (ValueError, TypeError, KeyError):
        return False


def _is_file(file: tuple) -> bool:
    return tuple(map(type, file)) == (str, str, int)


def _is_held(lock: Path) -> bool:
    """Whether a process has locked this file."""
    try:
        # NFS locks a file exclusively only for those who have opened it for writing.
        with lock.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # There is none, or the file system knows no locks.
        return False
    return False


def sha256(path: str | Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    """A file whose manifest survives a power failure has to survive it as well."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _is_manifest(path: str) -> bool:
    """Whether it lies in the folder of a shard; what workers are about to move there begins with a dot."""
    place = PurePosixPath(path)
    return place.name == MANIFEST and place.parent.name[:1].isdigit()


def _stored(file: dict) -> str:
    """What a file of a manifest is called in a store."""
    return f"{file['sha256']}-{file['name']}"
