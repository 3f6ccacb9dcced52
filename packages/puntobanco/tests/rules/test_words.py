import json
import re
import subprocess

from puntobanco import GAMES, Game
from puntobanco.base.citations import HEADINGS, citation
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.readings import READINGS
from puntobanco.rules.rules_page import heading, numbers, rules_page
from tests.support.claims import proves, reads
from tests.support.node import needs_node
from tools.tree import ROOT


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


@reads(19, 23, 28, 29, 30, 37, 39, 40)
def test_what_no_rulebook_has_is_marked_house_procedure_in_both_languages(game: Game) -> None:
    """Who closes bets, the last hand, cut and burn, limits, reopening; shuffler and terminals where they are its own."""
    own = (
        {19, 23, 28, 29, 37, 39}
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


@proves(mbs="3.8 3.8.1 3.8.2", super_six_plus="1:pair 3.4")
def test_a_page_says_that_a_pair_is_the_first_two_cards(game: Game) -> None:
    """D8 of the rules audit: by the old words 2-9-9 was a pair."""
    english, chinese = lines(game, "en"), lines(game, "zh")
    for hand in ("Player", "Banker"):
        assert any(f"{hand}'s first two cards are a pair | pays 11 to 1" in row for row in english)
    assert any("a hand's first two cards are of one rank" in row for row in english)
    for hand in "閒莊":
        assert any(f"{hand}首兩張牌成對 | 1 賠 11" in row for row in chinese)
    assert any("對子指首兩張牌牌面相同" in row for row in chinese)


@proves(six_star="1.1.1 1.1.3 1.1.4")
def test_what_a_rulebook_names_is_explained_on_the_page() -> None:
    """D9 of the rules audit: nothing said that Flaming 9's make nine."""
    english, chinese = lines(GAMES["six-star"], "en"), lines(GAMES["six-star"], "zh")
    explained = (
        "Player has Flaming 9's | two Fire cards that make nine [1.1.4]",
        "6 Stars | a tie in which each hand holds one Sau, one Luk and one Fuk [1.1.1]",
        "every card dealt is of one element | all four, five or six cards of both finished hands have the same element, "
        "whoever wins [1.1.3]",
    )
    assert [row for row in explained if row not in english] == []
    assert any("兩張牌皆為火且合計九點" in row and "[1.1.4]" in row for row in chinese)
    assert any("雙方各有壽、祿、福一張" in row and "[1.1.1]" in row for row in chinese)
    assert any("as 4 and 5 do, or ace and 8" in row and "[reading 4]" in row for row in english)
    assert any("火九指首兩張牌合計九點且皆為火，如 4 與 5、A 與 8" in row for row in chinese)


@proves(mbs="2.1 5.4")
def test_jokers_backs_and_exposure_are_on_the_page_where_the_rulebook_has_them(game: Game) -> None:
    """D11 of the rules audit."""
    english, chinese = lines(game, "en"), lines(game, "zh")
    has_them = game.id != "super-six-plus"
    assert ("No jokers; all backs of one colour and design [2.1]" in english) == has_them
    assert ("不含小丑牌；牌背顏色及圖案一致 [2.1]" in chinese) == has_them
    assert any("whether or not cards were seen" in row and "[5.4]" in row for row in english) == (
        has_them
    )
    assert any("不論牌面有否外露" in row and "[5.4]" in row for row in chinese) == has_them


@reads(31, 39)
def test_faults_reopening_and_disputes_are_on_every_page(game: Game) -> None:
    english, chinese = lines(game, "en"), lines(game, "zh")
    for page, said in (
        (
            english,
            (
                "is finished by rule",
                "may ask for a review of the round",
                "may be reopened until bets open",
            ),
        ),
        (chinese, ("將依規則以既定或已派出的牌完成", "要求覆核該局", "可由兩名職員重開")),
    ):
        for words in said:
            assert any(words in row for row in page), words


PRINTED = re.compile(r"\d+(\.\d+)*(, [A-Z][\w -]+)?|our reading \d+|house procedure \d+|house")
PRINTED_ZH = re.compile(r"\d+(\.\d+)*( [\u4e00-\u9fff]+( Plus)?)?|詮釋 \d+|本場程序 \d+|本場")


@reads(38)
def test_no_clause_is_shown_but_as_its_book_prints_it(game: Game) -> None:
    """D11 and section 6 of the rules audit: nobody finds `1:tie` in a printed rulebook."""
    for section in rules_page(game):
        for row in section.rows:
            assert PRINTED.fullmatch(citation(row.clause, "en")), row.clause
            assert PRINTED_ZH.fullmatch(citation(row.clause, "zh")), row.clause


def test_a_part_without_a_number_goes_by_the_books_own_heading() -> None:
    unnumbered = {clause for book in CLAUSES.values() for clause in book if ":" in clause}
    assert unnumbered == set(HEADINGS)
    assert citation("1:super-six-plus", "en") == "1, Super Six Plus"
    assert citation("3.9:table", "zh") == "3.9 補牌規則"


@needs_node
def test_the_screens_call_every_clause_what_the_pages_call_it() -> None:
    cited = {clause for book in CLAUSES.values() for clause in book}
    clauses = sorted(cited | {f"reading {n}" for n in range(1, READINGS + 1)} | {"house", "H1"})
    module = ROOT / "packages/puntobanco-floor/src/puntobanco_floor/web/screens/base/rules.js"
    script = (
        f"import {{ cited }} from {json.dumps(module.as_uri())};"
        f"const all = {json.dumps(clauses)};"
        'const both = all.map((clause) => [cited("en", clause), cited("zh", clause)]);'
        "process.stdout.write(JSON.stringify(both));"
    )
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    ours = [[citation(clause, "en"), citation(clause, "zh")] for clause in clauses]
    assert json.loads(done.stdout) == ours
