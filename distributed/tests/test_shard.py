"""What a worker keeps on its machine."""

import hashlib
import os
import stat

import pytest

from kagetsu_fleet import shard as shards
from kagetsu_fleet.shard import KEPT, SHARD, Order, Report

# A job and a program that does nothing with it.
SHIPPED = [b"{}", b"#!/bin/sh\nexit 1\n"]


def do(scratch, content: bytes = b"{}", timeout: float = 60) -> Report:
    order = Order(shard=0, number=1, results=str(scratch / "results"), timeout=timeout, scratch=str(scratch))
    return shards.run(order, ["job.json", "kagetsu"], [content, SHIPPED[1]])


def cache_of(scratch):
    return scratch / f"kagetsu-fleet-{os.getuid()}"


def grow_old(path, seconds: float) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_what_was_shipped_is_for_this_user_alone(tmp_path):
    # As it was made before it was known to matter.
    cache_of(tmp_path).mkdir(mode=0o755)
    assert "status 1" in do(tmp_path).said
    assert stat.S_IMODE(cache_of(tmp_path).stat().st_mode) == 0o700
    assert len(list(cache_of(tmp_path).iterdir())) == 2


def test_a_cache_of_somebody_else_is_refused(tmp_path):
    cache_of(tmp_path).symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    said = do(tmp_path).said
    assert str(cache_of(tmp_path)) in said and "--scratch" in said, said
    assert not list((tmp_path / "elsewhere").iterdir())
    # Nobody but root can give a folder away.
    cache_of(tmp_path).unlink()
    cache_of(tmp_path).mkdir(mode=0o777)
    if os.getuid() != 0:
        pytest.skip("a folder of somebody else can be made by root alone")
    os.chown(cache_of(tmp_path), 65534, -1)
    said = do(tmp_path).said
    assert f"not a folder of user {os.getuid()}" in said, said
    assert not list(cache_of(tmp_path).iterdir())


def test_what_is_not_used_any_more_is_removed(tmp_path):
    do(tmp_path, b"[1]")
    program, other, unused = (hashlib.sha256(content).hexdigest() for content in (SHIPPED[1], b"[2]", b"[1]"))
    killed, running = tmp_path / f"{SHARD}killed", tmp_path / f"{SHARD}running"
    for folder in (killed, running, tmp_path / "mine"):
        (folder / "out").mkdir(parents=True)
    for folder in (killed, tmp_path / "mine", cache_of(tmp_path) / unused, cache_of(tmp_path) / program):
        grow_old(folder, KEPT + 60)
    grow_old(running, KEPT - 60)
    # A shard may be given more time than that.
    do(tmp_path, b"[2]", timeout=KEPT)
    assert killed.exists() and (cache_of(tmp_path) / unused).exists()
    # The program is used again, and so is still there.
    grow_old(cache_of(tmp_path) / other, KEPT - 60)
    do(tmp_path, b"[2]")
    assert {entry.name for entry in cache_of(tmp_path).iterdir()} == {program, other}
    assert {entry.name for entry in tmp_path.iterdir()} == {cache_of(tmp_path).name, running.name, "mine"}
