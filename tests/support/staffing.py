"""Staff of a floor for real money, over HTTP: two people give out a code, its owner enrols with an app for one-time codes."""

import time
from base64 import b32decode
from pathlib import Path
from typing import Any

from puntobanco_floor.service.passwords import DRIFT_STEPS, STEP_S, code_of
from tests.support.http import Addressed
from tests.support.served import api

SECOND = "words of the second"
"""The password of the second administrator, until the first login."""

_secrets = dict[tuple[str, str], bytes]()
_steps = dict[tuple[str, str], int]()
_own = dict[tuple[str, str], str]()
_tokens = dict[str, str]()


def second_file(folder: Path) -> str:
    path = folder / "second.password"
    path.write_text(SECOND)
    return str(path)


def _floor(served: Addressed) -> str:
    """Ports are used again by the next test: a floor is known by its folder."""
    return str(getattr(served, "folder", served.address))


def one_time(served: Addressed, name: str) -> str:
    """The code that the app shows, or the next one: each is good once."""
    key = _floor(served), name
    if key not in _secrets:
        return ""
    now, into_it = divmod(int(time.time()), STEP_S)
    # The first that is still good gives the most codes; late in a step it would be over on its way.
    first = now - DRIFT_STEPS + (into_it > STEP_S // 3)
    step = max(_steps.get(key, 0) + 1, first)
    while step > int(time.time()) // STEP_S + DRIFT_STEPS:
        time.sleep(0.5)
    _steps[key] = step
    return code_of(_secrets[key], step).decode()


def posted(served: Addressed, path: str, body: dict[str, str], token: str = "") -> tuple[int, Any]:
    """Tests add more people in a second than a floor does in a week: too many at once wait."""
    while True:
        status, answer = api(served, "POST", path, token, body)
        if status != 429:
            return status, answer
        time.sleep(0.5)


def enrol_staff(served: Addressed, name: str, shown: str, password: str = "", pin: str = "") -> str:
    """With a password of one's own; the login."""
    own = password or f"own words of {name}"
    status, begun = posted(served, "/api/staff/enrol/begin", {"name": name, "shown": shown})
    assert status == 200, begun
    key = _floor(served), name
    _secrets.pop(key, None)
    if begun["factor"]:
        _secrets[key], _steps[key] = b32decode(begun["secret"]), 0
    body = {"name": name, "shown": shown, "password": own, "pin": pin, "factor": begun["factor"]}
    body["one_time"] = one_time(served, name)
    status, answer = posted(served, "/api/staff/enrol", body)
    assert status == 200, answer
    _own[key] = own
    return str(answer["token"])


def login_real(served: Addressed, name: str, password: str) -> str:
    """Who was given a password chooses another one at the first login."""
    own = _own.get((_floor(served), name), password)
    body = {"name": name, "password": own, "one_time": one_time(served, name)}
    status, answer = posted(served, "/api/staff/login", body)
    if status == 409 and answer["code"] == "not-enrolled":
        return enrol_staff(served, name, password)
    assert status == 200, answer
    return str(answer["token"])


def second_person(served: Addressed) -> str:
    """The login of the second administrator."""
    key = _floor(served)
    if key not in _tokens or api(served, "GET", "/api/staff/me", _tokens[key])[0] != 200:
        _tokens[key] = login_real(served, "admin2", SECOND)
    return _tokens[key]


def given_code(served: Addressed, made: dict[str, object]) -> str:
    """The whole code, once the second person has agreed."""
    assert made["proposal"], made
    path = f"/api/admin/proposals/{made['proposal']}/agree"
    status, other = api(served, "POST", path, second_person(served))
    assert status == 200, other
    return f"{made['code']} {other['code']}"


def staffed(served: Addressed, root: str, name: str, role: str) -> str:
    """Somebody new, logged in."""
    status, made = api(served, "POST", "/api/admin/staff", root, {"name": name, "role": role})
    assert status == 201, made
    return enrol_staff(served, name, given_code(served, made))
