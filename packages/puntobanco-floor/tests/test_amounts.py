"""Amounts as people read them: one function in Python, one on the screens, and both say the same."""

import subprocess

from puntobanco.base.money import dollars
from tests.support.node import needs_node
from tools.tree import ROOT

AMOUNTS = (0, 5, 100, 99_999, 100_000, 100_050, 123_456_789, -5, -100_000, -100_050)


def test_an_amount_is_told_with_its_commas_and_with_cents_where_there_are_some() -> None:
    assert [dollars(cents) for cents in (100_000, 100_050, 5)] == ["$1,000", "$1,000.50", "$0.05"]


@needs_node
def test_python_and_the_screens_tell_an_amount_alike() -> None:
    money = (
        ROOT / "packages/puntobanco-floor/src/puntobanco_floor/web/screens/base/money.js"
    ).as_uri()
    script = f"""
      import {{ dollars }} from {money!r};
      console.log({list(AMOUNTS)}.map(dollars).join(" "));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == [dollars(cents) for cents in AMOUNTS]
