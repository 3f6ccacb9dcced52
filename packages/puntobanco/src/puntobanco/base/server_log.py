"""The log: one line an event to standard error, as JSON for programs or as text for people, and
never a secret.

A program gives fields with `extra={"fields": {...}}`. Nobody logs a secret on purpose; what looks
like one (a bearer token, a cookie, a voucher's number, a terminal's code or key, a password in an
address) is hidden all the same.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from contextvars import ContextVar
from typing import TextIO

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered; it is in its log lines and in the answer's
X-Request-Id.
"""

HIDDEN = "[hidden]"
_SECRETS = (
    re.compile(r"(?<=Bearer )\S+"),
    re.compile(r"(?<=://)[^/@\s:]*:[^/@\s]*(?=@)"),  # a password in an address
    re.compile(r"(?<=[?&]password=)[^&\s]+"),
    re.compile(r"\b\d{6}[ -]?\d{6}[ -]?\d{6}\b"),  # a voucher's number
    re.compile(
        r"\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b"
    ),  # the code of a terminal
    re.compile(r"(?<![\w.-])[\w:~@-]*\.[0-9a-f]{64}\b"),  # a ticket
    re.compile(
        r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{32,}(?![\w-])"
    ),  # random: a token or a key
)


def without_secrets(text: str) -> str:
    """The text with what looks like a secret hidden.

    >>> without_secrets("postgresql://floor:s3cret@db/floor refused Bearer abc")
    'postgresql://[hidden]@db/floor refused Bearer [hidden]'
    """
    for secret in _SECRETS:
        text = secret.sub(HIDDEN, text)
    return text


class JsonLines(logging.Formatter):
    """time, level, logger, message; then request and fields where there are any, and error with its
    traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        request, fields = REQUEST.get(), _fields(record)
        if request:
            said["request"] = request
        if fields:
            said["fields"] = _clean(fields)
        if record.exc_info:
            said["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False)


class Plain(logging.Formatter):
    """The same for people, on one line; a traceback follows on its own."""

    def format(self, record: logging.LogRecord) -> str:
        words = [_time(record), record.levelname, f"{record.name}:"]
        words += record.getMessage().split()
        words += [f"{name}={value}" for name, value in _fields(record).items()]
        request = REQUEST.get()
        if request:
            words.append(f"request={request}")
        text = " ".join(words)
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return without_secrets(text)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return getattr(record, "fields", None) or {}


def _clean(value: object) -> object:
    """The same without secrets, as JSON can hold it."""
    if isinstance(value, dict):
        return {str(name): _clean(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    if isinstance(value, bool | int | float | None):
        return value
    return without_secrets(str(value))


def _time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"


def configure(kind: str, level: str, stream: TextIO | None = None) -> None:
    """Everything that this process logs, our libraries' lines too; theirs only from warnings on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else Plain())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("puntobanco").setLevel(level.upper())
