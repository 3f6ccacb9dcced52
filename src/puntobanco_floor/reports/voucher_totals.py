"""Vouchers of an interval, from their own table: a second side to what the journal says of them."""

from __future__ import annotations

from puntobanco_floor.reports.collection import Gathered
from puntobanco_floor.reports.rows import VoucherLine
from puntobanco_floor.store.reader import Reader


def voucher_lines(reader: Reader, found: Gathered, start: int, end: int) -> list[VoucherLine]:
    """As the table stood at the end of the interval: what came later is not counted."""
    sums = dict[str, list[int]]()  # in the order of the fields of a line
    for cents, expires_at, stream, seq, redeemed_stream, redeemed_seq in reader.voucher_rows():
        issued = found.ledgers[stream]
        if seq > issued.last:
            continue
        at = sums.setdefault(stream, [0] * 9)
        if seq >= issued.first:
            at[0] += 1
            at[1] += cents
        if redeemed_stream is not None and redeemed_seq is not None:
            there = found.ledgers[redeemed_stream]
            if there.first <= redeemed_seq <= there.last:
                to = sums.setdefault(redeemed_stream, [0] * 9)
                to[2] += 1
                to[3] += cents
            if redeemed_seq <= there.last:
                continue
        if start < expires_at <= end:
            at[4] += 1
            at[5] += cents
        at[6] += 1
        at[7] += cents
        at[8] += cents if expires_at <= end else 0
    return [VoucherLine(stream, *counts) for stream, counts in sorted(sums.items()) if any(counts)]
