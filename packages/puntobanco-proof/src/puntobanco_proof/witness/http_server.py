"""The witness over HTTP: C2SP's `add-checkpoint`, our `mix`, its page, the verifiers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from puntobanco.base.refusal import Refusal
from puntobanco_proof.verifier import FILES, verifier
from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.refusals import WitnessRefuses
from puntobanco_proof.witness.requests import (
    MOST_CHECKPOINT_BYTES,
    MOST_MIX_BYTES,
    LogSeen,
    Mixed,
    Status,
    read_add_checkpoint,
    read_mix,
)

_log = logging.getLogger("puntobanco.witness")

PLAIN = "text/plain; charset=utf-8"
SIZE_TYPE = "text/x.tlog.size"
JSON_TYPE = "application/json"
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
_PAGE_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}

_Asker = Request[Any, Any, State]
_Bytes = Response[bytes]


def create_app(decider: Decider) -> Litestar:
    return Litestar(
        HANDLERS,
        state=State({"decider": decider}),
        logging_config=None,
        openapi_config=None,
        request_max_body_size=MOST_CHECKPOINT_BYTES,
        exception_handlers={Refusal: _on_refusal, HTTPException: _on_http, Exception: _on_fault},
    )


def _decider(state: State) -> Decider:
    found: Decider = state["decider"]
    return found


# Asked by logs


@post("/add-checkpoint", status_code=200)
async def add_checkpoint(request: _Asker, state: State) -> _Bytes:
    asked = read_add_checkpoint(await request.body())
    signature = await asyncio.to_thread(_decider(state).cosign, asked)
    return _answer(signature.line.encode(), PLAIN)


@post("/mix", status_code=200, request_max_body_size=MOST_MIX_BYTES)
async def mix(request: _Asker, state: State) -> _Bytes:
    asked = read_mix(await request.body())
    signature = await asyncio.to_thread(_decider(state).mix, asked)
    return _answer(msgspec.json.encode(Mixed(signature=signature.hex())), JSON_TYPE)


# Asked by people


@get("/")
async def show_page(state: State) -> _Bytes:
    decider = _decider(state)
    status = await asyncio.to_thread(decider.status)
    text = page(status, decider.identity.policy_lines())
    return _answer(text.encode(), "text/html; charset=utf-8", more=_PAGE_HEADERS)


@get("/status")
async def show_status(state: State) -> _Bytes:
    """For programs: what is monitored, and what an audit holds a journal to."""
    status = await asyncio.to_thread(_decider(state).status)
    return _answer(msgspec.json.encode(status), JSON_TYPE)


@get("/verify.html")
async def verify_html() -> _Bytes:
    return _file("verify.html")


@get("/verify.py")
async def verify_py() -> _Bytes:
    return _file("verify.py")


def _file(name: str) -> _Bytes:
    """Serve a verifier; it brings a policy of its own for browsers."""
    try:
        data = verifier(name)
    except OSError:
        raise WitnessRefuses(404, f"this release has no {name}") from None
    return _answer(data, f"{FILES[name]}; charset=utf-8")


HANDLERS = (add_checkpoint, mix, show_page, show_status, verify_html, verify_py)


# Answers


def _answer(
    data: bytes, type_: str, *, status: int = 200, more: Mapping[str, str] | None = None
) -> _Bytes:
    # by the header: to a media type Litestar would add its charset a second time
    headers = {**_HEADERS, **(more or {}), "content-type": type_}
    return Response(data, status_code=status, headers=headers)


def _said(status: int, reason: str) -> _Bytes:
    return _answer(f"{reason}\n".encode(), PLAIN, status=status)


def _on_refusal(_: _Asker, refusal: Refusal) -> _Bytes:
    if isinstance(refusal, OtherSize):
        return _answer(f"{refusal.size}\n".encode(), SIZE_TYPE, status=refusal.status)
    status = refusal.status if isinstance(refusal, WitnessRefuses) else 400
    return _said(status, refusal.reason)


def _on_http(_: _Asker, error: HTTPException) -> _Bytes:
    return _said(error.status_code, " ".join(error.detail.split())[:200])


def _on_fault(_: _Asker, error: Exception) -> _Bytes:
    _log.error("failed: a request could not be answered; nothing was signed", exc_info=error)
    return _said(500, "a fault in this program; nothing was signed")


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "pre{white-space:pre-wrap}code,td{overflow-wrap:anywhere}table{border-collapse:collapse}"
    "th,td{text-align:left;padding:.3rem 1rem .3rem 0;border-bottom:1px solid #999}"
)

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Witness {name}</title>
<style>{style}</style>
<h1>Witness {name}</h1>
<p>This program cosigns what follows from what it cosigned before, and remembers it. It vouches for
nothing else: not that a log is true, nor that it is complete.</p>
<h2>Logs</h2>
<table>
<tr><th>Log<th>Entries cosigned<th>Last time</tr>
{rows}
</table>
<p>Contradictions refused: {refused}</p>
<h2>Lines for a policy</h2>
<pre><code>{policy}</code></pre>
<p>Compare them with what the people who run this witness publish elsewhere.</p>
<p><a href="/verify.html">Check a receipt in your browser</a>,
or with <a href="/verify.py">a program of one file</a>.
<a href="/status">The same as this page, for programs</a>.</p>
</html>
"""


def page(status: Status, policy: str) -> str:
    return _PAGE.format(
        name=escape(status.name),
        style=_STYLE,
        rows="\n".join(map(_row, status.logs)),
        refused=status.refused,
        policy=escape(policy),
    )


def _row(log: LogSeen) -> str:
    when = "never"
    if log.note:
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(log.at))
    return f"<tr><td>{escape(log.origin)}<td>{log.size:,}<td>{when}</tr>"
