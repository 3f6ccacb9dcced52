"""Graceful shutdown of the web server: not ready, no new connections, terminals told and answered,
then the end.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import time
from types import FrameType

import uvicorn

from puntobanco_floor.service.terminals.connections import Shutdown
from puntobanco_floor.settings import Settings

_log = logging.getLogger("puntobanco.web")


class GracefulServer(uvicorn.Server):
    """A second signal ends it at once, as with uvicorn's own."""

    def __init__(self, config: uvicorn.Config, node: Shutdown, settings: Settings) -> None:
        super().__init__(config)
        self._node = node
        self._settings = settings

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second, by uvicorn. While as many objects go as come, the garbage collector
        does not begin by itself, and in the end looks at so many new ones that wagers wait for it.
        """
        gc.collect(0)
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._node.drain()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._node.drain()
        _log.info("stopping", extra={"fields": {"terminals": self._node.terminals}})
        # time for a load balancer to see that this node is not ready
        until = time.monotonic() + self._settings.drain_s
        while time.monotonic() < until and not self.force_exit:
            await asyncio.sleep(0.1)
        for server in self.servers:
            server.close()
        within_s = 0 if self.force_exit else self._settings.stop_s
        if not await self._node.close_terminals(within_s):
            left = {"terminals": self._node.terminals}
            _log.warning(
                "shutdown: terminals did not leave within %g s and are cut off; "
                "raise stop_s if it happens often",
                within_s,
                extra={"fields": left},
            )
        await super().shutdown(sockets)
        _log.info("stopped")
