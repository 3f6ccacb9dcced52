"""Which game was played: a designer's game on a floor is data, an upgrade is found where it matters, and stops one table."""

import asyncio
import copy
import dataclasses
import json
import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from puntobanco import GAMES, Bet, Game, Odds, Pays, Words, banker, cli, game_files
from puntobanco.base.canonical import canonical
from puntobanco.base.refusal import Refusal
from puntobanco.rules import definition as d
from puntobanco.rules.causes import words_of
from puntobanco.rules.definition import define, digest, game_of
from puntobanco.rules.refusals import BadGame, UnknownGame
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import shoes
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.evidence.pack_format import GAME, SOURCE
from puntobanco_floor.evidence.pack_verifier import verify_files
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.reports.report import report
from puntobanco_floor.service import cross_stream_rules
from puntobanco_floor.service import table_games as from_playable
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.service.refusals import TwoGames
from puntobanco_floor.service.table_games import Playable, from_file, playable, playable_named
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.store import Store
from tests.odds.hard import HARD_GAME
from tests.support.served import rerooted, rewritten

EXAMPLE = Path(__file__).parents[4] / "examples" / "lucky_rapid.py"
LUCKY = """
from puntobanco import GAMES, Bet, Odds, Pays, banker

lucky = banker.points({points}).named("Lucky win")
GAME = GAMES["rapid"].with_bets(
    Bet("lucky", "Lucky", clause="H1", pays=(Pays(lucky, Odds(40, 1), "H1"),)),
    id="lucky", title="Lucky", house_rules={{"H1": "A lucky win pays 40 to 1."}},
)
"""


class House:
    """A floor in a file, and somebody who asks."""

    def __init__(self, path: Path, *, clock: bool = False) -> None:
        self.path = path
        self.store: Store = SqliteStore(path, clock=clock)
        self.ring = KeyRing.load(path.with_name(f"{path.name}.keys"))

    def ask(self, stream: str, command: Command) -> Answer:
        return self.store.ask(Request(stream=stream, id=secrets.token_hex(6), command=command))

    def do(self, stream: str, *commands: Command) -> None:
        for command in commands:
            answer = self.ask(stream, command)
            assert answer.ok, f"{command.name()}: {answer.reason}"

    def open(self, stream: str, game: Playable) -> None:
        self.do(
            stream,
            c.OpenTable(
                by="pit", game=game.game.id, definition=game.definition, source=game.source
            ),
            c.NewShoe(by="pit", dealing="physical"),
            c.SeatSession(by="ann", session="ann"),
            c.BuyIn(by="cage", session="ann", cents=100_000),
        )

    def round(
        self, stream: str, number: int, bet: str, cards: str = "2s 3h 3d 4c"
    ) -> e.RoundSettled:
        """Player 5 of two cards, banker 7; player draws a five, banker stands."""
        self.do(
            stream,
            c.OpenBets(by="dealer"),
            c.PlaceWager(by="ann", round=number, session="ann", bet=bet, stake_cents=1_000),
            c.CloseBets(by="dealer"),
            *(c.EnterCard(by="dealer", card=card) for card in (*cards.split(), "5s")),
            c.Settle(by="dealer"),
        )
        [settled] = [
            x for x in self.events(stream) if isinstance(x, e.RoundSettled) and x.round == number
        ]
        return settled

    def events(self, stream: str) -> Iterator[e.Event]:
        for seq, data in self.store.entries(stream):
            yield from read_entry(data, stream=stream, seq=seq).events

    def served(self) -> Floor:
        """As a node that starts: everything that it asks for is done."""

        async def start() -> Floor:
            floor = Floor(self.store, self.ring, database=str(self.path))
            await floor.start()
            while floor.propagator._doing:
                await asyncio.gather(*floor.propagator._doing)
            await asyncio.sleep(0)
            floor.follower.stop()
            await floor.mixer.stop()
            await asyncio.to_thread(floor.log.stop)
            return floor

        return asyncio.run(start())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path / "floor.db")
    found.do("floor", h.OpenHouse(by="root", house="Marina", administrator="root", verifier="v"))
    yield found
    found.store.close()


@contextmanager
def program_has(monkeypatch: pytest.MonkeyPatch, *games: Game) -> Iterator[None]:
    """A release in which these are built-in games."""
    with monkeypatch.context() as patch:
        for module in (game_files, shoes, from_playable):
            patch.setattr(module, "GAMES", {**GAMES, **{game.id: game for game in games}})
        yield


def shell(*words: str) -> object:
    """At the command line: the exit status."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(words))
    return ended.value.code


def _paying(game: Game, bet: str, odds: Odds) -> Game:
    own = game.bet(bet)
    line = dataclasses.replace(own.pays[0], pays=odds)
    bets = [
        dataclasses.replace(own, pays=(line, *own.pays[1:])) if b is own else b for b in game.bets
    ]
    return dataclasses.replace(game, bets=tuple(bets))


RICHER = _paying(GAMES["rapid"], "tie", Odds(9, 1))


# A designer's game


def test_rules_swapped_behind_a_tables_back_change_nothing(house: House, tmp_path: Path) -> None:
    """W1: the file is replaced by one whose condition of the same name means something else, and play goes on."""
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY.format(points=7))
    house.open("table:1", from_file(file))
    assert house.round("table:1", 1, "lucky").lines[0].winnings_cents == 40_000
    file.write_text(LUCKY.format(points=0))
    assert digest(from_file(file).game) != house.store.table("table:1").state.digest
    assert house.round("table:1", 2, "lucky").lines[0].winnings_cents == 40_000
    file.unlink()
    house.do(
        "table:1", c.EndShoe(by="pit"), c.NewShoe(by="pit", dealing="physical")
    )  # from a snapshot, too
    assert house.round("table:1", 3, "lucky").lines[0].winnings_cents == 40_000
    found = audit(str(house.path))
    assert (found.fault, found.warnings, found.rounds) == (None, [], 3)


def test_a_definition_changed_in_the_journal_is_found(house: House, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY.format(points=7))
    house.open("table:1", from_file(file))
    house.round("table:1", 1, "lucky")
    rewritten(
        house.path,
        "table:1",
        2,
        lambda data: rerooted(data.replace(b'"is":"number","value":7', b'"is":"number","value":0')),
    )
    fault = audit(str(house.path)).fault
    assert fault is not None
    assert fault.startswith("table:1 entry 2: names the definition ")


def test_a_dispute_of_a_designers_game_needs_no_file(house: House, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY.format(points=7))
    source = file.read_text()
    house.open("table:1", from_file(file))
    house.round("table:1", 1, "lucky")
    house.do("table:1", c.EndShoe(by="pit"), c.NewShoe(by="pit", dealing="physical"))
    house.round("table:1", 2, "lucky")
    file.unlink()
    for number in (1, 2):
        pack = make_pack(str(house.path), "table:1", number, ring=house.ring, now=1)
        verdict = verify_files(pack, known=house.ring.public())
        assert verdict.fault is None
        assert any(
            text.startswith("the table was opened with lucky, definition ")
            for text in verdict.proved
        )
        assert "1 settlements, every line by the rules" in verdict.proved
        assert pack[SOURCE].decode() == source
        assert game_of(json.loads(pack[GAME])).id == "lucky"
        assert "| Lucky win | Banker has 7 points | H1 |" in pack["rules.md"].decode(), (
            "what a name means is told"
        )
        alone = make_pack(str(house.path), "table:1", number, ring=house.ring, now=1, session="ann")
        assert verify_files(alone).sound


def test_a_report_has_the_theory_of_a_designers_game(house: House, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY.format(points=7))
    house.open("table:1", from_file(file))
    house.round("table:1", 1, "lucky")
    file.unlink()
    [row] = report(str(house.path), "life", now=2**45).games
    assert (row.game, row.definition) == ("lucky", house.store.table("table:1").state.digest[:12])
    assert row.theory, "what it returns on average"


def test_opening_takes_a_built_in_id_or_a_definition_with_an_id_of_its_own(house: House) -> None:
    own = from_file(EXAMPLE)
    assert own.definition is not None
    refused = [
        (
            c.OpenTable(by="pit", game="lucky-rapid"),
            "there is no game 'lucky-rapid' here; the games are six-star",
        ),
        (
            c.OpenTable(by="pit", game="rapid", definition=define(GAMES["rapid"])),
            "rapid is a built-in game",
        ),
        (
            c.OpenTable(by="pit", game="other", definition=own.definition),
            "the definition is of lucky-rapid, not",
        ),
        (
            c.OpenTable(by="pit", game="x", definition={"definition": 2}),
            "the definition: it is of version 2",
        ),
        (
            c.OpenTable(by="pit", game="x", definition={"definition": 1, "id": "x"}),
            "title: is missing",
        ),
    ]
    for command, said in refused:
        answer = house.ask("table:1", command)
        assert not answer.ok
        assert said in answer.words.en
    assert house.ask(
        "table:1", c.OpenTable(by="pit", game=own.game.id, definition=own.definition)
    ).ok
    assert house.ask("table:2", c.OpenTable(by="pit", game="rapid", source="not its file")).ok
    assert house.store.table("table:2").state.source == "", "a built-in game has no file"


def test_the_games_of_open_tables_can_be_opened_again_by_id(house: House, tmp_path: Path) -> None:
    files = []
    for points in (7, 0):
        files.append(tmp_path / f"lucky{points}.py")
        files[-1].write_text(LUCKY.format(points=points))
    house.open("table:1", from_file(files[0]))
    house.open("table:2", Playable(GAMES["rapid"]))
    states = [house.store.table(name).state for name in ("table:1", "table:2")]
    assert [one.game.id for one in playable(states)] == [*GAMES, "lucky"]
    assert playable_named("lucky", states) == from_file(files[0])
    assert playable_named("rapid", states) == Playable(GAMES["rapid"])
    with pytest.raises(UnknownGame, match="there is no game 'poker' here"):
        playable_named("poker", states)
    house.open("table:3", from_file(files[1]))
    states.append(house.store.table("table:3").state)
    with pytest.raises(
        TwoGames, match="tables of this floor play 2 games called lucky; open it by its file"
    ):
        playable_named("lucky", states)
    house.do("table:1", c.CloseTable(by="pit"))
    states[0] = house.store.table("table:1").state
    assert playable_named("lucky", states) == from_file(files[1])


NOT_FOR_A_FLOOR: dict[str, tuple[str, str]] = {
    "a condition of one's own": (
        "from puntobanco import GAMES, Bet, Odds, Pays, tie\nfrom puntobanco.rules.predicates import Compare\n"
        "class Odd(Compare): pass\nodd = Odd(tie.left, '==', tie.right, tie.text)\n"
        "GAME = GAMES['rapid'].with_bets(Bet('own', 'Own', pays=(Pays(odd, Odds(2, 1)),)), id='own', title='Own')\n",
        "bets[own].pays[0].when: an Odd cannot be written as data",
    ),
    "an id that is taken": (
        "from puntobanco import GAMES\nGAME = GAMES['rapid'].with_bets(id='rapid', title='Mine')\n",
        "rapid is a built-in game",
    ),
    "too long a file": (
        f"from puntobanco import GAMES\nGAME = GAMES['rapid'].with_bets(id='own', title='Own')\n#{'x' * c.MAX_SOURCE}\n",
        "is too long for a table's journal: 200,000 characters at most",
    ),
}


@pytest.mark.parametrize("name", NOT_FOR_A_FLOOR)
def test_what_a_floor_cannot_have_is_refused_at_its_door(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, said = NOT_FOR_A_FLOOR[name]
    file = tmp_path / "own.py"
    file.write_text(text)
    with pytest.raises(Refusal) as refused:
        from_file(file)
    assert said in refused.value.reason
    if "long" not in name:
        assert shell("check", str(file)) != 0
        assert said.split(";")[0] in capsys.readouterr().out, "and `check` says it first"


def test_a_game_of_just_the_length_is_taken(house: House, tmp_path: Path) -> None:
    text = LUCKY.format(points=7)
    file = tmp_path / "own.py"
    file.write_text(text + "#" * (c.MAX_SOURCE - len(text)))
    house.open("table:1", from_file(file))
    assert len(house.store.table("table:1").state.source) == c.MAX_SOURCE


# Another release


def _reworded(game: Game) -> Game:
    """Every text of every leaf, name and title said otherwise."""
    plain = copy.deepcopy(define(game))

    def reword(value: object) -> None:
        if isinstance(value, dict):
            for key in ("title", "text"):
                if key in value:
                    value[key] = ["said otherwise", "另一說法"]
            for inside in value.values():
                reword(inside)
        elif isinstance(value, list):
            for inside in value:
                reword(inside)

    reword(plain)
    return game_of(plain)


def test_a_release_that_only_rewords_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """W2: `{} wins` becomes `{} is the winner`, for every built-in game at once."""
    house.open("table:1", Playable(GAMES["rapid"]))
    house.round("table:1", 1, "banker")
    reworded = {id_: _reworded(game) for id_, game in GAMES.items()}
    assert all(define(reworded[id_]) != define(game) for id_, game in GAMES.items())
    with program_has(monkeypatch, *reworded.values()):
        floor = house.served()
        assert floor.follower.streams["table:1"].state.halted == ""
        house.round("table:1", 2, "banker")
        found = audit(str(house.path))
        assert (found.fault, found.warnings, found.rounds) == (None, [], 2)
        assert selftest(str(house.path)).outcome != "failed"
        [games] = [check for check in selftest(str(house.path)).checks if check.name == "games"]
        assert games.outcome == "passed"


def test_a_built_in_game_that_is_another_stops_its_tables_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round in play ends by what the table was opened with; the rest of the floor goes on."""
    rapid = Playable(GAMES["rapid"])
    for name in ("table:1", "table:2"):
        house.open(name, rapid)
    house.open("table:3", Playable(GAMES["fortune-six"]))
    house.do("table:2", c.CloseTable(by="pit"))
    house.do(
        "table:1",
        c.OpenBets(by="dealer"),
        c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=1_000),
    )
    said = (
        "rapid is another game in this program: bets[tie].pays[0].pays.win was 8 and is 9 here "
        f"(definition {digest(GAMES['rapid'])[:12]}, here {digest(RICHER)[:12]})"
    )
    with program_has(monkeypatch, RICHER):
        floor = house.served()
        tables = {name: stream.state for name, stream in floor.follower.streams.items()}
        assert {name: words_of(table.halted).en for name, table in tables.items()} == {
            "table:1": said,
            "table:2": "",
            "table:3": "",
        }
        assert not tables["table:1"].halted_by_floor, "the floor's start does not restart it"
        house.served()
        assert sum(isinstance(x, e.TableHalted) for x in house.events("table:1")) == 1, (
            "two nodes halt it once"
        )
        cards = [c.EnterCard(by="dealer", card=card) for card in ["2s", "2h", "6d", "6c"]]
        house.do("table:1", c.CloseBets(by="dealer"), *cards, c.Settle(by="dealer"))
        [settled] = [x for x in house.events("table:1") if isinstance(x, e.RoundSettled)]
        assert settled.lines[0].winnings_cents == 8_000, "8 to 1, as it was opened"
        assert not house.ask("table:1", c.OpenBets(by="dealer")).ok
        house.round("table:3", 1, "banker")

        house.do("table:1", c.RestartTable(by="pit"))
        house.served()
        assert words_of(house.store.table("table:1").state.halted).en == said, (
            "started by hand it is halted again"
        )

        [games] = [check for check in selftest(str(house.path)).checks if check.name == "games"]
        assert (games.outcome, games.said) == (
            "warned",
            f"table:1 will open no new round: {said}; close it and open it again",
        )
        found = audit(str(house.path))
        assert found.fault is None
        assert found.warnings == [f"table:1 entry 2: {said}", f"table:2 entry 2: {said}"]

        house.do("table:1", c.CloseTable(by="pit"), c.OpenTable(by="pit", game="rapid"))
        house.served()
        assert house.store.table("table:1").state.halted == "", (
            "opened again it plays what this program has"
        )


def test_a_table_that_an_older_node_opens_is_halted_when_it_is_followed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open("table:1", Playable(GAMES["rapid"]))
    state = house.store.table("table:1").state
    _, (_, opened), *_ = house.store.entries("table:1")
    with program_has(monkeypatch, RICHER):
        [request] = cross_stream_rules.carried(
            read_entry(opened), house.store.house().state, {"table:1": state}
        )
    assert isinstance(request.command, c.HaltTable)
    assert (
        list(
            cross_stream_rules.carried(
                read_entry(opened), house.store.house().state, {"table:1": state}
            )
        )
        == []
    )


def test_a_designers_game_is_its_own_whatever_is_built_in(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later release may have a game of that id."""
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY.format(points=7))
    house.open("table:1", from_file(file))
    bet = Bet("lucky", Words("Lucky"), pays=(Pays(banker.points(1), Odds(3, 1)),))
    with program_has(monkeypatch, GAMES["rapid"].with_bets(bet, id="lucky", title="Lucky")):
        assert house.served().follower.streams["table:1"].state.halted == ""
        assert audit(str(house.path)).warnings == []


# What this program cannot read


def opened_by_a_newer_program(house: House, stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(d, "VERSION", 2)
        d._read.cache_clear()
        d._digest_of_game.cache_clear()
        house.open(stream, Playable(GAMES["rapid"]))
    d._read.cache_clear()
    d._digest_of_game.cache_clear()


def test_a_definition_that_cannot_be_read_blocks_its_stream_alone(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    house.open("table:1", Playable(GAMES["rapid"]))
    opened_by_a_newer_program(house, "table:2", monkeypatch)
    house.store.close()
    house.store = SqliteStore(house.path, clock=False)
    reason = "cannot follow: the definition: it is of version 2, and this program reads 1; a newer program may read it"
    with caplog.at_level(logging.ERROR):
        floor = house.served()
    assert set(floor.follower.streams) == {"table:1"}
    assert (
        f"stream table:2 blocked: table:2 entry 2: {reason}; run puntobanco audit --table table:2"
        in caplog.messages
    )
    ready = asyncio.run(Readiness(floor.store, floor.follower, floor.shutdown).look())
    assert ready.ready, "terminals of the other tables are sent here"
    house.round("table:1", 1, "banker")
    with pytest.raises(Refusal, match="the journal does not hold"):
        house.ask("table:2", c.OpenBets(by="dealer"))
    [games] = [check for check in selftest(str(house.path)).checks if check.name == "games"]
    assert (games.outcome, "table:2 will be blocked" in games.said) == ("warned", True)
    for words in (
        ["table", "list"],
        ["floor", "stop", "--cause", "safety", "--note", "so"],
        ["floor", "start"],
        ["table", "add", "3", "rapid"],
    ):
        assert shell(*words, "--database", str(house.path)) == 0
        said = capsys.readouterr()
        assert said.err.startswith(f"table:2 is blocked: table:2 entry 2: {reason}")
        assert said.err.count("\n") == 1
    fault = audit(str(house.path)).fault
    assert fault == f"table:2 entry 2: {reason}"


# The journal


def test_only_the_opening_holds_the_definition(house: House) -> None:
    house.open("table:1", Playable(GAMES["six-star"]))
    sizes = [len(data) for _, data in house.store.entries("table:1")]
    assert sizes.pop(1) > 30_000
    assert max(sizes) < 1_000


def test_tables_of_one_definition_share_one_game(house: House) -> None:
    for n in (1, 2):
        house.open(f"table:{n}", Playable(GAMES["rapid"]))
    one, two = (house.store.table(f"table:{n}").state for n in (1, 2))
    assert one.game is two.game
    assert one.definition == define(GAMES["rapid"])
    assert canonical(one.definition) == canonical(two.definition)


def test_nobody_who_reads_a_journal_runs_a_file(house: House, tmp_path: Path) -> None:
    """A file that leaves a mark whenever it is run: once, as the table is opened."""
    file, mark = tmp_path / "lucky.py", tmp_path / "mark"
    file.write_text(
        LUCKY.format(points=7) + f"with open({str(mark)!r}, 'a') as f:\n    f.write('run ')\n"
    )
    house.open("table:1", from_file(file))
    house.round("table:1", 1, "lucky")
    database = str(house.path)
    house.served()
    audit(database)
    selftest(database)
    report(database, "daily", now=2**45)
    verify_files(make_pack(database, "table:1", 1, ring=house.ring, now=1))
    assert shell("replay", "--database", database, "--round", "table:1:1") == 0
    assert shell("table", "list", "--database", database) == 0
    assert mark.read_text() == "run "


def test_a_game_that_check_refuses_opens_no_table(tmp_path: Path) -> None:
    """A line that cites a rule which nobody wrote down."""
    file = tmp_path / "game.py"
    right = EXAMPLE.read_text("utf-8")
    file.write_text(re.sub(r'clause="H1"', 'clause="H9"', right, count=1), "utf-8")
    assert file.read_text("utf-8") != right
    with pytest.raises(BadGame, match=r"H9.*puntobanco check"):
        from_file(file)


def test_a_table_refuses_a_game_whose_odds_are_not_exact_within_bounds(tmp_path: Path) -> None:
    file = tmp_path / "hard.py"
    file.write_text(HARD_GAME)
    with pytest.raises(BadGame, match="alike: there is no exact chance within bounds of: Alike"):
        from_file(file)
