"""Roads and counts as they are sent."""

from hypothesis import given
from hypothesis import strategies as st

from puntobanco_floor.views.road_grids import ask_marks, counts, roads_view

RESULTS = st.lists(
    st.sampled_from([w + p for w in "BPT" for p in ("", "b", "p", "bp")]), max_size=90
).map(tuple)


@given(RESULTS)
def test_counts_are_of_every_round(results: tuple[str, ...]) -> None:
    found = counts(results, natural=2, void=1, six=3)
    assert found.rounds == len(results) == found.banker + found.player + found.tie
    assert found.banker_pair == sum("b" in result for result in results)
    assert found.player_pair == sum("p" in result for result in results)
    assert (found.natural, found.void, found.banker_six) == (2, 1, 3), "as the table counted them"


@given(RESULTS)
def test_ask_marks_are_what_the_roads_then_show(results: tuple[str, ...]) -> None:
    asked, before = ask_marks(results), roads_view(results)
    for winner, marks in (("B", asked.banker), ("P", asked.player)):
        after = roads_view((*results, winner))
        for road, mark in zip(("eye", "small", "pig"), marks, strict=True):
            added = set(getattr(after, road)) - set(getattr(before, road))
            assert [cell[2] for cell in added] == ([mark] if mark else [])


def test_leading_ties_wait_on_the_first_cell_and_then_belong_to_it() -> None:
    assert roads_view(("T", "T")).big == ((0, 0, "T2"),)
    assert roads_view(("T", "T", "Pb")).big == ((0, 0, "P2b"),)
