"""The inspector's part of the API: the journal, rounds told again, the audit, files. It changes
nothing.
"""

from __future__ import annotations

import asyncio
import io
import zipfile
from typing import Annotated

import msgspec

from puntobanco.rules.game import Game
from puntobanco_floor.audit import journal_pages
from puntobanco_floor.audit.audit_job import Verification
from puntobanco_floor.audit.journal_pages import MAX_PAGE, PAGE, Page, Raw, StreamRow
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.audit.round_review import Retold, review_round
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.cage.commands import ConfirmCount
from puntobanco_floor.domain.event import Group
from puntobanco_floor.domain.stream_names import CAGE, number_of, place_words, table_name
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.service.refusals import CountsBlind
from puntobanco_floor.service.roles import verify_sees
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.pages import send_download
from puntobanco_floor.web.request import Asker, RoundId, TableId, post_action, read_person, seen_by
from puntobanco_floor.web.routing import Response, get
from puntobanco_proof.entry.format import Fault

StreamName = Annotated[
    str, msgspec.Meta(pattern=r"^(floor|(table|cage):[1-9][0-9]{0,6})$(?!\n)", max_length=20)
]
Seq = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Text = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\x00]*$")]
MaybeSeq = Annotated[int, msgspec.Meta(ge=1, le=2**53)] | None
MaybeRound = Annotated[int, msgspec.Meta(ge=1, le=10**12)] | None
Limit = Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGE)]
ZIP = "application/zip"
_STREAM = "/api/staff/audit/streams/{stream:str}"
_ROUND = "/api/staff/audit/tables/{number:int}/rounds/{round_:int}"


async def _reads(request: Asker, stream: str) -> Web:
    """For who may read this stream now. Who may count a drawer reads nothing of what went through
    it while its shift is open: the count is blind.
    """
    web = seen_by(request, "audit")
    if stream.startswith(CAGE) and read_person(request).role in ConfirmCount.traits.by:
        number = number_of(stream)
        window = await web.floor.cage.window(number)
        if window.shift is not None:
            raise CountsBlind(
                f"the shift at window {number} is open, and who may count its drawer counts blind: "
                "its journal is shown when it is over"
            )
    return web


def _game(web: Web, stream: str) -> Game | None:
    """Of a table: its clauses stand beside what has none of its own."""
    if stream in web.floor.follower.streams:
        return web.floor.follower.streams[stream].state.game
    return None


@get("/api/staff/audit/streams", summary="The streams of the journal: tables, windows, the house")
async def list_streams(request: Asker) -> list[StreamRow]:
    floor = seen_by(request, "audit").floor
    titles = {
        name: (stream.state.game.title.en if stream.state.game else "", stream.state.rounds)
        for name, stream in floor.follower.streams.items()
    }
    return await asyncio.to_thread(journal_pages.streams, floor.database, titles)


@get(f"{_STREAM}/entries", summary="The journal of a stream, newest first")
async def entries(
    request: Asker,
    stream: StreamName,
    before: MaybeSeq = None,
    group: Group | None = None,
    text: Text = "",
    clause: Text = "",
    round: MaybeRound = None,
    limit: Limit = PAGE,
) -> Page:
    web = await _reads(request, stream)
    return await asyncio.to_thread(
        journal_pages.page,
        web.floor.database,
        stream,
        _game(web, stream),
        before=before,
        group=group,
        text=text,
        clause=clause,
        round_=round,
        limit=limit,
        definitions=web.floor.store.definitions,
    )


@get(
    f"{_STREAM}/entries/{{seq:int}}",
    summary="One entry as it is written, with the hashes around it",
)
async def entry(request: Asker, stream: StreamName, seq: Seq) -> Raw:
    web = await _reads(request, stream)
    return await asyncio.to_thread(
        journal_pages.record,
        web.floor.database,
        stream,
        seq,
        _game(web, stream),
        definitions=web.floor.store.definitions,
    )


@get(f"{_STREAM}/csv", summary="A stream, or some of its rounds, as CSV", media_type="text/csv")
async def entries_csv(
    request: Asker,
    stream: StreamName,
    first: MaybeRound = None,
    last: MaybeRound = None,
) -> Response[str]:
    web = await _reads(request, stream)
    async with web.one_report:
        text = await asyncio.to_thread(
            journal_pages.as_csv,
            web.floor.database,
            stream,
            _game(web, stream),
            first=first,
            last=last,
            definitions=web.floor.store.definitions,
        )
    rounds = ""
    if first or last:
        rounds = f"-{first or 1}-{last or 'end'}"
    return send_download(text, f"{stream.replace(':', '-')}{rounds}.csv", "text/csv")


@get(_ROUND, summary="A round told again from the journal alone, each decision computed anew")
async def round_again(request: Asker, number: TableId, round_: RoundId) -> Retold:
    floor = seen_by(request, "audit").floor
    name = table_name(number)
    rounds = floor.follower.stream(name).state.rounds
    return await asyncio.to_thread(
        review_round,
        floor.database,
        name,
        round_,
        rounds=rounds,
        definitions=floor.store.definitions,
    )


@get(f"{_ROUND}/pack", summary="The evidence of a round, signed, as a zip", media_type=ZIP)
async def pack(request: Asker, number: TableId, round_: RoundId) -> Response[bytes]:
    web = seen_by(request, "audit")
    name = table_name(number)
    web.floor.follower.stream(name)
    async with web.one_report:
        content = await asyncio.to_thread(_zipped, web, name, round_)
    return send_download(content, f"dispute-table-{number}-round-{round_}.zip", ZIP)


def _zipped(web: Web, stream: str, number: int) -> bytes:
    try:
        files = make_pack(web.floor.database, stream, number, ring=web.floor.ring, now=web.now_ms())
    except Fault:
        raise NoSuchRound(say.NO_ROUND.format(number, place_words(stream))) from None
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in sorted(files.items()):
            packed.writestr(name, data)
    return out.getvalue()


@get(
    "/api/staff/audit/verify", summary="The last audit since the server started, or how far one is"
)
async def verification(request: Asker) -> Verification:
    return seen_by(request, "audit").verifier.view()


@post_action(
    "/api/staff/audit/verify", summary="Recompute everything from the journal; one audit at a time"
)
async def verify(request: Asker) -> Verification:
    person = read_person(request)
    verify_sees(person, "audit")
    return get_web(request).verifier.run(person.name)
