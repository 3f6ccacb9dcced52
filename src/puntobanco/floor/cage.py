"""Cage windows as a service: vouchers sold and paid for cash, and what should lie in a drawer."""

from __future__ import annotations

import asyncio

from puntobanco.cage.commands import AnyCageCommand, SellVoucher
from puntobanco.cage.state import CageState
from puntobanco.events import CashedOut, CreditsBought, Record
from puntobanco.floor import vouchers
from puntobanco.floor.admin import Refused
from puntobanco.journal import read_entry
from puntobanco.storage.batch import Answer, Request
from puntobanco.storage.machines import CAGE
from puntobanco.storage.reader import reading
from puntobanco.storage.store import Store


class PaymentView(Record):
    payment: int
    by: str


class WindowView(Record):
    window: int
    cashier: str
    since: int | None
    float_cents: int
    in_cents: int
    out_cents: int
    counted: bool  # a first count waits for a second
    payments: list[PaymentView]


def window_view(window: int, found: CageState) -> WindowView:
    shift = found.shift
    payments = [PaymentView(payment=number, by=p.by) for number, p in sorted(found.payments.items())]
    return WindowView(
        window=window, cashier=shift.cashier if shift else "", since=shift.since if shift else None,
        float_cents=shift.float_cents if shift else 0, in_cents=shift.in_cents if shift else 0,
        out_cents=shift.out_cents if shift else 0, counted=found.count is not None, payments=payments,
    )  # fmt: skip


class Windows:
    def __init__(self, store: Store, key: bytes, database: str, *, valid_ms: int) -> None:
        """`key` makes the numbers of vouchers, which are good for `valid_ms`."""
        self._store, self._key, self._database, self._valid_ms = store, key, database, valid_ms

    async def window(self, window: int) -> CageState:
        """A window as the journal has it."""
        return (await asyncio.to_thread(self._store.stream, f"{CAGE}{window}")).cage

    async def view(self, window: int) -> WindowView:
        return window_view(window, await self.window(window))

    async def ask(self, window: int, id_: str, command: AnyCageCommand) -> Answer:
        return await self._store.asked(Request(stream=f"{CAGE}{window}", id=id_, command=command))

    async def sell(self, window: int, by: str, id_: str, cents: int) -> vouchers.Paper:
        """Cash for a voucher; asked again with the same id, the same one."""
        number = vouchers.number_for(self._key, f"{CAGE}{window}", by, id_)
        command = SellVoucher(by=by, voucher=vouchers.voucher_id(number), cents=cents, valid_ms=self._valid_ms)
        answer = await self.ask(window, id_, command)
        if not answer.ok:
            raise Refused(answer)
        return vouchers.Paper(number, cents, answer.at + self._valid_ms)

    def cash_at_tables(self, cashier: str, since: int) -> int:
        """Cash that a cashier took at tables since then, less what was paid out there; from the journal."""
        found = 0
        with reading(self._database) as reader:
            for name in reader.streams():
                if not name.startswith("table:"):
                    continue
                for seq, data in reader.entries(name, after=reader.first_at(name, since) - 1):
                    entry = read_entry(data, stream=name, seq=seq)
                    for event in entry.events:
                        if isinstance(event, CreditsBought) and entry.by == cashier:
                            found += event.cents
                        elif isinstance(event, CashedOut) and cashier == (event.proposed_by or entry.by):
                            found -= event.cents
        return found
