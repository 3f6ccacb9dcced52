"""Requests to anything that has an address."""

import urllib.error
import urllib.request
from typing import Any, Protocol

from tests.support.patience import PATIENCE_S


class Addressed(Protocol):
    """Whatever is asked over HTTP: a server, a node, a balancer."""

    @property
    def address(self) -> str: ...


def http(
    served: Addressed, method: str, path: str, *, body: bytes | None = None, **headers: str
) -> tuple[int, Any, Any]:
    request = urllib.request.Request(
        served.address + path,
        method=method,
        data=body,
        headers={k.replace("_", "-"): v for k, v in headers.items()},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()
