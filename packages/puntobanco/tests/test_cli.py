"""The command: formats, refusals in one line with status 2, and the designer's own game wherever a game is taken."""

import io
import json
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from puntobanco import GAMES
from puntobanco.cli import main
from puntobanco.cli.console import width

EXAMPLE = str(Path(__file__).parents[3] / "examples/lucky_rapid.py")


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Runner:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, stdin: str = "") -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = self.capsys.readouterr()
        return Ran(int(str(ended.value.code)), out, err)

    def refused(self, *arguments: str, stdin: str = "") -> str:
        ran = self(*arguments, stdin=stdin)
        assert ran.status == 2
        assert ran.err.count("\n") == 1
        assert ran.err.startswith("puntobanco: ")
        assert "Traceback" not in ran.err + ran.out
        return ran.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    root = logging.getLogger()
    before = root.handlers[:]
    yield Runner(capsys, monkeypatch)
    # `serve` logs to the standard error of this test, which is closed with it
    root.handlers[:] = before


def test_settle_json_has_the_fixed_form(run: Runner) -> None:
    answer = run(
        "settle",
        "six-star",
        "--cards",
        "9f 2g Tf 4e",
        "--bet",
        "banker=100",
        "--bet",
        "tie=5",
        "--json",
    ).json
    assert answer == {
        "game": "six-star",
        "result": "player",
        "player": {"cards": "9f Tf", "points": 9},
        "banker": {"cards": "2g 4e", "points": 6},
        "bets": [
            {
                "bet": "banker",
                "stake": "100.00",
                "outcome": "loses",
                "net": "-100.00",
                "returned": "0.00",
                "bonus": "0.00",
                "clause": "3.10",
            },
            {
                "bet": "tie",
                "stake": "5.00",
                "outcome": "loses",
                "net": "-5.00",
                "returned": "0.00",
                "bonus": "0.00",
                "clause": "3.10.1",
            },
        ],
        "net": "-105.00",
    }


def test_net_includes_the_bonus_and_leaves_out_the_stake(run: Runner) -> None:
    answer = run(
        "settle",
        "six-star",
        "--cards",
        "9f 9f Tf Tf",
        "--bet",
        "tie=100",
        "--bet",
        "player=100",
        "--json",
    ).json
    tie, push = answer["bets"]
    assert (tie["net"], tie["bonus"], tie["returned"], tie["bonus_clause"]) == (
        "3800.00",
        "3000.00",
        "100.00",
        "4.3",
    )
    assert (push["net"], push["outcome"], push["returned"]) == ("0.00", "pushes", "100.00")


def test_two_wagers_on_tie_by_one_patron_get_one_bonus(run: Runner) -> None:
    answer = run(
        "settle",
        "six-star",
        "--cards",
        "9f 9f Tf Tf",
        "--bet",
        "tie=100",
        "--bet",
        "tie=100",
        "--json",
    ).json
    assert [line["bonus"] for line in answer["bets"]] == ["3000.00", "0.00"]
    assert answer["net"] == "4600.00"


BATCH = """
{"cards": "9h 2d Th 4c", "bets": {"player": "100", "banker": 50}}
{"game": "six-star", "about": "a line may name its own game", "cards": "9f 9f Tf Tf", "bets": {"tie": "2.50"}}

{"cards": "9h 2d Th 4c"}
"""


def test_a_batch_gives_one_answer_line_each(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text(BATCH)
    for ran in (
        run("settle", "rapid", "--batch", str(path), "--json"),
        run("settle", "rapid", "--batch", "-", "--json", stdin=BATCH),
    ):
        assert ran.status == 0
        answers = [json.loads(line) for line in ran.out.splitlines()]
        assert [(a["game"], a["net"]) for a in answers] == [
            ("rapid", "50.00"),
            ("six-star", "3020.00"),
            ("rapid", "0.00"),
        ]
    plain = run("settle", "rapid", "--batch", "-", stdin=BATCH).out.splitlines()
    assert plain[0] == "line 2: player 9-6; player 100.00, banker -50.00; net 50.00"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not JSON"),
        ("[1]", "a line is"),
        ('{"bets": {}}', "a line is"),
        ('{"cards": ["9h"]}', "a line is"),
        ('{"cards": "9h 2d Th 4c", "bets": [1]}', "object of stakes"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": "1", "player": "2"}}', "stands twice"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": NaN}}', "not an amount"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": 1e999}}', "not an amount"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": true}}', "not an amount"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": null}}', "not an amount"),
        ('{"cards": "9h 2d Th 4c", "bets": {"player": 0.001}}', "not whole cents"),
        ('{"cards": "9h 2d Th 4c", "bets": {"banker": 0.01}}', "not whole cents"),
        ('{"cards": "9h 2d Th", "bets": {}}', "3 cards are not a complete round"),
        ('{"cards": "9f 2d Th 4c", "bets": {}}', "five-element deck"),
        ('{"cards": "9h 2d Th 4c", "decks": 3}', "4 to 10 decks, not 3"),
        ('{"cards": "9h 2d Th 4c", "decks": "8"}', "whole number"),
        ('{"cards": "9h 2d Th 4c", "game": "chess"}', "no game 'chess'"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_of_a_batch_is_answered_and_does_not_stop_the_rest(
    run: Runner, line: str, reason: str
) -> None:
    good = '{"cards": "9h 2d Th 4c", "bets": {"player": "1"}}'
    ran = run("settle", "rapid", "--batch", "-", "--json", stdin=f"{good}\n{line}\n{good}\n")
    answers = [json.loads(row) for row in ran.out.splitlines()]
    assert [answer.get("net") for answer in answers] == ["1.00", None, "1.00"]
    assert answers[1]["line"] == 2
    assert reason in answers[1]["error"]
    assert (ran.status, ran.err) == (
        2,
        "puntobanco: 1 of 3 rounds were refused; their answers say why\n",
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["settle", "rapid"], "give the cards"),
        (["settle", "rapid", "--cards", "9h 2d Th 4c", "--batch", "-"], "leave out --cards"),
        (["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker"], "'banker' is no wager"),
        (["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=0"], "more than zero"),
        (["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=-5"], "more than zero"),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=ten"],
            "not an amount of money",
        ),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=nan"],
            "not an amount of money",
        ),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=0.01"],
            "1 to 2 on $0.01 is not whole cents",
        ),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "banker=2000000000"],
            "at most $1,000,000,000",
        ),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--bet", "fortune-six=5"],
            "rapid has no bet 'fortune-six'; it has player",
        ),
        (["settle", "rapid", "--cards", "9h 2d Th 4c 5c"], "the round is complete with 4 cards"),
        (["settle", "rapid", "--cards", "9h 2d"], "2 cards are not a complete round"),
        (["settle", "rapid", "--cards", ""], "0 cards are not a complete round"),
        (["settle", "rapid", "--cards", "9x 2d Th 4c"], "'9x' is no card"),
        (["settle", "rapid", "--cards", "9f 2d Th 4c"], "9f belongs to the five-element deck"),
        (["settle", "six-star", "--cards", "9h 2g Tf 4e"], "9h belongs to the 52-card deck"),
        (
            ["settle", "rapid", "--cards", "Kh Kh Kh Kh Kh", "--decks", "4"],
            "the shoe holds only 4 of them",
        ),
        (
            ["settle", "super-six-plus", "--cards", "9h 2d Th 4c", "--decks", "9"],
            "4 to 8 decks, not 9 [2.2.1]",
        ),
        (
            ["settle", "rapid", "--cards", "9h 2d Th 4c", "--decks", "x"],
            "'x' is not a valid integer",
        ),
        (
            ["settle", "rapid", "--batch", "/no/such/file"],
            "cannot read /no/such/file: no such file",
        ),
        (["deal", "chess"], "there is no game 'chess'; the games are six-star"),
        (["deal", "rapid", "--decks", "11"], "4 to 10 decks, not 11 [2.1]"),
        (["rules", "six-star", "--lang", "fr"], "'fr' is not one of 'en', 'zh'"),
        (["rules"], "Missing argument 'GAME'"),
        (["roads", "BXP"], "result 2 cannot be read at 'XP'"),
        (["roads", "B", "--turn", "left"], "'left' is not one of"),
        (["check", "none.py"], "cannot read none.py: no such file"),
        (
            ["irregularity", "super-six-plus", "order-altered"],
            "they name foreign-card [5.1.1], wrong-deck-count [5.1.2]",
        ),
        (
            ["irregularity", "rapid", "cards-drawn-together", "--stage", "third-card"],
            "only during the initial deal",
        ),
        (
            ["irregularity", "six-star", "wrong-card-count"],
            "is about cards of this round, and none is dealt [5.2]",
        ),
        (
            [
                "irregularity",
                "rapid",
                "insufficient-cards",
                "--stage",
                "betting",
                "--cards-left",
                "0",
            ],
            "bets are open [5.5]",
        ),
        (
            ["irregularity", "rapid", "misread-card"],
            "a ground of the house (reading 45): correct the card at the table",
        ),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["serv"], "No such command 'serv'. Did you mean 'serve'?"),
        (["games", "--yaml"], "No such option"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    run: Runner, arguments: list[str], reason: str
) -> None:
    assert reason in run.refused(*arguments)


def test_games(run: Runner) -> None:
    assert [line.split()[0] for line in run("games").out.splitlines()] == ["game", *GAMES]
    games = run("games", "--json").json
    assert [(g["id"], g["deck"], g["decks"][-1]) for g in games] == [
        (g.id, g.deck.id, g.decks[-1]) for g in GAMES.values()
    ]
    assert games[0]["bets"][2]["bonus"] == [
        {"pays": "$3,000", "clause": "4.3"},
        {"pays": "$30,000", "clause": "4.3"},
    ]


def test_rules_in_both_languages(run: Runner) -> None:
    english, chinese = run("rules", "six-star").out, run("rules", "six-star", "--lang", "zh").out
    assert "Banker wins on six" in english
    assert "1 to 2" in english
    assert "莊以六點勝出" in chinese
    assert english.count("\n") == chinese.count("\n")


def test_a_seed_deals_the_same_round_and_no_seed_another(run: Runner) -> None:
    first, again = (run("deal", "six-star", "--decks", "8", "--seed", "3").out for _ in range(2))
    assert first == again
    assert "Banker has 3 against a Player who stood: draws [3.9.3]" in first
    assert len({run("deal", "rapid").out for _ in range(5)}) > 1


def test_deal_json_settles_every_bet(run: Runner) -> None:
    for game in GAMES.values():
        answer = run("deal", game.id, "--seed", "1", "--json").json
        assert [line["bet"] for line in answer["bets"]] == [bet.id for bet in game.bets]
        assert [step["hand"] for step in answer["steps"]][:4] == ["player", "banker"] * 2
        assert answer["announced"]["clause"] == game.basics.announce_totals
        assert all(reason["clause"] for step in answer["steps"] for reason in step["reasons"])


def test_roads_json_has_the_fixed_form(run: Runner) -> None:
    answer = run("roads", "TTBTTPPTBbp", "--json").json
    assert list(answer) == ["bead_plate", "big_road", "big_eye", "small", "cockroach"]
    assert answer["big_road"][0] == {"row": 0, "col": 0, "winner": "banker", "ties": 4}
    assert answer["big_eye"] == {
        "sequence": "BB",
        "cells": [{"row": 0, "col": 0, "color": "B"}, {"row": 1, "col": 0, "color": "B"}],
    }
    assert answer["bead_plate"][8] == {
        "row": 2,
        "col": 1,
        "winner": "banker",
        "banker_pair": True,
        "player_pair": True,
    }
    assert "big road" in run("roads", "-", stdin="BBPP\n").out


def test_the_designers_own_game_goes_wherever_a_game_goes(run: Runner) -> None:
    assert "Banker's lead is 4 or more" in run("rules", EXAMPLE).out
    assert "雙例牌" in run("rules", EXAMPLE, "--lang", "zh").out
    assert "big-banker" in run("deal", EXAMPLE, "--seed", "1").out
    answer = run(
        "settle",
        EXAMPLE,
        "--cards",
        "9h 8d Th Tc",
        "--bet",
        "both-natural=10",
        "--bet",
        "suited-player=10",
        "--json",
    ).json
    assert [(line["net"], line["clause"]) for line in answer["bets"]] == [
        ("180.00", "H1"),
        ("30.00", "H3"),
    ]
    assert run("check", EXAMPLE).out.endswith(
        "lucky-rapid: sound; 8 bets, 10 lines, every one can pay\n"
    )
    assert run("irregularity", EXAMPLE, "foreign-card", "--json").json["clause"] == "5.1"


def test_check_lists_every_error_and_ends_with_status_2(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "from puntobanco import *\n"
        "g = GAMES['rapid'].with_bets(Bet('x', 'X', pays=(Pays(tie & banker.wins, Odds(1, 1), '9.9'),)), id='bad', title='Bad')\n"
    )
    ran = run("check", str(path))
    assert "error: x: line 1 (the hands tie and Banker wins) can never pay" in ran.out
    assert "error: bet x cites clause '9.9'" in ran.out
    assert (ran.status, ran.err) == (2, "puntobanco: bad: 2 errors\n")


def test_irregularity_rules_and_reconstructs(run: Runner) -> None:
    assert "5.1.2" in run("irregularity", "super-six-plus").out
    answer = run(
        "irregularity",
        "rapid",
        "wrong-card-count",
        "--cards",
        "6s 5h Ts Tc",
        "--order",
        "6s 5h Ts Tc 3d 9h",
        "--json",
    ).json
    assert (answer["follows"], answer["cards"], answer["surplus"]) == (
        "reconstruct",
        "6s 5h Ts Tc 3d",
        "9h",
    )
    assert run("irregularity", "six-star", "foreign-card").out.startswith("void: ")


def test_completion_scripts_name_the_command(run: Runner) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_PUNTOBANCO_COMPLETE" in run("completion", shell).out
    environment = {
        **os.environ,
        "_PUNTOBANCO_COMPLETE": "bash_complete",
        "COMP_WORDS": "puntobanco deal s",
        "COMP_CWORD": "2",
    }
    out = subprocess.run(
        [sys.executable, "-m", "puntobanco"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert out.split() == ["plain,six-star", "plain,super-six-plus", "plain,sands-elements"]


def test_a_file_of_data_never_runs_a_file_of_code(run: Runner, tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    ran = run(
        "settle",
        "rapid",
        "--batch",
        "-",
        "--json",
        stdin=json.dumps({"game": str(evil), "cards": "9h 2d Th 4c"}),
    )
    assert "there is no game" in ran.json["error"]
    assert not (tmp_path / "ran").exists()


def test_a_batch_may_begin_with_a_mark_and_end_its_lines_in_any_way(
    run: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"cards": "9h 2d Th 4c", "about": "\xe2\x80\xa8"}\r\n{"cards": "9h 2d Th 4c"}'
    )
    assert [
        json.loads(line)["result"]
        for line in run("settle", "rapid", "--batch", str(path), "--json").out.splitlines()
    ] == ["player"] * 2
    path.write_bytes(b"\xff\xfe")
    assert "not utf-8 text" in run.refused("settle", "rapid", "--batch", str(path))


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("puntobanco", f"{sys.executable} -m puntobanco")],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("puntobanco games > /dev/full", "cannot write the output"),
        ("puntobanco roads - <&-", "cannot read standard input"),
        ("puntobanco settle rapid --batch - <&-", "cannot read standard input"),
        ("puntobanco settle rapid --batch /dev/zero", "has a line of over"),
        ("puntobanco check /dev/zero", ""),
    ],
)
def test_streams_that_fail_are_one_line_too(command: str, said: str) -> None:
    ran = shell(command)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_closed_output_is_no_traceback() -> None:
    assert "Traceback" not in shell("puntobanco games >&-").stderr


def test_text_of_a_designer_is_never_markup(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text(
        "from puntobanco import *\n"
        "g = GAMES['rapid'].with_bets(Bet('x', Words('[bold]X[/nope]'), clause='[/H1]', pays=(Pays(tie, Odds(8, 1), '[/H1]'),)),"
        " id='mine', title='[red]Mine\\\\', house_rules={'[/H1]': 'x'})\n"
    )
    assert "[/H1]" in in_terminal("deal", str(path), "--seed", "1")
    assert "[bold]X[/nope]" in in_terminal("rules", str(path))


def test_a_narrow_terminal_shows_whole_ids_figures_and_the_last_columns_of_a_road() -> None:
    assert "insufficient-cards" in in_terminal("irregularity", "rapid", COLUMNS="60")
    assert "-100.00" in in_terminal("deal", "six-star", "--seed", "42", COLUMNS="40")
    drawn = in_terminal("roads", "BP" * 40, COLUMNS="40")
    assert "big road, the last 20 of 80 columns" in drawn


@pytest.mark.parametrize("language", ["en", "zh"])
def test_prose_is_folded_to_the_width_of_the_terminal(language: str) -> None:
    """A Chinese character takes two columns, so that each column of a table begins at one place."""
    arguments = ("rules", "six-star", "--lang", language)
    lines = click.unstyle(in_terminal(*arguments, COLUMNS="80")).splitlines()
    assert max(map(width, lines)) <= 80
    assert len(lines) > len(in_terminal(*arguments, COLUMNS="400").splitlines())
    assert {width(line[: line.index("3.8.1")]) for line in lines if "3.8.1" in line} == {
        width(line[: line.index("3.8.2")]) for line in lines if "3.8.2" in line
    }


def test_help_and_version(run: Runner) -> None:
    assert "irregularities" in run("--help").out
    assert run("--version").out.startswith("puntobanco, version ")


def in_terminal(*arguments: str, **environment: str) -> str:
    """The command's output when it writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "puntobanco", *arguments],
        stdout=theirs,
        stderr=theirs,
        stdin=theirs,
        env={
            **{k: v for k, v in os.environ.items() if k != "NO_COLOR"},
            "TERM": "xterm-256color",
            "COLUMNS": "160",
            **environment,
        },
    )
    os.close(theirs)
    output = b""
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:
            break
        if not chunk:
            break
        output += chunk
    assert process.wait(timeout=60) == 0
    return output.decode()


def test_a_terminal_gets_colour_and_a_pipe_or_no_color_none() -> None:
    arguments = ("settle", "six-star", "--cards", "3w Lg 2e Lf 9a 6f", "--bet", "banker=100")
    colourful = in_terminal(*arguments)
    assert "\x1b[" in colourful
    assert "L金" in colourful
    assert "3.9" not in colourful.split("clause")[0]
    plain = in_terminal(*arguments, NO_COLOR="1")
    assert not any(code in plain for code in ("\x1b[31m", "\x1b[1;31m", "\x1b[1;32m", "38;", "48;"))
    piped = subprocess.run(
        [sys.executable, "-m", "puntobanco", *arguments], capture_output=True, text=True, check=True
    ).stdout
    assert "\x1b" not in piped
    assert "Lg Lf 6f" in piped


def test_a_reader_that_leaves_early_sees_no_traceback() -> None:
    command = f"{sys.executable} -m puntobanco rules six-star | head -1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("6 Star No Commission Baccarat\n", "")


def test_ascii_output_does_not_fail() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ran = subprocess.run(
        [sys.executable, "-m", "puntobanco", "rules", "rapid", "--lang", "zh"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "4.1" in ran.stdout
