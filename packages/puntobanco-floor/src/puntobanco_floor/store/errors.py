"""The errors of a store, as refusals that people read.

Refusal
├── BadDatabase          not a database of ours, or of a newer program
├── NotStored            the disk is full or the database fails: nothing was taken, try again
├── InDoubt              the reply to COMMIT is lost: nobody knows yet whether it was recorded
├── DatabaseUnavailable  the database does not answer a read: try again
├── CommandReused        a command id that came before with another command
├── LogFault             a log that is not the one that was seen, or cannot grow
└── NothingFails         a stream that holds to its last entry

AskedBefore and CommitInDoubt are no refusals: a store raises them for itself.
"""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class BadDatabase(Refusal):
    """Not a database that this program can use."""

    remedy = "Check the address; a database of a newer version needs the newer program."


class NotStored(Refusal):
    """Nothing was taken and nothing has changed."""

    in_short = Words("Not recorded; try again", "未能記錄；請再試")
    remedy = "Send it again with the same id: nothing was taken. Look at disk and database."


class InDoubt(Refusal):
    """COMMIT was sent and its outcome is not known yet. Never stored as an answer: the same id sent
    again finds the outcome.
    """

    in_short = Words(
        "It is not yet known whether this was recorded. This screen will ask again; do not "
        "repeat it.",
        "尚未確定此指令是否已記錄。本畫面會再次查詢，請勿重複操作。",
    )
    remedy = (
        "Send it again with the same id, for ten minutes at most; after that look its outcome up."
    )

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason or self.in_short)


class DatabaseUnavailable(Refusal):
    """The database did not answer a read; nothing was asked of it that changes anything. The text
    never names its address, since patrons read it.
    """

    in_short = Words("The database does not answer; try again", "資料庫未有回應；請再試")
    remedy = "Send it again with the same id. Look at the database."

    def __init__(self) -> None:
        super().__init__(self.in_short)


class CommitInDoubt(Exception):
    """The reply to COMMIT is lost. A store raises it for itself: the same batch, decided again
    under the lock of the stream's head row, finds the outcome by its ids.
    """


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


class LogFault(Refusal):
    """A log that is not what was seen of it, or cannot be grown."""

    remedy = "Follow the operations page: what to do when the log is behind its witnesses."


class NothingFails(Refusal):
    """A stream that holds to its last entry."""

    remedy = "Nothing: the stream holds."
