"""The pages: which address shows which screen, and the files behind them, kept for good.

A page is a file; what it shows comes by the API and the sockets.
"""

from __future__ import annotations

from typing import TypeVar

from puntobanco_floor.domain.stream_names import TABLE
from puntobanco_floor.web import screen_files
from puntobanco_floor.web.context import get_web
from puntobanco_floor.web.font_files import STYLE
from puntobanco_floor.web.request import Asker
from puntobanco_floor.web.routing import NotFoundException, Response, get
from puntobanco_floor.web.screen_files import File

Body = TypeVar("Body", str, bytes)
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
    "/staff/reports": "reports",
}
"""The scripts read what is in the address themselves. `/odds`, which may be off, is in `lab`."""

_SCREENS = {path.replace(":int", ""): screen for path, screen in PAGES.items()}

WINDOWS = range(1, 1_001)
"""The cage windows that there can be; one is opened with its first shift."""

FOR_EVER = "public, max-age=31536000, immutable"
ASKED_AGAIN = "no-cache"
KEPT_A_MINUTE = "max-age=60"
"""A page: from one to another and back nobody waits for it. What it names is kept as well."""

KEPT_A_WHILE = "max-age=600, stale-while-revalidate=31536000"
"""Used at once and asked for behind: what a style sheet names stays where it was."""


def send_file(request: Asker, found: File, *, caching: str = ASKED_AGAIN) -> Response[bytes]:
    """A file, compressed where the browser takes it; nothing where the browser has it already."""
    headers = {"etag": found.tag, "cache-control": caching, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(b"", status_code=304, headers=headers)
    is_packed = found.kind.startswith("font/")
    if "gzip" in request.headers.get("accept-encoding", "") and not is_packed:
        return Response(
            found.zipped, headers={**headers, "content-encoding": "gzip"}, media_type=found.kind
        )
    return Response(found.plain, headers=headers, media_type=found.kind)


def send_download(content: Body, name: str, kind: str) -> Response[Body]:
    """Answer with a file that the browser keeps under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


@get("/screens/{path:path}", include_in_schema=False)
async def file(request: Asker, path: str) -> Response[bytes]:
    """By the hash of this tree, for good. By another, as a page of another version asks while a
    floor is upgraded, or by none: the file as it is here, for this time.
    """
    tree = screen_files.latest()
    asked, name = screen_files.split(path)
    if name not in tree.files:
        raise NotFoundException("there is no such file")
    is_page = name.endswith(".html")  # its addresses change with every file
    caching = FOR_EVER if asked == tree.hash and not is_page else ASKED_AGAIN
    return send_file(request, tree.files[name], caching=caching)


@get("/fonts.css", include_in_schema=False)
async def fonts_style(request: Asker) -> Response[bytes]:
    """Empty on a floor without fonts; pages ask after they have painted."""
    return send_file(request, get_web(request).fonts[STYLE], caching=KEPT_A_WHILE)


@get("/fonts/{name:str}", include_in_schema=False)
async def font(request: Asker, name: str) -> Response[bytes]:
    """A font has its hash in its name."""
    found = get_web(request).fonts.get(name)
    if found is None or name == STYLE:
        raise NotFoundException("there is no such font")
    return send_file(request, found, caching=FOR_EVER)


def send_page(request: Asker, screen: str) -> Response[bytes]:
    found = screen_files.present().files[f"{screen}/index.html"]
    return send_file(request, found, caching=KEPT_A_MINUTE)


def _verify_exists(request: Asker) -> None:
    """Of a table there is a page where there is a table, also while its journal cannot be followed:
    a terminal there waits.
    """
    web, asked = get_web(request), request.path_params
    if asked.get("window", 1) not in WINDOWS:
        raise NotFoundException("there is no such cage window")
    if (
        "number" in asked
        and (name := f"{TABLE}{asked['number']}") not in web.floor.follower.blocked
    ):
        web.floor.follower.stream(name)


@get(list(PAGES), include_in_schema=False)
async def page(request: Asker) -> Response[bytes]:
    _verify_exists(request)
    return send_page(request, _SCREENS[request.scope["path_template"]])
