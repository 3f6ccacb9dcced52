"""Replies that are lost on their way: the server has done what was asked, and the page does not hear of it."""

from collections.abc import Callable

from playwright.sync_api import Page, Route

IN_DOUBT = {
    "code": "in-doubt",
    "reason": {
        "en": "It is not yet known whether this was recorded. This screen will ask again; do not "
        "repeat it.",
        "zh": "暫未知悉是否已記錄。本畫面會再次查詢；請勿重複操作。",
    },
    "clause": "",
    "fields": {},
}


class Losses:
    """The replies to a path are lost while `are_lost`, each after its request has reached the server."""

    def __init__(self, page: Page, path: str, lose: Callable[[Route], None] | None = None) -> None:
        self.ids = list[str]()  # of each request that was sent
        self.are_lost = True
        self.arrive = True  # else the requests are lost before they reach the server
        self._lose = lose or aborted
        page.route(f"**{path}", self._route)

    def _route(self, route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        body = route.request.post_data_json
        assert body
        self.ids.append(body["id"])
        if not self.are_lost:
            route.continue_()
            return
        if self.arrive:
            route.fetch()
        self._lose(route)


def aborted(route: Route) -> None:
    route.abort("connectionreset")


def in_doubt(route: Route) -> None:
    route.fulfill(status=503, json=IN_DOUBT)


def not_stored(route: Route) -> None:
    """As a balancer or a server of before would say it."""
    nothing = {"en": "nothing was stored", "zh": "沒有記錄"}
    route.fulfill(status=503, json={**IN_DOUBT, "code": "not-stored", "reason": nothing})
