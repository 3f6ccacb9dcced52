"""The publication folder: the log as files, outside the database; what was published once binds.

Tiles come first, then the checkpoint over them: whoever reads the checkpoint finds what it names.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from puntobanco_floor.journal.key_files import locked
from puntobanco_floor.store.errors import LogFault, first_line
from puntobanco_floor.store.log_tables import LogView, TransparencyLog
from puntobanco_proof.tree.checkpoints import Checkpoint, read_checkpoint_note
from puntobanco_proof.tree.faults import BadLogText
from puntobanco_proof.tree.tiles import (
    ENTRIES,
    HEIGHT,
    WIDTH,
    Tile,
    format_path,
    list_changed_tiles,
)

CHECKPOINT = "checkpoint"
READABLE = 0o644
"""For anybody, as far as the umask allows: there is no secret in it."""


def folder_of(heads: Path, named: str = "") -> Path:
    """Beside the node's file of heads, unless it is named."""
    if named:
        return Path(named)
    return heads.with_name(heads.name.removesuffix(".heads") + ".tlog")


@dataclass(frozen=True)
class Publication:
    """Files as C2SP's tlog-tiles names them, below one folder."""

    folder: Path

    def note(self) -> str | None:
        """The checkpoint that was published last."""
        try:
            return (self.folder / CHECKPOINT).read_text("utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise LogFault(
                f"cannot read the publication folder {self.folder}: {first_line(error)}; see who "
                "may read it"
            ) from None

    def checkpoint(self) -> Checkpoint | None:
        note = self.note()
        if note is None:
            return None
        try:
            return read_checkpoint_note(note)
        except BadLogText as bad:
            raise LogFault(
                f"{self.folder / CHECKPOINT} is no checkpoint: {bad.reason}; bring the folder back "
                "from a copy"
            ) from None

    def tile(self, tile: Tile) -> bytes:
        """As wide as it is wanted; a full one begins with it."""
        full = Tile(tile.level, tile.index, WIDTH)
        for each in (tile, full):
            with suppress(FileNotFoundError):
                return (self.folder / format_path(each)).read_bytes()
        raise LogFault(f"{self.folder / format_path(tile)} is not there; bring it back from a copy")

    def publish(self, log: TransparencyLog, note: str) -> None:
        """What the log has since the last checkpoint, then this one; never one that is older."""
        wanted = read_checkpoint_note(note)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with locked(self.folder / CHECKPOINT):
                before = self.checkpoint()
                size = before.size if before else 0
                if size > wanted.size:
                    return
                with log.view() as view:
                    self._write_tiles(view, size, wanted.size)
                self._put(CHECKPOINT, note.encode())
        except OSError as error:
            raise LogFault(
                f"cannot write the publication folder {self.folder}: {first_line(error)}; check "
                "the disk"
            ) from None

    def _write_tiles(self, view: LogView, old: int, new: int) -> None:
        for start in (ENTRIES, 0):
            levels = groupby(list_changed_tiles(old, new, level=start), key=lambda tile: tile.level)
            for _, tiles in levels:
                for tile, data in view.tiles(list(tiles)):
                    self._write_tile(tile, data, old)

    def _write_tile(self, tile: Tile, data: bytes, old: int) -> None:
        each = 2 + 32 if tile.level == ENTRIES else 32
        self._put(format_path(tile), data[: each * tile.width], sync=False)
        in_level = old >> HEIGHT * max(0, tile.level)
        is_filled = tile.width == WIDTH and tile.index * WIDTH < in_level
        if is_filled:  # its beginnings are in it
            shutil.rmtree(self.folder / f"{format_path(tile)}.p", ignore_errors=True)

    def _put(self, name: str, data: bytes, *, sync: bool = True) -> None:
        """Atomic: a reader finds all of it, or what was there before."""
        # by system calls: a busy floor writes a hundred of these a second beside its wagers
        target = f"{self.folder}/{name}"
        part = f"{target}.{secrets.token_hex(4)}"
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            file = os.open(part, how, READABLE)
        except FileNotFoundError:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            file = os.open(part, how, READABLE)
        try:
            written = os.write(file, data)
            if sync:
                os.fsync(file)
        finally:
            os.close(file)
        if written != len(data):
            Path(part).unlink()
            raise OSError("only a part was written")
        os.replace(part, target)  # noqa: PTH105 - as above


def read_published(folder: Publication | None) -> Checkpoint | LogFault | None:
    """Read the checkpoint of the publication folder; return the fault of a folder that cannot be
    read. Call it before the database's view is taken: a floor that plays on publishes more after
    that, which the view lacks.
    """
    try:
        return folder.checkpoint() if folder else None
    except LogFault as fault:
        return fault


def verify_published(view: LogView, published: Checkpoint | None, where: Path) -> None:
    """Raises unless the database's log is what was published, or goes on from it."""
    if published is None:
        return
    origin, _ = view.standing()
    if origin and published.origin != origin:
        raise LogFault(
            f"{where} holds the log {published.origin}, and the database's is {origin}: name the "
            "folder of this floor with --publication"
        )
    verify_goes_on(view, published, f"the publication folder {where}")


def verify_goes_on(view: LogView, seen: Checkpoint, who: str) -> None:
    """Raises unless the database's log begins with what somebody has seen of it."""
    _, size = view.standing()
    if size < seen.size:
        raise LogFault(
            f"the database's log has {size} leaves, and {who} has {seen.size}: entries are lost; "
            "after a recovery run `puntobanco epoch begin`"
        )
    if view.root(seen.size) != seen.root:
        raise LogFault(
            f"the database's log is not the one that {who} has: its first {seen.size} leaves are "
            "others; keep both as evidence, and bring back a backup that agrees"
        )
