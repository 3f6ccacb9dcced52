"""Reports over HTTP: the figures of a floor that plays, marked as a demonstration, in every form."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from tests.support.http import http
from tests.support.served import Served, api, staff_tokens


@pytest.fixture(scope="module")
def otto(served: Served) -> str:
    return staff_tokens(served, "otto")["otto"]


def test_a_report_of_a_floor_that_plays_ties_out_and_says_demo(served: Served, otto: str) -> None:
    token = api(served, "POST", "/api/guest")[1]["token"]
    assert api(served, "POST", "/api/tables/1/seat", token)[0] == 200
    for kind in ("daily", "month", "year", "life"):
        status, found = api(served, "GET", f"/api/staff/reports/{kind}", otto)
        assert (status, found["ties_out"], found["demo"]) == (200, True, True), found
        assert found["meters"][0]["terminal"] == "guests"


@pytest.mark.parametrize(
    ("form", "kind", "begins"),
    [
        ("csv", "text/csv", b'Demonstration,"DEMO'),
        ("html", "text/html", b"<!doctype html>"),
        ("pdf", "application/pdf", b"%PDF"),
    ],
)
def test_in_every_form(served: Served, otto: str, form: str, kind: str, begins: bytes) -> None:
    status, headers, body = http(
        served, "GET", f"/api/staff/reports/daily/{form}", Authorization=f"Bearer {otto}"
    )
    assert (status, headers["Content-Type"].partition(";")[0], body[: len(begins)]) == (
        200,
        kind,
        begins,
    )
    assert form == "pdf" or b"DEMO" in body


def test_the_content_policy_allows_a_report_its_style(served: Served, otto: str) -> None:
    _, headers, body = http(
        served, "GET", "/api/staff/reports/daily/html", Authorization=f"Bearer {otto}"
    )
    [style] = re.findall(rb"<style>(.*?)</style>", body, re.DOTALL)
    digest = b64encode(sha256(style).digest()).decode()
    assert f"'sha256-{digest}'" in headers["Content-Security-Policy"]


def test_a_day_without_activity_and_what_is_no_day_or_report(served: Served, otto: str) -> None:
    assert (
        api(served, "GET", "/api/staff/reports/daily?day=2001-01-01", otto)[1]["note"]
        == "No activity"
    )
    assert api(served, "GET", "/api/staff/reports/daily?day=2001-02-31", otto)[0] == 404
    assert api(served, "GET", "/api/staff/reports/daily?day=soon", otto)[0] == 400
    assert api(served, "GET", "/api/staff/reports/hourly", otto)[0] in (400, 404)
    assert api(served, "GET", "/api/staff/reports/liability", otto)[0] == 200
