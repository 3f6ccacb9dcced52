"""The transparency log over HTTP, for anybody: its checkpoint, its tiles and leaves, the house's
policy.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.request import Asker, verify_rate
from puntobanco_floor.web.routing import NotFoundException, Response, get
from puntobanco_proof.tree.faults import BadTile
from puntobanco_proof.tree.policies import Log
from puntobanco_proof.tree.tiles import ENTRIES, HEIGHT, WIDTH, Tile, read_path

IMMUTABLE = {"cache-control": "public, max-age=31536000, immutable"}
NEWEST = {"cache-control": "no-cache"}
TEXT = "text/plain"
HASH_BYTES, ENTRY_BYTES = 32, 34


@get("/log/checkpoint", summary="The newest checkpoint of the log, a signed note", media_type=TEXT)
async def checkpoint(request: Asker) -> Response[str]:
    web = _asked(request)
    note = await asyncio.to_thread(web.floor.log.log.checkpoint)
    if note is None:
        raise NotFoundException("the log has no checkpoint yet")
    return Response(note, media_type=TEXT, headers=NEWEST)


@get("/log/policy", summary="The house's own policy: its log, its witnesses", media_type=TEXT)
async def policy(request: Asker) -> Response[str]:
    """What the house claims; whoever verifies brings a policy of his own."""
    web = _asked(request)
    verifiers = await asyncio.to_thread(web.floor.log.log.verifiers)
    claimed = replace(web.floor.log.policy, logs=tuple(map(Log, verifiers)))
    return Response(claimed.text, media_type=TEXT, headers=NEWEST)


@get("/log/tile/{rest:path}", summary="A tile of the log's tree, or a bundle of its leaves")
async def tile(request: Asker, rest: str) -> Response[bytes]:
    """As C2SP's tlog-tiles names them: `0/x001/067`, `0/x001/067.p/8`, `entries/x001/067`."""
    web = _asked(request)
    try:
        wanted = read_path(f"tile/{rest}")
        data = await asyncio.to_thread(_read, web, wanted)
    except (BadTile, LogFault) as refusal:
        raise NotFoundException(refusal.reason) from None
    return Response(data, media_type="application/octet-stream", headers=IMMUTABLE)


def _read(web: Web, tile: Tile) -> bytes:
    """So wide, where the log has it and a checkpoint covers it."""
    size = web.floor.log.log.signed_size()  # in the database: a checkpoint may be another node's
    level = 0 if tile.level == ENTRIES else tile.level
    in_level = size >> HEIGHT * level
    if tile.index * WIDTH + tile.width > in_level:
        raise BadTile("the log is not so large")
    each = ENTRY_BYTES if tile.level == ENTRIES else HASH_BYTES
    return web.floor.log.log.tile(tile)[: each * tile.width]


def _asked(request: Asker) -> Web:
    web = get_web(request)
    verify_rate(request, web.limits.log)
    return web
