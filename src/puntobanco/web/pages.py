"""The pages: which address shows which screen, and the files behind them, compressed once and sent
only when changed.

A page is a file; what it shows comes by the API and the sockets.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from puntobanco.web.request import Asker

SCREENS = Path(__file__).with_name("screens")
PAGES = {
    "/": "lobby",
    "/tables/{number:int}": "terminal",
    "/tables/{number:int}/display": "display",
    "/tables/{number:int}/rules": "rules",
    "/enrol": "enrol",
    "/staff": "login",
    "/staff/dealer": "dealer",
    "/staff/dealer/{number:int}": "dealer",
    "/staff/pit": "pit",
    "/staff/cage": "cage",
    "/staff/cage/{window:int}": "cage",
    "/staff/audit": "audit",
    "/staff/admin": "admin",
}
"""The scripts read what is in the address themselves. `/odds`, which may be off, is in `lab`."""

KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
NAMES = frozenset(
    path.relative_to(SCREENS).as_posix() for path in SCREENS.rglob("*") if path.suffix in KINDS
)
"""All that is served; what is not among it is not looked for."""


@dataclass(frozen=True)
class File:
    kind: str
    plain: bytes
    zipped: bytes
    tag: str


@lru_cache(maxsize=512)
def _read(name: str, changed: int) -> File:  # noqa: ARG001 - a file that was changed is read again
    plain = (SCREENS / name).read_bytes()
    kind = f"{KINDS[Path(name).suffix]}; charset=utf-8"
    return File(
        kind, plain, gzip.compress(plain, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:24]}"'
    )


def _sent(request: Asker, name: str) -> Response[bytes]:
    found = _read(name, (SCREENS / name).stat().st_mtime_ns)
    headers = {"etag": found.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(b"", status_code=304, headers=headers, media_type=found.kind)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            found.zipped, headers={**headers, "content-encoding": "gzip"}, media_type=found.kind
        )
    return Response(found.plain, headers=headers, media_type=found.kind)


@get("/screens/{name:path}", include_in_schema=False)
async def file(request: Asker, name: str) -> Response[bytes]:
    if name.removeprefix("/") not in NAMES:
        raise NotFoundException("there is no such file")
    return _sent(request, name.removeprefix("/"))


def page_of(request: Asker, screen: str) -> Response[bytes]:
    return _sent(request, f"{screen}/index.html")


def _page(screen: str) -> HTTPRouteHandler:
    @get(
        [path for path, its in PAGES.items() if its == screen],
        include_in_schema=False,
        name=f"page {screen}",
    )
    async def page(request: Asker) -> Response[bytes]:
        return page_of(request, screen)

    return page


HANDLERS = [file, *map(_page, sorted(set(PAGES.values())))]
