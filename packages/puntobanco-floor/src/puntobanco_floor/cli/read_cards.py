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
from urllib.parse import urlsplit

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
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        known = ", ".join(sorted(entry_points(group=GROUP).names))
        raise Refusal(f"no card reader {name!r} is installed; there are: {known}")
    if len(found) > 1:
        raise Refusal(
            f"{len(found)} distributions have a card reader {name!r}: uninstall all but one"
        )
    try:
        reader: CardReader = found[0].load()
    except Exception as error:
        raise Refusal(f"the card reader {name} cannot be loaded: {error}") from error
    return reader


class NotKnown(Refusal):
    """The answer was lost, so the card may be at the table or not."""

    remedy = "Look at the table before you enter the card by hand."


class Dealer:
    """A dealer's login over HTTP, which enters cards at one table."""

    def __init__(self, address: str, name: str, password: str, table: int) -> None:
        self._address = address.rstrip("/")
        self._commands = f"{self._address}/api/staff/tables/{table}/commands"
        self._credentials = {"name": name, "password": password}
        self._token = ""

    def log_in(self) -> None:
        answer = asked("POST", f"{self._address}/api/staff/login", body=self._credentials)
        self._token = str(answer["token"])

    def log_out(self) -> None:
        with suppress(FloorRefused, OSError, ValueError):
            asked("POST", f"{self._address}/api/staff/logout", self._token)

    def enter(self, card: str, *, tries_s: float = REPEAT_S) -> None:
        """Enter one card, or raise `FloorRefused` if the table did not take it.

        The same id is sent again while it is in doubt what became of it. `NotKnown` is raised if
        that stays so.
        """
        id_ = f"reader-{secrets.token_hex(12)}"
        until = time.monotonic() + tries_s
        in_doubt = False
        while True:
            try:
                if not self._token:
                    self.log_in()  # the last login was idle while no card came
                self._send(id_, card)
            except FloorRefused as refused:
                if refused.status == LOGGED_OUT:
                    self._token = ""
                elif refused.status == 0 or (refused.is_decision and not in_doubt):
                    raise
                in_doubt = in_doubt or refused.leaves_doubt
                reason = str(refused)
            except OSError as error:
                in_doubt, reason = True, str(error)
            else:
                return
            if time.monotonic() > until:
                raise NotKnown(
                    f"it is not known whether {card} was entered ({reason}): look at the table "
                    "before you enter it by hand"
                )
            time.sleep(AGAIN_S)

    def _send(self, id_: str, card: str) -> None:
        body = {"id": id_, "command": {"command": "enter-card", "card": card}}
        answer = asked("POST", self._commands, self._token, body)
        if not answer["ok"]:
            reason = Words(**answer["reason"])
            raise FloorRefused(reason, clause=answer["clause"], code=answer["code"])


@click.command("read-cards")
@click.argument("table", type=click.IntRange(min=1))
@click.option(
    "--reader",
    default="lines",
    show_default=True,
    help="The card reader's name; one that is unknown lists those installed.",
)
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
    if urlsplit(url).scheme not in ("http", "https"):
        raise Refusal(f"--url takes an address such as http://127.0.0.1:8000, not {url!r:.60}")
    cards = find_reader(reader)(source)
    if password_file:
        password = read_text(password_file).partition("\n")[0]
    elif source == "-":
        raise Refusal("standard input brings the cards, so give the password by --password-file")
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
