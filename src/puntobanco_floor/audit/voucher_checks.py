"""Vouchers in an audit: the journals against the table of vouchers."""

from __future__ import annotations

from collections.abc import Mapping

import puntobanco_floor.domain.events as e
from puntobanco_floor.audit.audit_since import Since
from puntobanco_floor.store.reader import Reader, VoucherRow
from puntobanco_proof.entry.format import Fault


class AuditedVouchers:
    """What the journals say of vouchers: issued once, redeemed at most once, for the same money."""

    def __init__(self) -> None:
        self.issued = dict[str, tuple[int, int, str, int]]()
        self.redeemed = dict[str, tuple[int, str, int]]()
        self.aside = list[tuple[str, range]]()  # entries that were set aside

    def see(self, event: e.Event, stream: str, seq: int) -> None:
        if isinstance(event, e.VoucherMade):
            if event.voucher in self.issued:
                raise Fault(f"voucher {event.voucher} is issued twice", stream=stream, seq=seq)
            self.issued[event.voucher] = (event.cents, event.expires_at, stream, seq)
        elif isinstance(event, e.EntriesSetAside):
            self.aside.append((stream, range(event.first, event.last + 1)))
        elif isinstance(event, e.VoucherTaken):
            if event.voucher in self.redeemed:
                raise Fault(f"voucher {event.voucher} is redeemed twice", stream=stream, seq=seq)
            self.redeemed[event.voucher] = (event.cents, stream, seq)

    def check(self, reader: Reader, warnings: list[str], since: Since | None = None) -> None:
        kept = reader.vouchers()
        if since is not None:
            self._know_before(kept, since)
        for voucher in self.redeemed.keys() - self.issued.keys():
            row = kept.get(voucher)
            if row is not None and self._is_aside(row.issued_stream, row.issued_seq):
                self.issued[voucher] = row[:4]
                warnings.append(
                    f"voucher {voucher} was paid, and the entry that issued it is set aside"
                )
        for voucher, (cents, stream, seq) in self.redeemed.items():
            if voucher not in self.issued:
                raise Fault(f"voucher {voucher} was never issued", stream=stream, seq=seq)
            if self.issued[voucher][0] != cents:
                raise Fault(
                    f"voucher {voucher} is redeemed for other money than it was issued for",
                    stream=stream,
                    seq=seq,
                )
        for voucher in kept.keys() | self.issued.keys():
            issued = self.issued.get(voucher, ())
            _, *redeemed = self.redeemed.get(voucher, (None, None, None))
            if kept.get(voucher) != (*issued, *redeemed):
                raise Fault(f"the table of vouchers and the journal differ about voucher {voucher}")

    def _know_before(self, kept: Mapping[str, VoucherRow], since: Since) -> None:
        """Take what happened before the audit's start from the table. An entry that issued a
        voucher which was redeemed since is proved.
        """
        for voucher, row in kept.items():
            if voucher not in self.issued and since.is_before(row.issued_stream, row.issued_seq):
                if voucher in self.redeemed:
                    since.issued(voucher, row)
                self.issued[voucher] = row[:4]
            where = row.redeemed_stream, row.redeemed_seq
            if voucher not in self.redeemed and since.is_before(*where):
                self.redeemed[voucher] = (row.cents, str(where[0]), int(where[1] or 0))

    def _is_aside(self, stream: str, seq: int) -> bool:
        return any(name == stream and seq in numbers for name, numbers in self.aside)
