"""A floor that is started, and stopped whatever happens: its log keeper would go on into the next test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from puntobanco_floor.service.floor import Floor


@asynccontextmanager
async def started(floor: Floor) -> AsyncIterator[Floor]:
    await floor.start()
    try:
        yield floor
    finally:
        await floor.stop()
