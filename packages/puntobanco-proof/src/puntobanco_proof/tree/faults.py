"""Refusals of malformed log texts, and parsers for base64 and decimal numbers."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error

from puntobanco.base.refusal import Refusal

HASH_BYTES = 32
MAX_SIZE = 2**63 - 1
"""Largest log size and timestamp: a signed 64-bit integer, as databases store it."""

MAX_HASHES = 63
"""Hashes in one proof; a tree of `MAX_SIZE` leaves needs no more."""

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}")
MAX_QUOTED = 40
"""Characters of a bad text that a message quotes."""


class BadLogText(Refusal):
    """A malformed note, checkpoint, proof, tile or policy."""

    remedy = "Fetch the text again from its publisher; a copy may have lost or changed a line."


class BadNote(BadLogText):
    """A note that is malformed, or that no known key has signed."""

    remedy = "Compare the key with the one that its owner publishes, and fetch the note again."


class BadCheckpoint(BadLogText):
    """A note that is not a checkpoint of the log."""

    remedy = "Fetch the checkpoint again, and compare the log's name with the policy."


class BadTile(BadLogText):
    """A tile, or the path of a tile, that cannot belong to this log."""

    remedy = "Fetch the tile again, by the path that follows from the size in the checkpoint."


class BadProof(BadLogText):
    """A proof that fails to show that an entry is in the log."""

    remedy = "Ask for the receipt again; if it fails again, show it to a witness of the log."


class BadPolicy(BadLogText):
    """A policy file that cannot be used."""

    remedy = "Correct the line that the message names; docs/how-to/run-a-witness.md shows a policy."


def quote_text(text: str) -> str:
    """Quote untrusted text for a message, on one line and cut to MAX_QUOTED characters."""
    cut = text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
    return repr(cut)


def decode_base64(text: str, refuse: type[BadLogText]) -> bytes:
    """Decode canonical base64.

    >>> decode_base64("AQI=", BadNote)
    b'\\x01\\x02'
    """
    try:
        data = b64decode(text, validate=True)
    except (Error, ValueError):
        raise refuse(f"{quote_text(text)} is not base64") from None
    if encode_base64(data) != text:
        raise refuse(f"{quote_text(text)} is not canonical base64")
    return data


def encode_base64(data: bytes) -> str:
    return b64encode(data).decode()


def decode_hash(text: str, refuse: type[BadLogText]) -> bytes:
    data = decode_base64(text, refuse)
    if len(data) != HASH_BYTES:
        raise refuse(f"{quote_text(text)} has {len(data)} bytes; a hash must have {HASH_BYTES}")
    return data


def parse_number(text: str, refuse: type[BadLogText]) -> int:
    """Parse a decimal integer without a sign and without leading zeros."""
    if not _DECIMAL.fullmatch(text) or int(text) > MAX_SIZE:
        raise refuse(f"{quote_text(text)} is not a whole number from 0 to {MAX_SIZE}")
    return int(text)
