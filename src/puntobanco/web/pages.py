"""The pages: which address shows which screen. A page is a file; what it shows comes by the API and the sockets."""

from __future__ import annotations

from pathlib import Path

from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.static_files import create_static_files_router

SCREENS = Path(__file__).with_name("screens")
PAGES = {
    "/": "lobby", "/tables/{number:int}": "terminal", "/tables/{number:int}/display": "display", "/enrol": "enrol",
    "/staff": "login", "/staff/dealer": "dealer", "/staff/dealer/{number:int}": "dealer", "/staff/pit": "pit",
    "/staff/cage": "cage", "/staff/cage/{window:int}": "cage", "/staff/audit": "audit", "/staff/admin": "admin",
    "/odds": "odds",
}  # fmt: skip
"""The scripts read what is in the address themselves."""


def _page(screen: str, paths: list[str]) -> HTTPRouteHandler:
    @get(paths, include_in_schema=False, name=f"page {screen}")
    async def page() -> Response[bytes]:
        return Response((SCREENS / screen / "index.html").read_bytes(), media_type=MediaType.HTML)

    return page


HANDLERS = [
    *(
        _page(screen, [path for path, its in PAGES.items() if its == screen])
        for screen in dict.fromkeys(PAGES.values())
    ),
    create_static_files_router(path="/screens", directories=[SCREENS]),
]
