"""Roads and counts as they are sent."""

from hypothesis import given
from hypothesis import strategies as st

from puntobanco.floor.views.roads import counts, roads_view

RESULTS = st.lists(
    st.sampled_from([w + p for w in "BPT" for p in ("", "b", "p", "bp")]), max_size=90
).map(tuple)


@given(RESULTS)
def test_counts_are_of_every_round(results: tuple[str, ...]) -> None:
    found = counts(results, natural=2, void=1)
    assert found.rounds == len(results) == found.banker + found.player + found.tie
    assert found.banker_pair == sum("b" in result for result in results)
    assert found.player_pair == sum("p" in result for result in results)
    assert (found.natural, found.void) == (2, 1), "as the table counted them"


def test_leading_ties_wait_on_the_first_cell_and_then_belong_to_it() -> None:
    assert roads_view(("T", "T")).big == ((0, 0, "T2"),)
    assert roads_view(("T", "T", "Pb")).big == ((0, 0, "P2b"),)
