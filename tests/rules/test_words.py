import re

from puntobanco import GAMES, Game
from puntobanco.rules.words import heading, numbers, rules_page
from tests.claims import reads


def lines(game: Game, language: str) -> list[str]:
    return [
        " | ".join(getattr(cell, language) for cell in row.cells) + f" [{row.clause}]"
        for section in rules_page(game)
        for row in section.rows
    ]


def test_every_pay_line_push_and_loss_is_on_the_page_with_its_clause(game: Game) -> None:
    page = lines(game, "en")
    for bet in game.bets:
        for line in (*bet.pays, *bet.bonus):
            assert any(
                bet.title.en in row and line.pays.words.en in row and f"[{line.clause}]" in row
                for row in page
            )
        assert f"{bet.title.en} | otherwise | loses [{bet.clause}]" in page
        if bet.push:
            assert f"{bet.title.en} | the hands tie | stake returned [{bet.push.clause}]" in page


@reads(19, 28, 29, 30, 40)
def test_what_no_rulebook_has_is_marked_house_procedure_in_both_languages(game: Game) -> None:
    """Who closes bets, the last hand, cut and burn; a shuffler and terminals where they are the house's own."""
    own = (
        {19, 28, 29}
        | ({30} if game.basics.shuffler else set())
        | ({40} if game.announcements.by == "dealer" else set())
    )
    for language, words in (("en", "house procedure"), ("zh", "本場程序")):
        marked = [line for line in lines(game, language) if words in line]
        assert {int(line.rsplit("[reading ", 1)[1][:-1]) for line in marked} == own


def test_a_page_names_the_shuffler_where_the_rulebook_does(game: Game) -> None:
    told = any("electronic shuffler" in line and "[3.4]" in line for line in lines(game, "en"))
    assert told == (game.id == "super-six-plus")
    assert any("電子洗牌機" in line for line in lines(game, "zh")) == told


def test_every_ground_and_reading_is_on_the_page(game: Game) -> None:
    page = "\n".join(lines(game, "en"))
    assert all(
        f"{i.ground.title.en} |" in page and f"[{i.clause}]" in page for i in game.irregularities
    )
    assert all(r.text.en in page and f"[{r.citation}]" in page for r in game.readings)


def test_every_line_has_a_clause_and_both_languages(game: Game) -> None:
    for section in rules_page(game):
        assert re.search("[\u4e00-\u9fff]", section.title.zh)
        for row in section.rows:
            assert row.clause
            assert all(cell.en and cell.zh for cell in row.cells)
            assert re.search("[\u4e00-\u9fff]", "".join(cell.zh for cell in row.cells))
            assert not re.search("[\u4e00-\u9fff]", "".join(cell.en for cell in row.cells))


def test_chinese_names_the_hands_and_the_tie(game: Game) -> None:
    page = "\n".join(lines(game, "zh"))
    assert all(word in page for word in ("莊", "閒", "和"))


def test_the_literal_announcements_stay_english_in_chinese(game: Game) -> None:
    page = "\n".join(lines(game, "zh"))
    assert game.announcements.open in page
    assert game.announcements.close in page


def test_the_draw_table_is_read_off_the_tableau() -> None:
    page = lines(GAMES["rapid"], "en")
    assert "Banker has 3 and Player's third card is worth | 0–7, 9 | 8 [3.9.4]" in page
    assert "Player has | 0–5 | 6–7 [3.9.2]" in page
    assert "Banker has, when Player stood | 0–5 | 6–7 [3.9.3]" in page


@reads(38, 40)
def test_the_date_of_the_rules_and_house_procedure_are_shown() -> None:
    assert heading(GAMES["rapid"]).en == "Rules as of 2017-02-17, version 5"
    assert heading(GAMES["six-star"]).en == "Rules as of 2017-03-17"
    for game_id in ("six-star", "fortune-six", "sands-elements"):
        assert any("house procedure" in row for row in lines(GAMES[game_id], "en"))
    assert "Banker has 7 and Player's third card is worth | – | 0–9 [3.9:table]" in lines(
        GAMES["sands-elements"], "en"
    )


def test_numbers_are_said_as_runs() -> None:
    assert [numbers(s).en for s in ((), (4,), (8, 9), (0, 1, 2, 5, 7, 8))] == [
        "–",
        "4",
        "8–9",
        "0–2, 5, 7–8",
    ]
