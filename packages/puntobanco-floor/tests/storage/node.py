"""A node as a process of its own: a store behind a Unix socket, a JSON line for each request and each answer.

python -m tests.storage.node DATABASE KEYS HEADS SOCKET [nonotify]
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.open_store import open_store
from puntobanco_proof.entry.format import canonical


def read_request(line: bytes | str) -> Request:
    """A request as another process writes it down."""
    sent = msgspec.json.decode(line)
    kinds = OURS.machine_of(sent["stream"]).any_command
    return Request(sent["stream"], sent["id"], msgspec.convert(sent["command"], kinds))


async def serve(url: str, keys: str, heads: str, socket: str, *, notify: bool) -> None:
    store = open_store(url, keys=Path(keys), heads=Path(heads), notify=notify)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def answer(line: bytes) -> None:
            request = read_request(line)
            try:
                found = await store.asked(request)
            except Refusal as refusal:  # nothing was stored: it may be sent again
                found = Answer(
                    id=request.id, ok=False, seq=0, at=0, code=refusal.code, reason=refusal.words
                )
            writer.write(canonical(found) + b"\n")

        tasks = set[asyncio.Task[None]]()
        while line := await reader.readline():
            task = asyncio.create_task(answer(line))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_unix_server(client, socket, limit=1 << 20)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    url, keys, heads, socket, *rest = sys.argv[1:]
    asyncio.run(serve(url, keys, heads, socket, notify=not rest))
