"""Roads as they are sent: what a terminal keeps by setting cells is what the server would send whole."""

from hypothesis import given
from hypothesis import strategies as st

from puntobanco.floor.views.roads import Cell, RoadsView, counts, marks, roads_view

ROADS = RoadsView.__struct_fields__
RESULTS = st.lists(
    st.sampled_from([w + p for w in "BPT" for p in ("", "b", "p", "bp")]), max_size=90
).map(tuple)


@given(RESULTS)
def test_marks_set_one_after_another_make_the_whole_roads(results: tuple[str, ...]) -> None:
    kept: dict[str, dict[tuple[int, int], str]] = {road: {} for road in ROADS}
    for n in range(1, len(results) + 1):
        new = marks(results[:n])
        for road in ROADS:
            cells: tuple[Cell, ...] = getattr(new, road)
            assert len(cells) <= 1, "one result sets at most one cell of a road"
            kept[road] |= {(row, col): mark for row, col, mark in cells}
    whole = roads_view(results)
    assert kept == {road: {(r, c): m for r, c, m in getattr(whole, road)} for road in ROADS}


@given(RESULTS)
def test_counts_are_of_every_round(results: tuple[str, ...]) -> None:
    found = counts(results, natural=2, void=1)
    assert found.rounds == len(results) == found.banker + found.player + found.tie
    assert found.banker_pair == sum("b" in result for result in results)
    assert found.player_pair == sum("p" in result for result in results)
    assert (found.natural, found.void) == (2, 1), "as the table counted them"


def test_leading_ties_wait_on_the_first_cell_and_then_belong_to_it() -> None:
    assert roads_view(("T", "T")).big == ((0, 0, "T2"),)
    assert marks(("T", "T", "Pb")).big == ((0, 0, "P2b"),)
