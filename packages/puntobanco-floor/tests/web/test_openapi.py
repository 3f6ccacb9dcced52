"""Whatever the OpenAPI document says, asked of a served floor: nothing fails, and every answer is as described.

There is no list of paths here: what the document names is asked, as nobody, as guests and as staff.
"""

import itertools
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.table.state import BETWEEN
from puntobanco_floor.service.roles import ROLES
from puntobanco_floor.web.openapi import Schemas
from puntobanco_floor.web.problems import Problem
from puntobanco_floor.web.request import FOR_ANYBODY
from tests.support.http import http
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import Served, api, staff_tokens
from tests.web.rubbish import LONG, bad_bodies

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
EXAMPLES = 400 if SLOW else 1
"""Of each operation, for each who asks: so many that fit the document, and so many that do not."""

WAITS, REACHED = 2, 2 if SLOW else 1
"""A limit on how often is waited out a few times an operation; so many that fit the document come through to it."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]

TABLES = 6
Who = Literal["nobody", "a guest", "staff"]


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[Who, Iterator[str]]:
    """Several of a kind, taken in turn: some limits are on one session."""
    guests = [json.loads(http(served, "POST", "/api/guest")[2])["token"] for _ in range(10)]
    staff = list(staff_tokens(served).values())
    assert len(staff) >= len(ROLES)
    return {
        "nobody": itertools.repeat(""),
        "a guest": itertools.cycle(guests),
        "staff": itertools.cycle(staff),
    }


@pytest.fixture(scope="module")
def document(served: Served) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(http(served, "GET", "/api/openapi.json")[2])
    return found


def test_every_path_has_a_tag_that_says_what_it_is_about(document: dict[str, Any]) -> None:
    about = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert all(about.values())
    for path, item in document["paths"].items():
        for operation in item.values():
            [tag] = operation["tags"]
            assert tag in about, path


def test_no_two_classes_share_a_name(document: dict[str, Any]) -> None:
    """msgspec would name them by their modules, which mean nothing to a client."""
    names = document["components"]["schemas"]
    assert [name for name in names if not name.isidentifier()] == []


def test_two_classes_of_one_name_are_found() -> None:
    ours, another = (msgspec.defstruct("Line", ["bet"], module=f"m{n}") for n in range(2))
    names = Schemas([], [ours, another]).components
    assert [name for name in names if not name.isidentifier()] == ["m0.Line", "m1.Line"]


def test_an_array_is_called_one(document: dict[str, Any]) -> None:
    line = document["components"]["schemas"]["Line"]
    assert (line["type"], line["minItems"]) == ("array", 8)


def test_a_text_in_two_languages_is_one_schema(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    words = schemas["Words"]
    assert words["required"] == ["en", "zh"]
    assert {name: field["type"] for name, field in words["properties"].items()} == {
        "en": "string",
        "zh": "string",
    }
    for name, schema in schemas.items():
        fields = schema.get("properties", {})
        assert [field for field in fields if field.endswith("_zh")] == [], name
        assert "zh" not in fields or name == "Words", name


OVERRIDES = """
content_type_overrides:
  application/pdf: application/octet-stream
  application/zip: application/octet-stream
"""

USED = """
from puntobanco_client import Client
from puntobanco_client.api.patrons import api_floor_floor_view, api_tables_number_table

client = Client(base_url={address!r}, raise_on_unexpected_status=True)
table = api_tables_number_table.sync(1, client=client)
print(table.table, table.phase, len(table.bets), api_floor_floor_view.sync(client=client).demo)
"""


@pytest.mark.skipif(not SLOW, reason="make slow")
def test_a_client_is_generated_without_a_warning_and_reads_a_table(
    served: Served, document: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "overrides.yml").write_text(OVERRIDES)
    bin_ = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}"}
    given = ("--path", "openapi.json", "--config", "overrides.yml", "--output-path", "generated")
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *given],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert made.returncode == 0, made.stdout
    assert "arning" not in made.stdout, made.stdout
    used = subprocess.run(
        [sys.executable, "-W", "error", "-c", USED.format(address=served.address)],
        cwd=tmp_path / "generated",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert used.returncode == 0, used.stderr
    assert used.stdout.startswith("table:1 ")
    assert used.stdout.endswith(" True\n")


def operations(served: Served) -> list[APIOperation[Any, Any, Any, Any]]:
    """Those that end a login come last. What staff command is an open object there: here it has the types it is read by."""
    document = json.loads(http(served, "GET", "/api/openapi.json")[2])
    [command], parts = msgspec.json.schema_components(
        [OURS.table.any_command | OURS.house.any_command],
        ref_template="#/components/schemas/{name}",
    )
    described = document["components"]["schemas"]
    for schema in list(described.values()):
        asked = schema.get("properties", {}).get("command")
        if asked is not None and asked.get("type") == "object":
            schema["properties"]["command"] = command
            described |= parts
    api = schemathesis.openapi.from_dict(document)
    api.config.update(base_url=served.address)
    found = [one.ok() for one in api.get_all_operations() if isinstance(one, Ok)]
    assert len(found) == sum(map(len, document["paths"].values())), "the document cannot be read"
    return sorted(found, key=lambda operation: "logout" in operation.path)


def test_whatever_is_asked_is_answered_as_described(
    served: Served, tokens: dict[Who, Iterator[str]]
) -> None:
    """Each request as nobody, as a guest and as staff: to make them takes longer than to answer them."""
    statuses, fitting = (
        defaultdict[str, Counter[int]](Counter),
        defaultdict[str, Counter[int]](Counter),
    )
    waits, by_whom = Counter[str](), defaultdict[Who, Counter[int]](Counter)
    with requests.Session() as session:

        def ask(case: Any) -> None:
            for who in tokens:
                ask_as(who, case)

        def ask_as(who: Who, case: Any) -> None:
            token, label = next(tokens[who]), f"{case.operation.label} as {who}"
            session.cookies.clear()  # a cookie of an earlier guest would make nobody somebody
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            while True:
                answer = case.call_and_validate(
                    session=session, headers=headers, checks=CHECKS, timeout=PATIENCE_S
                )
                statuses[label][answer.status_code] += 1
                fitting[label][answer.status_code] += mode is GenerationMode.POSITIVE
                by_whom[who][answer.status_code] += 1
                if answer.status_code >= 400:
                    msgspec.json.decode(answer.content, type=Problem)
                if answer.status_code != 429 or waits[label] == WAITS:
                    return
                waits[label] += 1
                time.sleep(1.1)

        for operation in operations(served):
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                asked_of(operation, mode, ask)

    assert statuses, "the document names no operation"
    for label, counted in fitting.items():
        through = counted.total() - counted[429] - counted[400]
        assert through >= REACHED or not counted[429], (
            f"{label}: a limit keeps everything out: {counted}"
        )
    for who, counted in by_whom.items():
        assert counted[429] < counted.total() / 4, (who, counted)
        assert len(counted) >= 4, f"answers of a few kinds only: {who} {counted}"
    assert "Traceback" not in (served.folder / "log").read_text()
    assert http(served, "GET", "/healthz")[0] == 200


def at_a_table(case: Any, number: int) -> Any:
    """Numbers up to a million name no table; half of them are made to."""
    for name, value in case.path_parameters.items():
        if isinstance(value, int) and number <= TABLES:
            case.path_parameters[name] = number
    return case


def asked_of(operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, ask: Any) -> None:
    """Nothing is kept or shrunk: the same request again is another one to a served floor."""
    cases: st.SearchStrategy[Any] = operation.as_strategy(generation_mode=mode)
    strategy = st.builds(at_a_table, cases, st.integers(1, 12))

    @seed(6)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def each(case: Any) -> None:
        ask(case)

    try:
        each()
    except Unsatisfiable:  # where nothing can be given, nothing wrong can be given
        assert mode is GenerationMode.NEGATIVE


def test_what_no_document_describes_is_refused_too(
    served: Served, tokens: dict[Who, Iterator[str]]
) -> None:
    """Tokens and paths of odd characters, bodies nested without end or not text: each was once a fault of ours."""
    staff = f"Bearer {next(tokens['staff'])}"
    for odd in ("Bearer g1.\xe9", "Bearer \xe9.\xff", "Bearer .", "Bearer \x80"):
        assert http(served, "GET", "/api/me", Authorization=odd)[0] == 401
        assert (
            http(served, "GET", "/api/me", Cookie=odd.replace("Bearer ", "puntobanco="))[0] == 401
        )
    for body in (
        b'{"id":"a","command":' + b'{"x":' * 5_000 + b"1" + b"}" * 5_001,
        b"[" * 60_000,
        b'{"id":"\xff"}',
        b"\xff\xfe{",
        b'{"id":"a\\u0000b","command":{"command":"count-shoe","cards":3}}',
        b'{"id":"a\\n","command":{"command":"settle"}}',
        b'{"id":"a","command":{"command":"approve","proposal":' + b"9" * 60_000 + b"}}",
        b'{"id":"\\ud800","command":{}}',
    ):
        status, _, said = http(
            served,
            "POST",
            "/api/staff/tables/6/commands",
            body=body,
            Authorization=staff,
            Content_Type="application/json",
        )
        assert status == 400, (body[:40], said)
        msgspec.json.decode(said, type=Problem)
    for path in (
        "/static/%00",
        "/%00",
        "/static/" + "a" * 300,
        "/" + "%E9%BE%8D" * 300,
        "/static/..%2f..%2fapp.py",
    ):
        assert http(served, "GET", path)[0] == 404, path
    assert "Traceback" not in (served.folder / "log").read_text()


# Bodies that nobody should send

NAMED = {"number": "6", "round_": "1", "window": "1", "name": "sam", "patron": "p-aaaaaaaa"}
"""What stands in a path: what there is, so that the body alone is wrong."""

MOVED = ("streams", "heads", "entries", "balances")


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Served]:
    """A floor that was stopped: nothing is written by itself."""
    found = Served(tmp_path)
    ada = staff_tokens(found, "ada")["ada"]
    body = {"cause": "safety", "note": "a drill"}
    assert api(found, "POST", "/api/admin/floor/stop", ada, body)[0] == 200
    seen = dict[str, Any]()

    def is_quiet() -> bool:
        """No round is in play anywhere, and nothing was written since the last look."""
        tables = api(found, "GET", "/api/tables")[1]
        before, seen["now"] = seen.get("now"), written(found)
        halted = all(table["halted"] and table["phase"] in BETWEEN for table in tables)
        return halted and before == seen["now"]

    wait_until(is_quiet)
    yield found
    found.stop()


def written(served: Served) -> dict[str, list[Any]]:
    """Heads and balances of all streams, as the database has them."""
    with closing(sqlite3.connect(served.database)) as database:
        return {
            name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in MOVED
        }


def unsafe(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The operations that change something: as documented, as asked, and their bodies."""
    described = document["components"]["schemas"]
    for path, item in document["paths"].items():
        if "post" not in item:
            continue
        schema = item["post"].get("requestBody", {}).get("content", {}).get("application/json", {})
        body = schema.get("schema", {"properties": {}})
        for each in (body, *body.get("anyOf", ())):
            if "$ref" in each:
                body = described[each["$ref"].rpartition("/")[2]]
        yield path, path.format_map(defaultdict(lambda: "1", NAMED)), body


TRIES = (
    "/api/staff/enrol",
    "/api/staff/enrol/begin",
    "/api/staff/login",
    "/api/staff/me/password",
)


def test_a_bad_body_is_refused_and_moves_nothing_on_any_route(still: Served) -> None:
    """Numbers that only look like one, types, sizes, keys, characters: over every route of the document."""
    document = json.loads(http(still, "GET", "/api/openapi.json")[2])
    tokens = staff_tokens(still)
    guest = json.loads(http(still, "POST", "/api/guest")[2])["token"]
    routes = list(unsafe(document))
    before, counted = written(still), Counter[int]()
    named = Counter[str]()
    for path, asked, body in routes:
        staff = tokens["carl" if "/cage/" in path else "sam" if "/tables/" in path else "ada"]
        token = staff if path.startswith(("/api/staff", "/api/admin")) else guest
        if path == "/api/staff/logout":
            token = ""
        for data in bad_bodies(document["components"]["schemas"], body):
            try:
                status, _, said = http(
                    still,
                    "POST",
                    asked,
                    body=data,
                    Authorization=f"Bearer {token}",
                    Content_Type="application/json",
                )
            except OSError:  # answered and cut off while it was still sent
                assert len(data) > LONG, path
                counted[413] += 1
                continue
            counted[status] += 1
            problem = msgspec.json.decode(said, type=Problem)
            # who tries too often waits, whatever is wrong with the body
            expected = (400, 413, 429) if path in TRIES else (400, 413)
            assert status in expected, (path, data[:200], status, problem)
            assert "\n" not in problem.reason.en
            assert problem.reason.zh
            named[problem.code] += 1
            if status == 400:
                assert problem.code in ("bad-input", "bad-text"), (path, data[:200], problem)
    print(
        f"\n{counted.total()} bad bodies over {len(routes)} routes: {dict(counted)}, {dict(named)}"
    )
    assert counted.total() >= 500
    assert counted[400] + counted[429] > counted.total() * 0.95, counted
    assert written(still) == before
    log = (still.folder / "log").read_text()
    assert "Traceback" not in log
    assert http(still, "GET", "/healthz")[0] == 200


def test_who_asks_is_looked_at_before_the_body(served: Served) -> None:
    """A wrong body is 401 to nobody, and 403 where a page of another site sends it."""
    document = json.loads(http(served, "GET", "/api/openapi.json")[2])
    cookies = {
        "puntobanco-staff": staff_tokens(served, "ada")["ada"],
        "puntobanco": json.loads(http(served, "POST", "/api/guest")[2])["token"],
    }
    both = "; ".join(f"{name}={value}" for name, value in cookies.items())
    asked_by_anybody = set[str]()
    for path, asked, _ in unsafe(document):
        if path in FOR_ANYBODY:
            asked_by_anybody.add(path)
            continue
        assert (
            http(served, "POST", asked, body=b'{"cents":"1e3"', Content_Type="application/json")[0]
            == 401
        ), path
        status, _, said = http(
            served,
            "POST",
            asked,
            body=b'{"cents":"1e3"',
            Cookie=both,
            Content_Type="application/json",
        )
        assert status == 403, (path, said)
    assert asked_by_anybody == FOR_ANYBODY


def test_numbers_in_an_address_are_plain_digits(served: Served) -> None:
    token = staff_tokens(served, "ada")["ada"]
    staff = f"Bearer {token}"
    for number in ("+6", "06", "6_0", "1e1", "6.0", "%EF%BC%96", "-6", "0x6"):
        for path in ("/tables/{}", "/api/tables/{}", "/api/staff/tables/{}", "/staff/cage/{}"):
            assert http(served, "GET", path.format(number), Authorization=staff)[0] == 404, (
                path,
                number,
            )
    entries = "/api/staff/audit/streams/table:6/entries"
    assert http(served, "GET", f"{entries}?limit=5", Authorization=staff)[0] == 200
    for query in (
        "limit=1e1",
        "limit=%2B5",
        "limit=5.0",
        "limit=05",
        "limit=5&limit=6",
        "text=%E2%80%AE",
    ):
        status, _, said = http(served, "GET", f"{entries}?{query}", Authorization=staff)
        assert status == 400, (query, said)
        assert query.partition("=")[0] in json.loads(said)["reason"]["en"]


def test_what_there_is_not_is_404_with_a_page_for_people(served: Served) -> None:
    for path in (
        "/tables/99",
        "/tables/99/display",
        "/tables/99/rules",
        "/tables/0",
        "/staff/dealer/99",
        "/staff/cage/1001",
        "/receipt/none",
        "/odds/none",
    ):
        status, headers, page = http(served, "GET", path, Accept="text/html")
        assert status == 404, path
        assert headers["content-type"].startswith("text/html")
        assert b"There is no such page" in page
    token = staff_tokens(served, "ada")["ada"]
    for path in (
        "reports/daily?day=2100-01-01",
        "reports/daily?day=2026-02-31",
        "audit/streams/table:99/entries",
        "audit/streams/table:6/entries/999999",
        "audit/tables/6/rounds/9999",
        "audit/tables/6/rounds/9999/pack",
        "tables/99",
        "tables/6/rounds/9999/edges",
        "tables/6/reviews/77",
        "house/commands/none",
    ):
        status, _, said = http(served, "GET", f"/api/staff/{path}", Authorization=f"Bearer {token}")
        assert status == 404, (path, said)
