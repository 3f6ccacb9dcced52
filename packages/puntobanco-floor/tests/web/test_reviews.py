"""A review over HTTP: a patron asks about a past round, the pit sees it with the evidence, a supervisor answers."""

import asyncio
from itertools import count
from typing import Any

import pytest

from puntobanco.base.words import Words
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.refusals import ReviewRefused
from puntobanco_floor.service.patron_reviews import DAYS, _verify
from puntobanco_floor.views.table_view import ComplaintView, Recall
from tests.support.served import Served, api, asked, staff_tokens, with_new_table

CARDS = ("2h", "9s", "3d", "Tc")  # Banker wins, 9 over 5
IDS = count()


class Floor:
    """A dealer's table of its own, with who works there."""

    def __init__(self, served: Served, tokens: dict[str, str]) -> None:
        self.served, self.tokens = with_new_table(served), tokens
        self.table = served.table
        self.guest, self.session = self.come()

    def come(self) -> tuple[str, str]:
        """A guest who takes a seat: the token and the session."""
        status, found = api(self.served, "POST", "/api/guest")
        assert status == 201, found
        status, view = api(self.served, "POST", f"{self.at}/seat", found["token"])
        assert (status, view["seated"]) == (200, True), view
        return found["token"], found["session"]

    @property
    def at(self) -> str:
        return f"/api/tables/{self.table}"

    def does(self, who: str, command: str, **fields: Any) -> Any:
        status, answer = asked(self.served, self.tokens[who], f"r-{next(IDS)}", command, **fields)
        assert status == 200, answer
        return answer

    def round(self) -> int:
        """Played with a wager of the guest's on Player."""
        assert self.does("dora", "open-bets")["ok"]
        asyncio.run(self._wager())
        for command, fields in (
            ("close-bets", {}),
            *(("enter-card", {"card": card}) for card in CARDS),
            ("settle", {}),
        ):
            assert self.does("dora", command, **fields)["ok"]
        status, view = api(self.served, "GET", self.at)
        assert status == 200
        return int(view["round"])

    async def _wager(self) -> None:
        async with Terminal(self.served.address, table=self.table, token=self.guest) as terminal:
            assert (await terminal.place("player", 5_000)).ok

    def ask(self, token: str, round_: int, complaint: str, **more: Any) -> tuple[int, Any]:
        body = {"id": f"ask-{next(IDS)}", "complaint": complaint, **more}
        return api(self.served, "POST", f"{self.at}/rounds/{round_}/review", token, body)

    def open_ones(self) -> list[Any]:
        status, board = api(self.served, "GET", "/api/staff/pit", self.tokens["sam"])
        assert status == 200
        [table] = [each for each in board["tables"] if each["number"] == self.table]
        found: list[Any] = table["reviews"]
        return found

    def mine(self) -> list[Any]:
        status, me = api(self.served, "GET", "/api/me", self.guest)
        assert status == 200
        [view] = [each for each in me["tables"] if each["table"] == f"table:{self.table}"]
        found: list[Any] = view["reviews"]
        return found


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    return staff_tokens(served, "dora", "sam", "sue", "carl", "ada")


@pytest.fixture
def floor(served: Served, tokens: dict[str, str]) -> Floor:
    return Floor(served, tokens)


def test_a_review_goes_from_the_terminal_to_the_pit_and_back(floor: Floor) -> None:
    number = floor.round()
    _, recall = api(floor.served, "GET", f"{floor.at}/rounds/{number}", floor.guest)
    assert "wrong-payment" in [each["code"] for each in recall["complaints"]]
    status, view = floor.ask(floor.guest, number, "wrong-payment", note="我下了莊")
    assert status == 200, view
    [waits] = view["reviews"]
    assert (waits["review"], waits["round"], waits["decision"]) == (1, number, None)
    assert waits["complaint"]["zh"] == "派彩有誤"

    [review] = floor.open_ones()
    assert (review["round"], review["note"], review["barred"]) == (number, "我下了莊", ["dora"])
    where = f"/api/staff/tables/{floor.table}/reviews/1"
    status, case = api(floor.served, "GET", where, floor.tokens["sam"])
    assert status == 200, case
    facts = {fact["name"]: fact for fact in case["facts"]}
    assert facts["Result"]["text"]["en"] == "Banker wins, 9 over 5"
    assert facts["Result"]["cards"].split() == list(CARDS)
    assert facts["Wager"]["text"]["en"] == "staked $50, loses, paid"
    assert facts["Dealt by"]["text"]["en"] == "dora"
    assert facts["Computed anew"]["text"]["en"].startswith("all ")
    assert [line["by"] for line in case["records"]].count("dora") == len(
        ("open", "close", *CARDS, "settle")
    )
    assert "3.10" in [choice["code"] for choice in case["clauses"]]

    answer = {"review": 1, "decision": "upheld", "note": "the cards lie so"}
    assert floor.does("sam", "answer-review", clause="99", **answer)["code"] == "review-refused"
    assert floor.does("sam", "answer-review", clause="3.10", **answer)["ok"]
    [told] = floor.mine()
    assert (told["decision"]["en"], told["clause"]) == ("The round stands as it was played", "3.10")
    assert (told["decision"]["zh"], told["note"]) == ("該局維持原有結果", "the cards lie so")
    assert not {"by", "dealt_by"} & set(told), "no names of staff reach a terminal"
    assert floor.open_ones() == []
    assert api(floor.served, "GET", where, floor.tokens["sam"])[0] == 404
    assert audit(floor.served.database).sound


def test_only_supervisors_answer_and_patrons_never_for_others(floor: Floor) -> None:
    number = floor.round()
    assert floor.ask(floor.guest, number, "other")[0] == 200
    for who in ("dora", "carl", "ada"):
        body = {"command": "answer-review", "review": 1, "decision": "upheld", "clause": "house"}
        status, found = api(
            floor.served,
            "POST",
            f"/api/staff/tables/{floor.table}/commands",
            floor.tokens[who],
            {"id": f"no-{who}", "command": {**body, "note": "so"}},
        )
        assert (status, found["code"]) == (403, "not-allowed"), who
    desk = {"command": "ask-review", "session": floor.session, "round": 1, "complaint": "other"}
    status, found = api(
        floor.served,
        "POST",
        f"/api/staff/tables/{floor.table}/commands",
        floor.tokens["dora"],
        {"id": "no", "command": desk},
    )
    assert (status, found["code"]) == (403, "not-allowed")
    assert (
        api(
            floor.served, "GET", f"/api/staff/tables/{floor.table}/reviews/1", floor.tokens["dora"]
        )[0]
        == 403
    )
    assert (
        api(floor.served, "GET", f"/api/staff/tables/{floor.table}/reviews/1", floor.guest)[0]
        == 401
    )


def test_the_desk_asks_for_a_patron_who_has_left(floor: Floor) -> None:
    number = floor.round()
    status, left = api(floor.served, "POST", f"{floor.at}/cash-out", floor.guest, {"id": "gone"})
    assert status in (200, 201), left
    wants = {"session": floor.session, "round": number, "complaint": "wrong-payment"}
    forged = {"dealt_by": ["nobody"], "ruled_by": ["sue"], "rules": "none", "patron": "p-somebody"}
    assert floor.does("sam", "ask-review", **wants, **forged)["ok"]
    [review] = floor.open_ones()
    assert review["barred"] == ["dora", "sam"], "as the journal has it, and who asked"
    answer = {"review": 1, "decision": "upheld", "clause": "3.10", "note": "the cards lie so"}
    assert floor.does("sam", "answer-review", **answer)["code"] == "review-refused"
    assert floor.does("sue", "answer-review", **answer)["ok"]
    assert floor.open_ones() == []
    stranger = {**wants, "session": "T-99:000000000000"}
    status, found = api(
        floor.served,
        "POST",
        f"/api/staff/tables/{floor.table}/commands",
        floor.tokens["carl"],
        {"id": "no", "command": {"command": "ask-review", **stranger}},
    )
    assert (status, found["code"]) == (409, "review-refused")
    codes = [
        each["code"]
        for each in api(floor.served, "GET", "/api/staff/complaints", floor.tokens["carl"])[1]
    ]
    assert "wrong-payment" in codes
    assert audit(floor.served.database).sound


def test_who_ruled_on_the_round_does_not_answer_its_review(floor: Floor) -> None:
    number = floor.round()
    ground = {"ground": "misread-card", "detail": "a look again"}
    assert floor.does("sam", "reopen", **ground)["proposal"] == 1
    assert floor.does("sue", "reject", proposal=1, reason="the cards are right")["ok"]
    assert floor.ask(floor.guest, number, "wrong-result")[0] == 200
    [review] = floor.open_ones()
    assert review["barred"] == ["dora", "sam", "sue"]
    answer = {"review": 1, "decision": "upheld", "clause": "house", "note": "so"}
    for who in ("sam", "sue"):
        assert floor.does(who, "answer-review", **answer)["code"] == "review-refused"


def test_who_had_no_wager_may_say_that_one_was_not_taken_and_nothing_else(floor: Floor) -> None:
    watcher, _ = floor.come()
    number = floor.round()
    late, _ = floor.come()
    assert floor.does("dora", "open-bets")["ok"]
    status, found = floor.ask(watcher, number, "wrong-payment")
    assert (status, found["code"]) == (409, "review-refused")
    assert floor.ask(watcher, number, "wager-not-taken")[0] == 200
    assert floor.ask(watcher, number + 1, "wager-not-taken")[1]["code"] == "no-such-round"
    _, recall = api(floor.served, "GET", f"{floor.at}/rounds/{number}", late)
    assert recall["complaints"] == []
    assert floor.ask(late, number, "wager-not-taken")[1]["code"] == "review-refused"
    status, found = api(floor.served, "POST", "/api/guest")
    assert floor.ask(found["token"], number, "wager-not-taken")[1]["code"] == "review-refused"


def test_the_same_id_is_the_same_review_and_rubbish_is_refused(floor: Floor) -> None:
    number = floor.round()
    for _ in range(2):
        status, view = floor.ask(floor.guest, number, "other", id="one")
        assert (status, [each["review"] for each in view["reviews"]]) == (200, [1])
    assert floor.ask(floor.guest, number, "other")[1]["code"] == "review-refused"
    assert floor.ask(floor.guest, number, "because")[0] == 400
    assert floor.ask(floor.guest, number, "other", note="x" * 201)[0] == 400
    assert floor.ask(floor.guest, 10**6, "other")[0] == 404


def test_a_round_may_be_asked_about_for_seven_days() -> None:
    seen = _recall(at=0)
    _verify(seen, "other", DAYS * 86_400_000)
    with pytest.raises(ReviewRefused, match="more than 7 days ago"):
        _verify(seen, "other", DAYS * 86_400_000 + 1)


def _recall(*, at: int) -> Recall:
    choice = ComplaintView(code="other", text=Words(""))
    return Recall(
        replay=True,
        table="table:1",
        round=1,
        game="rapid",
        rules="",
        at=at,
        result="P",
        clause="",
        player=1,
        banker=0,
        cards=[],
        corrected=[],
        reconstructed=None,
        reopened=None,
        lines=[],
        wagered_cents=0,
        paid_cents=0,
        before_cents=0,
        after_cents=0,
        demo=False,
        complaints=[choice],
    )
