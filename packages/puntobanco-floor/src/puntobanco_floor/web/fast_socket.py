"""uvicorn's WebSocket protocol with two short ways for terminals: ready frames out, and text in to
a function, without a task and a queue for each terminal (`benchmarks/floor.py` measures it).

It is a private module of uvicorn, so its version is capped in pyproject.toml; where it cannot be
imported, `serve` goes on with plain ASGI.
"""

from __future__ import annotations

from collections.abc import Callable

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from puntobanco_floor.settings import DEFAULTS, Settings
from puntobanco_floor.web.rate_limit import Bucket
from puntobanco_floor.web.slow_clients import forget_reader
from puntobanco_floor.web.socket import DIRECT

FRAMES_OF_A_MESSAGE = 8
"""A message may come in parts, and pings between them. Frames that are no message, empty parts and
pings, cost the event loop as much, and nobody else counts them.
"""


class TerminalProtocol(WebSocketsSansIOProtocol):
    """The function bounds what it takes, so that reading need not pause after each message as it
    does for ASGI's queue.
    """

    hear: Callable[[str], None] | None = None
    settings: Settings = DEFAULTS
    _frames: Bucket | None = None

    def handle_events(self) -> None:
        """Whoever sends more frames than messages can have is cut off."""
        if self._frames is None:
            settings = self.settings
            rate = FRAMES_OF_A_MESSAGE * settings.messages_rate
            self._frames = Bucket(rate, FRAMES_OF_A_MESSAGE * settings.messages_burst)
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self.conn.events_received()  # which forgets them
            self.transport.abort()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][DIRECT] = self  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        if self.hear is None or self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:  # uvicorn ends the connection
            super().send_receive_event_to_app()
            return
        self.frames = []
        self.hear(text)

    def connection_lost(self, exc: Exception | None) -> None:
        """Without the reference cycles: thousands who come and go would leave so much to the
        garbage collector that wagers wait for it.
        """
        super().connection_lost(exc)
        forget_reader(self.transport)
        self.conn.parser.close()
        if hasattr(self, "scope"):  # none of a handshake that was refused
            self.scope["extensions"].pop(DIRECT, None)

    async def send(self, message: ASGISendEvent) -> None:
        """uvicorn forgets that an answer ends a handshake too, and would log an error."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def is_free(self) -> bool:
        """Whether a frame can be written: the terminal is there and has read most of what was
        sent.
        """
        return self.writable.is_set() and not self.close_sent and not self.transport.is_closing()

    def write(self, frames: bytes) -> None:
        self.transport.write(frames)

    def abort(self) -> None:
        self.transport.abort()


def protocol(settings: Settings) -> type[TerminalProtocol]:
    """For one server: uvicorn makes its protocols without our arguments."""
    return type("Limited", (TerminalProtocol,), {"settings": settings})
