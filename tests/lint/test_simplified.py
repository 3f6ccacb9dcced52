"""Simplified Chinese: one map for the screens and for Python, whole, and as OpenCC has it."""

import json
import subprocess

import pytest

from puntobanco.base.simplified import simplified, table
from tests.support.node import needs_node
from tools import hans
from tools.texts import every_text


def test_every_character_of_our_texts_is_known() -> None:
    pytest.importorskip("opencc", reason="OpenCC is of the extra lint")
    made = hans.pairs(hans.used())
    assert hans.kept() == made, "make lint installs OpenCC, then make docs writes the map"
    assert hans.MAP.read_text("utf-8") == hans.browser_tables(made), (
        "make lint installs OpenCC, then make docs writes the map"
    )
    assert hans.TABLES.read_text("utf-8") == hans.python_tables(made)


def test_a_character_becomes_one_and_stays_so() -> None:
    kept = hans.kept()
    assert len(kept) > 200
    assert all(len(one) == len(other) == 1 for one, other in kept.items())
    assert not set(kept.values()) & set(kept)
    assert set(kept) <= hans.used(), "characters that no text uses"


def test_a_word_is_another_than_its_characters_and_some_text_has_it() -> None:
    texts = [text.zh for text in every_text() if text.zh]
    kept = hans.kept()
    for word, becomes in table().items():
        if len(word) == 1:
            continue
        assert "".join(kept.get(one, one) for one in word) != becomes, f"{word} needs no row"
        assert any(word in text for text in texts), f"no text says {word}"
        assert simplified(word) == becomes


@needs_node
def test_python_and_the_screens_say_the_same() -> None:
    texts = sorted({text.zh for text in every_text() if text.zh})
    assert len(texts) > 800
    script = f"""
      import {{ simplified }} from {hans.MAP.as_uri()!r};
      import {{ readFileSync }} from "node:fs";
      console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(simplified)));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout) == [simplified(text) for text in texts]
    assert not any(set(simplified(text)) & set(hans.kept()) for text in texts)
