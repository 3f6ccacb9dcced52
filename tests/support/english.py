"""The English of texts that a test reads."""

from puntobanco.base.words import Words


def english(text: Words | None) -> str:
    """Return nothing for no text, so that a test compares one kind of value."""
    return text.en if text else ""
