"""A second bookkeeper: the journal's JSON read by hand, shares no code with the package. Never make it import any."""

import json
import sqlite3
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Book = Counter[str]


def books(path: Path) -> dict[tuple[str, str, str], Book]:
    """By day, stream and terminal: what was taken in, paid out, wagered and won."""
    found = defaultdict[tuple[str, str, str], Book](Counter)
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT data FROM entries ORDER BY stream, seq").fetchall()
    for (data,) in rows:
        header, _salt, _origin, *parts = json.loads(data)
        day = datetime.fromtimestamp(header["at"] / 1000, UTC).strftime("%Y-%m-%d")
        for event in events_of(parts):
            _book(event, lambda session, d=day, s=header["stream"]: found[d, s, _terminal(session)])
    return found


def voids_after_a_card(path: Path, days: set[str]) -> dict[tuple[str, str], tuple[int, int]]:
    """By ground and pair of people, of these days: void rounds that had a card, and the cents returned."""
    found = dict[tuple[str, str], tuple[int, int]]()
    dealt = dict[tuple[str, int], int]()
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT data FROM entries ORDER BY stream, seq").fetchall()
    for (data,) in rows:
        header, _salt, _origin, *parts = json.loads(data)
        day = datetime.fromtimestamp(header["at"] / 1000, UTC).strftime("%Y-%m-%d")
        for event in events_of(parts):
            of_round = header["stream"], event.get("round", 0)
            if event["event"] == "CardDealt":
                dealt[of_round] = dealt.get(of_round, 0) + 1
            if event["event"] == "RoundVoided" and dealt.get(of_round) and day in days:
                names = sorted(filter(None, (event["proposed_by"], event["approved_by"])))
                key = event["ground"], " and ".join(names) or "the server"
                rounds, cents = found.get(key, (0, 0))
                found[key] = rounds + 1, cents + sum(line[2] for line in event["lines"])
    return found


def events_of(parts: list[Any]) -> list[dict[str, Any]]:
    """An event is an object; the arrays behind it are its patrons' lines."""
    found = list[dict[str, Any]]()
    for part in parts:
        if isinstance(part, dict):
            found.append(part)
        else:
            field = "recoveries" if "recoveries" in found[-1] else "lines"
            found[-1][field].append(part)
    return found


def _terminal(session: str) -> str:
    return session.partition(":")[0] if ":" in session else "guests"


def _book(event: dict[str, Any], at: Any) -> None:
    simple = {
        "CreditsBought": "cash in",
        "CreditsLoaded": "loads",
        "VoucherRedeemed": "vouchers in",
        "VoucherIssued": "vouchers out",
        "CashedOut": "cash-outs",
    }
    kind = event["event"]
    if kind == "CashedOut" and event.get("approved_by"):
        at(event["session"])["hand pays"] += event["cents"]
    elif kind == "CreditsAdjusted":
        cash = event.get("window", 0)
        at("" if cash else event["session"])["adjusted cash" if cash else "adjusted"] += event[
            "cents"
        ]
        at("")["adjustments"] += 1
    elif kind in ("VoucherSold", "VoucherPaid"):
        at("")[kind.removeprefix("Voucher").lower()] += event["cents"]
    elif kind in simple:
        at(event["session"])[simple[kind]] += event["cents"]
    elif kind == "RoundSettled":
        _lines(event["lines"], 1, at)
        at("")["rounds"] += 1
    elif kind == "RoundReopened":
        _lines([line for line, _, _ in event["recoveries"]], -1, at)
        at("")["rounds"] -= 1
        at("")["reopened"] += 1
        for line, _, short in event["recoveries"]:
            at(line[0])["unrecovered"] += short
    elif kind == "RoundVoided":
        at("")["voids"] += 1
        for line in event["lines"]:
            at(line[0])["voided"] += line[2]
            at(line[0])["unrecovered"] -= line[9] if len(line) > 9 else 0


def _lines(lines: list[list[Any]], sign: int, at: Any) -> None:
    for line in lines:
        book = at(line[0])
        book["wagered"] += sign * line[2]
        book["won"] += sign * (line[4] + line[5] + line[6])
        if sign == 1:
            book["unrecovered"] -= line[9] if len(line) > 9 else 0
    for terminal in {_terminal(line[0]) for line in lines}:
        at(f"{terminal}:" if terminal != "guests" else "")["games"] += sign
