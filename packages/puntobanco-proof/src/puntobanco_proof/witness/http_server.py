"""HTTP server of a witness: `add-checkpoint` (C2SP), `mix`, its status page and the verifiers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from html import escape
from http import HTTPStatus

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from puntobanco.base.refusal import Refusal
from puntobanco_proof.verifier import FILES, read_verifier
from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.refusals import WitnessRefuses
from puntobanco_proof.witness.requests import (
    MAX_CHECKPOINT_BYTES,
    MAX_MIX_BYTES,
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


def create_app(decider: Decider) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await _respond(decider, Request(scope, receive))
        except ClientDisconnect:
            return
        except Refusal as refusal:
            response = _answer_refusal(refusal)
        except Exception as error:
            _log.error(
                "internal error while answering a request; nothing was signed", exc_info=error
            )
            response = _answer_text(500, "internal error; nothing was signed")
        await response(scope, receive, send)

    return app


async def _respond(decider: Decider, request: Request) -> Response:
    path = "/" + "/".join(filter(None, request.scope["path"].split("/")))
    if path not in HANDLERS:
        raise _build_http_error(404)
    method, handle = HANDLERS[path]
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"allow": ", ".join(sorted((method, "OPTIONS")))})
    if request.method != method:
        raise _build_http_error(405)
    return await handle(decider, request)


async def _read(request: Request, most: int) -> bytes:
    """Return the body; refuse one longer than `most` bytes."""
    body = bytearray()
    if int(request.headers.get("content-length", 0)) > most:
        raise _build_http_error(413)
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise _build_http_error(413)
    return bytes(body)


# Requests of logs


async def add_checkpoint(decider: Decider, request: Request) -> Response:
    asked = read_add_checkpoint(await _read(request, MAX_CHECKPOINT_BYTES))
    signature = await asyncio.to_thread(decider.cosign, asked)
    return _answer(signature.line.encode(), PLAIN)


async def mix(decider: Decider, request: Request) -> Response:
    asked = read_mix(await _read(request, MAX_MIX_BYTES))
    signature = await asyncio.to_thread(decider.mix, asked)
    return _answer(msgspec.json.encode(Mixed(signature=signature.hex())), JSON_TYPE)


# Pages


async def show_page(decider: Decider, _: Request) -> Response:
    status = await asyncio.to_thread(decider.status)
    text = render_page(status, decider.identity.build_policy_lines())
    return _answer(text.encode(), "text/html; charset=utf-8", more=_PAGE_HEADERS)


async def show_status(decider: Decider, _: Request) -> Response:
    """Send the status as JSON, for monitoring and for audits."""
    status = await asyncio.to_thread(decider.status)
    return _answer(msgspec.json.encode(status), JSON_TYPE)


async def show_verifier(_: Decider, request: Request) -> Response:
    """Send a verifier; verify.html carries its own content security policy."""
    name = request.scope["path"].strip("/")
    try:
        data = read_verifier(name)
    except OSError:
        raise WitnessRefuses(404, f"this release does not include {name}") from None
    return _answer(data, f"{FILES[name]}; charset=utf-8")


HANDLERS: dict[str, tuple[str, Callable[[Decider, Request], Awaitable[Response]]]] = {
    "/add-checkpoint": ("POST", add_checkpoint),
    "/mix": ("POST", mix),
    "/": ("GET", show_page),
    "/status": ("GET", show_status),
    "/verify.html": ("GET", show_verifier),
    "/verify.py": ("GET", show_verifier),
}


# Answers


def _answer(
    data: bytes, type_: str, *, status: int = 200, more: Mapping[str, str] | None = None
) -> Response:
    # set the header here: Starlette would add a charset to a media type
    return Response(data, status, {**_HEADERS, **(more or {}), "content-type": type_})


def _answer_text(status: int, reason: str) -> Response:
    return _answer(f"{reason}\n".encode(), PLAIN, status=status)


def _build_http_error(status: int) -> WitnessRefuses:
    return WitnessRefuses(status, HTTPStatus(status).phrase)


def _answer_refusal(refusal: Refusal) -> Response:
    if isinstance(refusal, OtherSize):
        return _answer(f"{refusal.size}\n".encode(), SIZE_TYPE, status=refusal.status)
    status = refusal.status if isinstance(refusal, WitnessRefuses) else 400
    return _answer_text(status, refusal.reason)


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
<p>This witness cosigns a checkpoint only if it extends the one that it cosigned last. It does not
vouch that a log is true or complete.</p>
<h2>Logs</h2>
<table>
<tr><th>Log<th>Entries cosigned<th>Last time</tr>
{rows}
</table>
<p>Contradictions refused: {refused}</p>
<h2>Lines for a policy</h2>
<pre><code>{policy}</code></pre>
<p>Compare them with the lines that the operator of this witness publishes elsewhere.</p>
<p><a href="/verify.html">Check a receipt in your browser</a>,
or with <a href="/verify.py">a single-file program</a>.
<a href="/status">This page as JSON</a>.</p>
</html>
"""


def render_page(status: Status, policy: str) -> str:
    return _PAGE.format(
        name=escape(status.name),
        style=_STYLE,
        rows="\n".join(map(_render_row, status.logs)),
        refused=status.refused,
        policy=escape(policy),
    )


def _render_row(log: LogSeen) -> str:
    when = "never"
    if log.note:
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(log.at))
    return f"<tr><td>{escape(log.origin)}<td>{log.size:,}<td>{when}</tr>"
