"""Roads against worked examples, a second hand-written layout, and the rules of DESIGN in small cases."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.refusals import BadResults
from puntobanco.scoreboards import (
    MAX_RESULTS,
    TURNS,
    Roads,
    Turn,
    bead_plate,
    parse_results,
    result_of,
    roads,
)
from tests.support.claims import reads
from tests.support.deals import dealt


def made(text: str, turn: Turn = "retry-down") -> Roads:
    return roads(parse_results(text), turn=turn)


def picture(drawn: Roads) -> list[str]:
    """The big road as six lines of text."""
    at = {(c.row, c.col): c.winner[0].upper() for c in drawn.big_road}
    width = 1 + max(col for _, col in at)
    return [
        "".join(at.get((row, col), ".") for col in range(width)).rstrip(".") for row in range(6)
    ]


def test_a_long_streak_turns_right_and_the_next_run_starts_beside_its_head() -> None:
    assert picture(made("BBBBBBBBP")) == ["BP", "B", "B", "B", "B", "BBB"]


def test_two_dragon_tails_turn_one_above_the_other() -> None:
    assert picture(made("B" * 9 + "P" * 8)) == ["BP", "BP", "BP", "BP", "BPPPP", "BBBB"]


def test_past_the_older_tail_a_streak_tries_down_again_or_keeps_right() -> None:
    results = "B" * 7 + "P" * 8
    assert picture(made(results)) == ["BP", "BP", "BP", "BP", "BPP", "BBPP"]
    assert picture(made(results, "keep-right")) == ["BP", "BP", "BP", "BP", "BPPPP", "BB"]


def test_a_new_run_moves_right_while_its_head_is_taken() -> None:
    """Seven tails fill rows 5 to 0; the sixth run's tail lies in row 0, so the seventh starts past it."""
    drawn = made("".join(("B" if n % 2 == 0 else "P") * 12 for n in range(7)))
    heads = [c.col for c in drawn.big_road if c.row == 0]
    assert len(set(heads)) == len(heads)
    cells = [(c.row, c.col) for c in drawn.big_road]
    assert len(set(cells)) == len(cells)


def test_ties_take_no_cell() -> None:
    cells = [(c.row, c.col, c.winner, c.ties) for c in made("TTBTTPPTB").big_road]
    assert cells == [
        (0, 0, "banker", 4),
        (0, 1, "player", 0),
        (1, 1, "player", 1),
        (0, 2, "banker", 0),
    ]


def test_only_ties_make_one_tie_cell() -> None:
    assert [(c.row, c.col, c.winner, c.ties) for c in made("TTT").big_road] == [(0, 0, "tie", 3)]
    assert made("T").big_eye.sequence == ""


def test_no_results_no_roads() -> None:
    assert made("") == Roads((), (), *(made("").big_eye,) * 3)


def test_the_bead_plate_shows_every_round_down_then_right() -> None:
    beads = bead_plate(parse_results("BPTBPTBbp"))
    assert [(b.row, b.col) for b in beads] == [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (5, 0),
        (0, 1),
    ]
    assert (beads[6].result.banker_pair, beads[6].result.player_pair) == (True, True)


@pytest.mark.parametrize(
    ("results", "big_eye", "small", "cockroach"),
    [
        ("B", "", "", ""),
        ("BP", "", "", ""),  # run 1 begins; run -1 does not exist
        ("BPB", "R", "", ""),  # runs 0 and 1 are equally long
        ("BPP", "B", "", ""),  # second cell against a run of one: just past its end
        ("BBPP", "R", "", ""),  # second cell against a run of two
        ("BPPP", "BR", "", ""),  # third cell, further past the end: red again
        ("BPPB", "BB", "", ""),
        ("BPBP", "RR", "R", ""),
        ("BPBPB", "RRR", "RR", "R"),
        ("BBPBB", "BB", "R", ""),  # the second cell of run 2 against run 1 (B) and run 0 (R)
    ],
)
def test_derived_roads_in_small(results: str, big_eye: str, small: str, cockroach: str) -> None:
    drawn = made(results)
    assert (drawn.big_eye.sequence, drawn.small.sequence, drawn.cockroach.sequence) == (
        big_eye,
        small,
        cockroach,
    )


# Worked by another program: results, then the three sequences.
WORKED = [
    ("BBBBBBBPBBBBBBBPPPPPPPBPBPBP", "BBRRRRRBRRRRRRRBRRRR", "RRRRRRRBRRRRRBBBRRR", "RRRRRRRRBBRR"),
    (
        "BPBBPPBBPBPBBPBBBBBBBPPPPBBBPBPBBPBPBPPPBPBPPPBBPPTBBBTPBBBBPPBPTBBBBP",
        "RBBRRRRBRRBBBBRRRRRBRRRBRRBBRRBBBRRRBRBBRRBRBRBRRRBBBBRRBRBBRBRRB",
        "BBBBRRBBRBBRRBRRRRBBRRBRRBBBRBBRBRRBRBRBRBRBBBRBRBBBRRBBBBBBBRRB",
        "BBBBBBBBBRBRRRRRBRBRBBRBBBBBBRRBRBRBRRBBRBBBBBRRRBRBRBRBRBRBRB",
    ),
]


@pytest.mark.parametrize(("results", "big_eye", "small", "cockroach"), WORKED)
def test_derived_roads_of_whole_shoes(
    results: str, big_eye: str, small: str, cockroach: str
) -> None:
    drawn = made(results)
    assert (drawn.big_eye.sequence, drawn.small.sequence, drawn.cockroach.sequence) == (
        big_eye,
        small,
        cockroach,
    )


def by_columns(results: str, apart: int) -> str:
    """The same road the way dealers are taught it: look left on a board without bent tails, cell by cell."""
    columns: list[int] = []
    last, colors = "", ""
    for result in results.replace("T", ""):
        if result != last:
            columns.append(0)
            last = result
        columns[-1] += 1
        here, row = len(columns) - 1, columns[-1]
        if row == 1:
            if here - 1 - apart >= 0:
                colors += "R" if columns[here - 1] == columns[here - 1 - apart] else "B"
        elif here - apart >= 0:
            mark = (
                columns[here - apart] >= row
            )  # is there a mark beside this one, `apart` columns back?
            above = columns[here - apart] >= row - 1  # and beside the one above?
            colors += "R" if mark == above else "B"
    return colors


@given(st.text("BPT", max_size=90))
def test_derived_roads_agree_with_looking_left_on_the_board(results: str) -> None:
    drawn = made(results)
    for apart, road in enumerate((drawn.big_eye, drawn.small, drawn.cockroach), 1):
        assert road.sequence == by_columns(results, apart)


@given(st.text("BPT", max_size=120), st.sampled_from(TURNS))
def test_no_two_marks_share_a_cell_and_none_is_lost(results: str, turn: Turn) -> None:
    drawn = made(results, turn)
    assert len(drawn.bead_plate) == len(results)
    for marks in (
        [(c.row, c.col) for c in drawn.big_road],
        *(
            [(m.row, m.col) for m in road.cells]
            for road in (drawn.big_eye, drawn.small, drawn.cockroach)
        ),
    ):
        assert len(set(marks)) == len(marks)
        assert all(0 <= row < 6 and col >= 0 for row, col in marks)
    if results.replace("T", ""):
        assert sum(c.ties for c in drawn.big_road) == results.count("T")
        assert len(drawn.big_road) == len(results.replace("T", ""))


@given(st.text("BPT", max_size=80), st.sampled_from(TURNS))
def test_a_further_result_moves_no_earlier_cell(results: str, turn: Turn) -> None:
    before, after = made(results, turn), made(results + "B", turn)
    if results.replace("T", ""):
        cells = [(c.row, c.col, c.winner) for c in before.big_road]
        assert [(c.row, c.col, c.winner) for c in after.big_road][: len(cells)] == cells
    assert after.big_eye.sequence.startswith(before.big_eye.sequence)


@pytest.mark.parametrize("text", ["X", "b", "BPX", "Bbb", "Bppp", "B1", "Bpbp"])
def test_what_is_no_result_is_refused_where_it_stands(text: str) -> None:
    with pytest.raises(BadResults, match=r"result \d cannot be read"):
        parse_results(text)


def test_pairs_may_be_marked_in_either_order_and_spaces_do_not_matter() -> None:
    assert parse_results("Bbp Pp\nT") == parse_results("BpbPpT")


def test_roads_take_a_bounded_number_of_results() -> None:
    assert len(parse_results("B" * MAX_RESULTS)) == MAX_RESULTS
    with pytest.raises(BadResults, match="more than the roads take"):
        parse_results("B" * (MAX_RESULTS + 1))


@reads(33)
def test_a_round_becomes_a_result_and_a_void_becomes_none() -> None:
    """Only a complete round has a result; a void round has no call to make, so it adds nothing."""
    result = result_of(dealt("six-star", "3w Lg 2e Lf 9a 6f"))
    assert (result.winner, result.banker_pair, result.player_pair) == ("banker", True, False)
    with pytest.raises(AssertionError):
        result_of(dealt("six-star", "3w Lg 2e Lf 9a"))


def test_long_random_shoes_lay_out_quickly_and_whole() -> None:
    rng = random.Random(5)
    results = "".join(rng.choices("BPT", [46, 45, 9], k=5_000))
    assert len(made(results).big_road) == len(results.replace("T", ""))
