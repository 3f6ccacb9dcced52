"""How the log stands, in the eyes of one node: for the pit, metrics, readiness and receipts."""

from __future__ import annotations

from puntobanco.base.record import Record


class LogStatus(Record):
    """`why` says in words why it is not witnessed; nothing where it is."""

    origin: str
    size: int
    behind: int  # entries that are not in the log yet
    behind_s: float
    published: int  # leaves in the publication folder
    witnessed: int  # leaves that enough witnesses have seen
    witnesses: dict[str, str]  # each with why it gave no answer; nothing where it did
    is_witnessed: bool
    why: str
    fault: str  # why this node must not be open; nothing where it may

    def as_alerts(self) -> list[str]:
        """What somebody should look at."""
        found = [self.fault] if self.fault else []
        if not self.fault:
            found += [f"witness {name} {why}" for name, why in self.witnesses.items() if why]
        return found


NO_WITNESS = "no witness is named: nobody but the house vouches for its log"
"""What a floor without a policy says, once at its start, in the pit and on receipts."""
