"""Refusals of a log's texts, and their smallest parts: base64 and decimal numbers."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error

from puntobanco.base.refusal import Refusal

HASH_BYTES = 32
MOST_SIZE = 2**63 - 1
"""Leaves of a log, and seconds of a time: what formats and databases hold."""

MOST_HASHES = 63
"""Of one proof: a tree of `MOST_SIZE` leaves needs no more."""

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}")
SHOWN = 40
"""Characters of a bad text that a message repeats."""


class BadLogText(Refusal):
    """A note, checkpoint, proof, tile or policy of a log that is not written as it must be."""

    remedy = "Take the text anew from whoever published it; a copy may have lost or changed a line."


class BadNote(BadLogText):
    """A signed note that cannot be read, or that a known key has not signed."""

    remedy = "Compare the key with the one that its owner publishes; take the note anew."


class BadCheckpoint(BadLogText):
    """A note that is no checkpoint of the log."""

    remedy = "Take the checkpoint anew, and compare the log's name with that of the policy."


class BadTile(BadLogText):
    """A tile, or a path of one, that cannot be of this log."""

    remedy = "Fetch the tile again by the path that a checkpoint's size gives it."


class BadProof(BadLogText):
    """A proof that does not show that an entry is in the log."""

    remedy = "Ask for the receipt again; if it fails again, show it to a witness of the log."


class BadPolicy(BadLogText):
    """A policy file that cannot be used."""

    remedy = "Mend the line that the message names; docs/how-to/run-a-witness.md shows a policy."


def shown(text: str) -> str:
    """A text of somebody else's, short enough for a message and on one line."""
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "..."
    return repr(cut)


def from_base64(text: str, refuse: type[BadLogText]) -> bytes:
    """
    >>> from_base64("AQI=", BadNote)
    b'\\x01\\x02'
    """
    try:
        data = b64decode(text, validate=True)
    except (Error, ValueError):
        raise refuse(f"{shown(text)} is not base64") from None
    if to_base64(data) != text:
        raise refuse(f"{shown(text)} is not base64 as it must be written")
    return data


def to_base64(data: bytes) -> str:
    return b64encode(data).decode()


def hash_from_base64(text: str, refuse: type[BadLogText]) -> bytes:
    data = from_base64(text, refuse)
    if len(data) != HASH_BYTES:
        raise refuse(f"{shown(text)} has {len(data)} bytes; a hash has {HASH_BYTES}")
    return data


def number_from(text: str, refuse: type[BadLogText]) -> int:
    """A whole number in decimal, without a sign and without leading zeros."""
    if not _DECIMAL.fullmatch(text) or int(text) > MOST_SIZE:
        raise refuse(f"{shown(text)} is not a whole number from 0 to {MOST_SIZE}")
    return int(text)
