"""`read-cards`: enter the cards of a card reader at a dealer's table.

A reader is a function that takes a source, such as a device, and yields the codes of cards in the
order in which they leave the shoe. Other distributions declare theirs as entry points of the group
`puntobanco.card_readers`; `lines` is ours: a card a line, from a file, a device or standard input.
"""

from __future__ import annotations

import getpass
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import entry_points

import click

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.cli.options import read_text
from puntobanco.rules.cards import parse_card
from puntobanco_floor.client import REPEAT_S, FloorRefused, asked

GROUP = "puntobanco.card_readers"
AGAIN_S = 1.0
LOGGED_OUT = 401

CardReader = Callable[[str], Iterable[str]]


def find_reader(name: str) -> CardReader:
    for declared in entry_points(group=GROUP, name=name):
        try:
            reader: CardReader = declared.load()
        except Exception as error:
            raise Refusal(f"the card reader {name} cannot be loaded: {error}") from error
        return reader
    known = ", ".join(sorted(entry_points(group=GROUP).names))
    raise Refusal(f"no card reader {name!r} is installed; there are: {known}")


class Dealer:
    """A dealer's login over HTTP, which enters cards at one table."""

    def __init__(self, address: str, name: str, password: str, table: int) -> None:
        self._address = address.rstrip("/")
        self._credentials = {"name": name, "password": password}
        self._table = table
        self._token = ""

    def log_in(self) -> None:
        answer = asked("POST", f"{self._address}/api/staff/login", body=self._credentials)
        self._token = str(answer["token"])

    def log_out(self) -> None:
        with suppress(FloorRefused, OSError, ValueError):
            asked("POST", f"{self._address}/api/staff/logout", self._token)

    def enter(self, card: str) -> None:
        """Enter one card. While its outcome is in doubt, send it again with the same id."""
        body = {
            "id": f"reader-{secrets.token_hex(12)}",
            "command": {"command": "enter-card", "card": card},
        }
        until = time.monotonic() + REPEAT_S
        while True:
            try:
                return self._send(body)
            except (FloorRefused, OSError) as error:
                is_decided = isinstance(error, FloorRefused) and error.is_decision
                if is_decided or time.monotonic() > until:
                    raise
                if isinstance(error, FloorRefused) and error.status == LOGGED_OUT:
                    self.log_in()  # the login was idle while no card came
            time.sleep(AGAIN_S)

    def _send(self, body: object) -> None:
        address = f"{self._address}/api/staff/tables/{self._table}/commands"
        answer = asked("POST", address, self._token, body)
        if not answer["ok"]:
            reason = Words(**answer["reason"])
            raise FloorRefused(reason, clause=answer["clause"], code=answer["code"])


@click.command("read-cards")
@click.argument("table", type=click.IntRange(min=1))
@click.option("--reader", default="lines", show_default=True, help="The card reader's name.")
@click.option(
    "--source",
    default="-",
    show_default=True,
    help="What the reader opens, such as /dev/ttyUSB0; - is standard input.",
)
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The floor.")
@click.option("--name", required=True, help="The dealer who is logged in for it.")
@click.option("--password-file", metavar="FILE", help="Its first line is the dealer's password.")
def read_cards(
    table: int, reader: str, source: str, url: str, name: str, password_file: str | None
) -> None:
    """Enter cards at a dealer's table as a card reader reads them.

    It ends at the first card that is unreadable or refused, and names it: the dealer decides what
    to do, and starts it again.
    """
    cards = find_reader(reader)(source)
    if password_file:
        password = read_text(password_file).splitlines()[0]
    else:
        password = getpass.getpass(f"Password of {name}: ")
    dealer = Dealer(url, name, password, table)
    try:
        dealer.log_in()
        _enter_each(dealer, cards)
    except OSError as error:
        raise Refusal(f"cannot go on reading cards: {error}") from error
    finally:
        dealer.log_out()


def _enter_each(dealer: Dealer, cards: Iterable[str]) -> None:
    for line in cards:
        code = line.strip()
        if not code:
            continue
        try:
            parse_card(code)
        except Refusal as refusal:
            raise Refusal(f"the reader gave {code!r}: {refusal.reason}; enter it by hand") from None
        try:
            dealer.enter(code)
        except FloorRefused as refused:
            raise Refusal(f"{code} was not entered: {refused}") from None
        click.echo(f"{code} entered")
