"""The bodies of requests: one that cannot be read is its sender's fault."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.exceptions import ClientException


class CarefulRequest(Request[Any, Any, Any]):
    """Nested without end, or not text: Litestar lets these two pass as faults of the program."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except (RecursionError, UnicodeDecodeError):
            raise ClientException("the body is not JSON that can be read") from None
