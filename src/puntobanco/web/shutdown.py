"""A server that stops with manners: not ready, no new connections, terminals told and answered,
then the end.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from types import FrameType

import uvicorn

from puntobanco.floor.service import Floor
from puntobanco.floor.terminals.shutdown import goodbye

_log = logging.getLogger("puntobanco.web")


class GracefulServer(uvicorn.Server):
    """A second signal ends it at once, as with uvicorn's own."""

    def __init__(self, config: uvicorn.Config, floor: Floor) -> None:
        super().__init__(config)
        self._floor = floor

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._floor.is_draining = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        floor, settings = self._floor, self._floor.settings
        floor.is_draining = True
        _log.info(
            "stopping", extra={"fields": {"terminals": sum(map(len, floor.watching.values()))}}
        )
        until = time.monotonic() + settings.drain_s
        while time.monotonic() < until and not self.force_exit:
            await asyncio.sleep(0.1)
        for server in self.servers:
            server.close()
        if not await goodbye(floor, 0 if self.force_exit else settings.stop_s):
            left = sum(map(len, floor.watching.values()))
            _log.warning("terminals did not leave in time", extra={"fields": {"terminals": left}})
        await super().shutdown(sockets)
        _log.info("stopped")
