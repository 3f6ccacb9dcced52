"""The end of a server: terminals are told, what was asked is answered, connections are closed, all
within a bound.
"""

from __future__ import annotations

import asyncio
import time

from puntobanco.floor.service import Floor
from puntobanco.floor.terminals import wire

RESTARTS = "the server restarts"
SERVICE_RESTART = 1012  # RFC 6455: come back
LOOK_S = 0.02


async def goodbye(floor: Floor, within_s: float) -> bool:
    """Whether everybody had their answers and left in time.

    What a terminal sends after the farewell is not heard: it was not answered, and so it is sent
    again elsewhere.
    """
    floor.is_draining = floor.is_stopping = True
    until = time.monotonic() + within_s
    everybody = [terminal for room in floor.watching.values() for terminal in room]
    message = wire.write(wire.Bye(reason=RESTARTS))
    for terminal in everybody:
        terminal.put(message)
    while any(terminal.flying for terminal in everybody) and time.monotonic() < until:
        await asyncio.sleep(LOOK_S)
    for terminal in everybody:
        terminal.close = SERVICE_RESTART, RESTARTS
        terminal.put(None)
    while any(floor.watching.values()) and time.monotonic() < until:
        await asyncio.sleep(LOOK_S)
    return not any(floor.watching.values())
