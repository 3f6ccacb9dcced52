"""Documents as PDF: the same data is the same file, and what is copied from it can be read."""

import re
import time
import unicodedata

from puntobanco.document import Document, Table, _typst, pdf

LONG = "123456789" * 40


def a_document(title: str = "A sheet") -> Document:
    columns = ("line", "numerator")
    table = Table(title="Fractions", columns=columns, rows=[("banker wins", LONG)])
    return Document(
        title=title, method="", facts=[("Made", "today")], tables=[table], charts=[], appendix=[]
    )


def test_the_same_document_is_the_same_pdf_a_second_later() -> None:
    before = pdf(a_document())
    time.sleep(1.1)
    assert pdf(a_document()) == before
    assert pdf(a_document("Another")) != before
    assert b"CreationDate" not in before


def test_a_numerator_can_be_copied_from_a_pdf_and_stays_on_its_page() -> None:
    """What stands in the source of a page is what is copied from it: nothing between digits but where they may break."""
    source = _typst(a_document())
    assert not [sign for sign in source if unicodedata.category(sign) == "Cf"], "no invisible signs"
    digits = re.findall(r'"(\d+)"', source)
    assert "".join(digits) == LONG
    assert max(map(len, digits)) <= 8
    assert source.count("box()") == len(digits) - 1
