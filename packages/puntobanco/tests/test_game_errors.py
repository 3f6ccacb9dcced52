"""A designer's mistakes, each made on purpose: one line with the file, the line and what to write instead."""

from pathlib import Path

import pytest

from tests.test_cli import Runner, run

__all__ = ["run"]
HEAD = "from puntobanco import *\n"

MISTAKES = {
    # comparing, and what Python offers beside the words of the game
    "banker.points > player.points": "(banker.points - player.points)(1, ...)",
    "8 <= player.points": "banker.points(6, ...) for six or more",
    "Pays(player.points == 8, Odds(1, 1))": "call it with what counts, banker.points(6)",
    "Pays(player.points == banker.points, Odds(1, 1))": "or write same(a, b)",
    "abs(player.points - banker.points)(3)": "player.margin(4, ...) | banker.margin(4, ...)",
    "banker.points & tie": "a measure becomes a condition when called",
    "True & tie": "join conditions with & | ~",
    "tie + tie": "join conditions with & | ~",
    "tie and banker.wins": "join with & | ~, not and/or/not/if",
    "tie()": "a condition takes no brackets: tie, not tie()",
    "player[0]": "its cards are .first, .second and .third",
    "len(player)": ".cards(3) asks how many",
    "sum(player.cards)": "a measure becomes a condition when called",
    "player.wins_on(12)": "a hand has 0 to 9 points, not 12",
    # names
    "player.first.colour(1)": ".suit(HEARTS, DIAMONDS), from puntobanco.rules.cards",
    "player.frist": "'hand' has no attribute 'frist'; did you mean first?",
    "GAMES['rapid'].with_bet()": "did you mean with_bets?",
    "GAMES.rapid": 'write GAMES["rapid"]',
    "GAMES['rapd']": "did you mean rapid?",
    "GAMES['x']": "the games are six-star, fortune-six, super-six-plus, sands-elements, rapid",
    "bankr.wins": "did you mean banker?",
    "HEARTS": "add it: from puntobanco.rules.cards import HEARTS",
    "FOREIGN_CARD": "add it: from puntobanco.rules.irregularities import FOREIGN_CARD",
    "MAX_BETS": "define it above, or import it",
    "from puntobanco import HEARTS": "write: from puntobanco.rules.cards import HEARTS",
    "from puntobanco import Bett": "cannot import name 'Bett' from 'puntobanco'; did you mean Bet?",
    "import nothing_beside": "files that lie beside it",
    # arguments
    "Bet('x', 'X')": "Bet() missing 1 required keyword-only argument: 'pays'; write Bet(id, title, pays",
    "Bet('x', 'X', (Pays(tie, Odds(1, 1)),))": "write Bet(id, title, pays=...",
    "Bet('x', 'X', payss=())": "unexpected keyword argument 'payss'; write Bet(id, title, pays=...",
    "Bet('x', 'X', pays=(Pays(tie, Odds(1, 1)),), push=tie)": "write push=Pushes(condition)",
    "Odds(1)": "write Odds(win, risk)",
    "Odds(0.95, 1)": "not 0.95 to 1; 1.5 to 1 is Odds(3, 2)",
    "GAMES['rapid'].with_bets(id='x')": "write with_bets(bets, ..., id=..., title=...",
    "GAMES['rapid'].with_bets(tie, id='x', title='X')": "a bet is Bet(...)",
    "GAMES['rapid'].with_bets(id='x', title='')": "a title is a text",
    "GAMES['rapid'].with_bets(id='x', title='X', house_rules='H1')": "house_rules is texts by clause",
    "GAMES['rapid'].with_bets(id='x', title='X', house_rules={'H1': 5})": "house_rules is texts",
    "GAMES['rapid'].with_bets(id='x', title='X', without='tie')": "without is a tuple",
    "GAMES['rapid'].with_bets(id='x', title='X', without=('x',))": "rapid has no bet 'x'; it has",
    "GAMES['rapid'].with_bets(GAMES['rapid'].bet('tie'), id='x', title='X')": "write without=('tie',) to replace it",
    # Python
    "x = (1": "'(' was never closed; add the bracket",
    "x = 'a": "add the quote that ends the text",
    "x = ‘a’": "write plain quotes",
    "  x = 1": "begin the lines of a block alike",
    "Bet('x', 'X' pays=())": "Perhaps you forgot a comma?",
    "Bet(pays=(), 'x')": "name=value comes after what has no name",
    "exit()": "a game file only defines a game",
    "1 / 0": "ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_one_line_with_what_to_do(
    run: Runner, tmp_path: Path, mistake: str
) -> None:
    path = tmp_path / "game.py"
    path.write_text(f"{HEAD}\n{mistake}\n", "utf-8")
    said = run.refused("check", str(path))
    assert said.startswith(f"puntobanco: {path}, line 3: ")
    assert MISTAKES[mistake] in said
    for inside in (
        "__init__",
        "CardView",
        "Compare",
        "mappingproxy",
        "packages/puntobanco/src/puntobanco",
    ):
        assert inside not in said


def test_a_file_without_a_game_is_told_of_new_game(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text("x = 1\n")
    assert "`puntobanco new-game` writes one" in run.refused("check", str(path))


def test_a_ground_without_its_clause_is_told_how_it_is_written(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    head = "from dataclasses import replace\nfrom puntobanco import GAMES\nfrom puntobanco.rules.irregularities import FOREIGN_CARD\n"
    path.write_text(f"{head}GAME = replace(GAMES['rapid'], irregularities=(FOREIGN_CARD,))\n")
    assert 'write it with one: FOREIGN_CARD("H1")' in run.refused("check", str(path))
    path.write_text(f"{head}FOREIGN_CARD()\n")
    assert 'such as FOREIGN_CARD("H1")' in run.refused("check", str(path))


def test_clashing_ids_and_titles_are_found(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    twin = "Bet('twin', 'Tie', pays=(Pays(tie, Odds(7, 1)),))"
    path.write_text(f"{HEAD}GAME = GAMES['rapid'].with_bets({twin}, id='rapid', title='Own')\n")
    said = run("check", str(path)).out
    assert "error: rapid is a built-in game's id; give yours an id of its own" in said
    assert "warning: tie and twin share the title 'Tie'" in said
    title = "Rapid No Commission Baccarat"
    path.write_text(f"{HEAD}GAME = GAMES['rapid'].with_bets(id='own', title='{title}')\n")
    ran = run("check", str(path))
    assert f"warning: the title '{title}' is that of rapid" in ran.out
    assert ran.out.endswith("every one can pay; 1 warning\n")
    path.write_text(
        f"{HEAD}GAME = GAMES['rapid'].with_bets({twin}, {twin}, id='own', title='Own')\n"
    )
    assert "game own has two bets named twin; give one another id" in run.refused(
        "check", str(path)
    )
