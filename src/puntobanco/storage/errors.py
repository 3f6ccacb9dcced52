"""The errors of a store, as refusals that people read.

Refusal
├── BadDatabase     not a database of ours, or of a newer program
├── NotStored       the disk is full or the database fails: nothing was taken, try again
├── InDoubt         the commit was sent and its answer is lost: ask again with the same id
└── CommandReused   a command id that came before with another command

AskedBefore is no refusal: a store raises it for itself, and nobody reads it.
"""

from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Words


class BadDatabase(Refusal):
    """Not a database that this program can use."""

    remedy = "Check the address; a database of a newer version needs the newer program."


class NotStored(Refusal):
    """Nothing was taken and nothing has changed."""

    in_short = Words("Not recorded; try again", "未能記錄；請再試")
    remedy = "Send it again with the same id: nothing was taken. Look at disk and database."


class InDoubt(Refusal):
    """It is not known whether a command was recorded. Never stored as an answer."""

    in_short = Words(
        "It is not yet known whether this was recorded. This screen will ask again; do not repeat "
        "it.",
        "暫未知悉是否已記錄。本畫面會再次查詢；請勿重複操作。",
    )
    remedy = (
        "Send it again with the same id, for ten minutes at most; after that look its outcome up."
    )


class AskedBefore(Exception):
    """A command has an answer already, or fails and may have one: all is rolled back, and decided
    again with the answers given before. Nobody is told.
    """


class CommandReused(Refusal):
    """A command id that stands for another command."""

    in_short = Words("Sent before with another content", "此指令編號已使用")
    remedy = "Send a new command with a new id."


def first_line(error: BaseException) -> str:
    """What a database or the system says, in one line."""
    said = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    lines = str(said).splitlines()
    return lines[0] if lines else type(error).__name__
