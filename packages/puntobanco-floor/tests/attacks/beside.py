"""Rows beside the journal, changed by whoever holds the database; and what a node is asked then."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import TypeAlias

import msgspec
from immutables import Map
from msgspec.structs import asdict, replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain.house.state import HouseState, Person
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.patron_lookup import Patrons, new_id
from puntobanco_floor.service.refusals import PatronCardRefused
from puntobanco_floor.service.staff_logins import Logins, token_hashes
from puntobanco_floor.store.batch import Answer, Request, read_answer, write_answer
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.login_sessions import LoginTable
from puntobanco_floor.store.patron_ids import PatronTable
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import hash_bytes
from tests.attacks.floor import BUY_IN, EXCLUDED, OTHER, RECENT, TABLE, TOKEN, Row, Tables, of
from tests.attacks.forge import STOLEN, made_up

Attack: TypeAlias = Callable[[Tables, random.Random], None]
Probe: TypeAlias = Callable[[Store, str], str]
"""What a node on this address says when it is asked something that the attack is about."""

SEAT = Request(stream=TABLE, id="probe", command=c.SeatSession(by="probe", session="probe"))
REFUSED = Request(stream=TABLE, id="refused", command=c.LeaveSeat(by="probe", session="nobody"))
MADE_UP = "staff_eve"
REFUSED_AGAIN = replace(REFUSED, id="refused-again")


def asked(store: Store, *requests: Request) -> str:
    """The first refusal, by its code; or the last that was done, and for which money."""
    said = ""
    for request in requests:
        try:
            answer = store.ask(request)
        except NotStored:
            return "not stored"
        if not answer.ok:
            return answer.code
        said = _done(store, request.stream, answer)
    return said


def _done(store: Store, stream: str, answer: Answer) -> str:
    entry = next(store.decoded(stream, after=answer.seq - 1))
    cents = [event.cents for event in entry.events if isinstance(event, _MONEY)]
    return f"entry {answer.seq} after {entry.prev[:8]}, money {cents}"


_MONEY = e.VoucherIssued | e.VoucherRedeemed | e.CreditsBought


def _request(id_: str, command: c.Command) -> Request:
    return Request(stream=TABLE, id=id_, command=command)


def seat(store: Store, _: str) -> str:
    return asked(store, SEAT)


def seat_elsewhere(store: Store, _: str) -> str:
    return asked(store, replace(SEAT, stream=OTHER))


def cash_out(store: Store, _: str) -> str:
    """All credits of a patron, as a voucher."""
    command = c.IssueVoucher(by="f1", session="f1", voucher="probe")
    return asked(store, _request("probe", command))


def _redeem(store: Store, voucher: str) -> str:
    command = c.RedeemVoucher(by="ann", session="ann", voucher=voucher)
    return asked(store, _request("probe", command))


def redeem_made_up(store: Store, _: str) -> str:
    return _redeem(store, "made-up")


def redeem_open(store: Store, _: str) -> str:
    return _redeem(store, "open")


def redeem_again(store: Store, _: str) -> str:
    return _redeem(store, "redeemed")


def redeem_old_again(store: Store, _: str) -> str:
    return _redeem(store, "sealed")


def again(store: Store, _: str) -> str:
    """A buy-in that was done, sent again."""
    return asked(store, _request("a7", c.BuyIn(by="carl", session="f1", cents=10_000)))


def again_recent(store: Store, _: str) -> str:
    """A buy-in of the period in play, sent again."""
    return asked(store, _request(RECENT, c.BuyIn(by="carl", session="l1", cents=BUY_IN)))


def come_in(store: Store, url: str) -> str:
    """What becomes of an excluded patron's card."""
    house = store.house().state
    patrons = Patrons(PatronTable(url), store.ring, lambda: 1, lambda: house)
    try:
        patron = asyncio.run(patrons.of_card("bob"))
    except PatronCardRefused:
        return "card refused"
    return "may play" if house.may_play(patron, 1) else "excluded"


def sit_again(store: Store, _: str) -> str:
    return asked(store, _request("a4", c.SeatSession(by="f1", session="f1")))


def deal(store: Store, _: str) -> str:
    """A card of a round."""
    steps = (c.OpenBets(by="d"), c.CloseBets(by="d"), c.DealCard(by="d"))
    return asked(store, *(_request(f"probe{n}", step) for n, step in enumerate(steps)))


def log_in(store: Store, url: str) -> str:
    """Who somebody is by the token of a dealer."""
    return _role(store, url, TOKEN)


def log_in_made_up(store: Store, url: str) -> str:
    return _role(store, url, MADE_UP)


def _role(store: Store, url: str, token: str) -> str:
    staff = Map({"adam": Person("administrator", "v1"), "dora": Person("dealer", "v2")})
    house = HouseState(stream="floor", staff=staff)
    passwords = Passwords(store.ring, World().hasher)
    rows = LoginTable(url)
    logins = Logins(lambda: house, store.ring, passwords, _noted, time.time, rows)
    asyncio.run(logins.recall(token))
    rows._engine.dispose()
    found = logins.looking(token)
    return "no login" if found is None else found.role


async def _noted(_: object) -> Answer:
    raise AssertionError("nobody types a password here")


# Attacks


def _row(tables: Tables, name: str, chance: random.Random, **wanted: object) -> Row:
    found = [row for row in of(tables, name) if wanted.items() <= row.items()]
    return chance.choice(found)


def _voucher(tables: Tables, number: str) -> Row:
    return next(row for row in tables["vouchers"] if row["voucher"] == number)


def balances(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "balances", chance, account="session:f1")
    row["cents"] = STOLEN + chance.randrange(100)


def transfers(tables: Tables, chance: random.Random) -> None:
    _row(tables, "transfers", chance)["cents"] = STOLEN


def voucher_made_up(tables: Tables, chance: random.Random) -> None:
    issued = chance.choice([_voucher(tables, "open")["issued_seq"], 5, 999])
    row = {**_voucher(tables, "open"), "voucher": "made-up", "issued_seq": issued}
    tables["vouchers"].append(row)


def voucher_raised(tables: Tables, chance: random.Random) -> None:
    _voucher(tables, "open")["cents"] = STOLEN + chance.randrange(100)


def voucher_set_back(tables: Tables, _: random.Random) -> None:
    _voucher(tables, "redeemed").update(redeemed_stream=None, redeemed_seq=None)


def old_voucher_set_back(tables: Tables, _: random.Random) -> None:
    _voucher(tables, "sealed").update(redeemed_stream=None, redeemed_seq=None)


def answer_made_up(tables: Tables, chance: random.Random) -> None:
    seq = chance.randrange(2, 60)
    answer = Answer(id=SEAT.id, ok=True, seq=seq, at=1)
    tables["answers"].append(made_up(SEAT.command.by, SEAT.id, answer, SEAT.body))


def answer_turned(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "answers", chance, asked_by="f1", command_id="a4")
    answer = read_answer(bytes(row["answer"]))  # type: ignore[call-overload]
    refused = replace(answer, ok=False, code="seats-taken", reason=Words("no seat"))
    row["answer"] = write_answer(refused)


def answer_gone(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "answers", chance, asked_by="carl", command_id="a7")
    tables["answers"].remove(row)


def recent_answer_turned(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "answers", chance, asked_by="carl", command_id=RECENT)
    answer = read_answer(bytes(row["answer"]))  # type: ignore[call-overload]
    refused = replace(answer, ok=False, code="not-seated", reason=Words("no seat"))
    row["answer"] = write_answer(refused)


def recent_answer_gone(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "answers", chance, asked_by="carl", command_id=RECENT)
    tables["answers"].remove(row)


def snapshots(tables: Tables, _: random.Random) -> None:
    row = max(of(tables, "snapshots"), key=lambda row: row["seq"])  # type: ignore[arg-type, return-value]
    kept = msgspec.json.decode(bytes(row["data"]))  # type: ignore[call-overload]
    kept["balances"]["session:f1"] += STOLEN
    data = msgspec.json.encode(kept, order="sorted")
    row.update(data=data, hash=hash_bytes(data))


def sealed(tables: Tables, chance: random.Random) -> None:
    row = _row(tables, "sealed", chance)
    row["data"] = chance.randbytes(len(row["data"]))  # type: ignore[arg-type]


def _inner_head(tables: Tables, chance: random.Random) -> Row:
    """Of some commit of the node that runs, and not the last."""
    rows = {row["seq"]: row for row in of(tables, "heads")}
    return rows[chance.choice(sorted(rows)[-20:-1])]  # type: ignore[type-var]


def head_gone(tables: Tables, chance: random.Random) -> None:
    tables["heads"].remove(_inner_head(tables, chance))


def last_head_gone(tables: Tables, chance: random.Random) -> None:
    last = max(row["seq"] for row in of(tables, "heads"))  # type: ignore[type-var]
    tables["heads"].remove(_row(tables, "heads", chance, seq=last))


def head_changed(tables: Tables, chance: random.Random) -> None:
    row = _inner_head(tables, chance)
    row["signature"] = chance.randbytes(64).hex()


def head_signed_anew(tables: Tables, chance: random.Random, key: NodeKey) -> None:
    row = _inner_head(tables, chance)
    made = key.sign(TABLE, 1, int(str(row["seq"])), chance.randbytes(32).hex())
    row.update(asdict(made))


def streams(tables: Tables, chance: random.Random) -> None:
    [row] = of(tables, "streams")
    row["seq"] = row["seq"] + chance.choice([-1, 1])  # type: ignore[operator]


def login(tables: Tables, chance: random.Random) -> None:
    """A dealer's own row, that it may be an administrator's; with the proof that it had or another
    one.
    """
    [row] = tables["logins"]
    row["person"] = "adam"
    if chance.random() < 0.5:
        row["password"] = KeyRing.fresh().mac("logins", f"login\n{TOKEN}\nadam\nv1")


def login_made_up(tables: Tables, chance: random.Random) -> None:
    """He has no ring: his own, or the plain hash of his token."""
    ring = KeyRing.fresh()
    token = token_hashes(ring, MADE_UP)[0]
    if chance.random() < 0.5:
        token = hash_bytes(MADE_UP.encode())
    proof = ring.mac("logins", f"login\n{MADE_UP}\nadam\nv1")
    [row] = tables["logins"]
    tables["logins"].append({**row, "token": token, "person": "adam", "password": proof})


def _cards(tables: Tables) -> tuple[Row, Row]:
    """The excluded patron's, and another one's."""
    [his] = [row for row in tables["patrons"] if row["patron"] == EXCLUDED]
    [other] = [row for row in tables["patrons"] if row is not his]
    return his, other


def card_swapped(tables: Tables, chance: random.Random) -> None:
    """The patrons change over; their MACs too, or not."""
    his, other = _cards(tables)
    his["patron"], other["patron"] = other["patron"], his["patron"]
    if chance.random() < 0.5:
        his["mac"], other["mac"] = other["mac"], his["mac"]


def card_edited(tables: Tables, chance: random.Random) -> None:
    his, _ = _cards(tables)
    his["patron"] = new_id()
    his["mac"] = chance.choice([his["mac"], "", chance.randbytes(32).hex()])


def card_gone(tables: Tables, _: random.Random) -> None:
    his, _other = _cards(tables)
    tables["patrons"].remove(his)


def card_made_up(tables: Tables, chance: random.Random) -> None:
    """So that a row for him is there."""
    his, other = _cards(tables)
    his["card"] = chance.randbytes(32).hex()
    his["mac"] = chance.choice([his["mac"], other["mac"]])
