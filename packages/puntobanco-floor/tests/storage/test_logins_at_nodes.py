"""Logins of one person at several nodes at once: what is used up at one is used up at all."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.store import Store
from tests.storage.conftest import Place

HASH = "h" * 40
OPENED = h.OpenHouse(
    by="init",
    house="Marina",
    administrator="ada",
    verifier=HASH,
    second="ben",
    second_verifier=HASH,
)


def enrolled(name: str) -> h.EnrolStaff:
    return h.EnrolStaff(
        by=name, person=name, verifier="o" * 40, before=HASH, factor="k1$nonce", step=1
    )


def test_a_one_time_code_is_good_at_one_of_two_nodes(place: Place) -> None:
    """Both have seen the same house, and decide at the same moment; each code, once."""
    nodes = [place.open(), place.open()]
    for n, command in enumerate((OPENED, enrolled("ada"), enrolled("ben"))):
        assert nodes[0].ask(Request(stream=FLOOR, id=f"start-{n}", command=command)).ok
    steps = range(100, 110)
    together = Barrier(len(nodes))

    def log_in(node: Store, name: str) -> list[Answer]:
        node.house()
        answers = list[Answer]()
        for step in steps:
            command = h.NoteLogin(by="ada", person="ada", ok=True, source=name, step=step)
            together.wait()
            answers.append(node.ask(Request(stream=FLOOR, id=f"{name}-{step}", command=command)))
        return answers

    with ThreadPoolExecutor(len(nodes)) as threads:
        one, other = threads.map(log_in, nodes, ("10.0.0.1", "10.0.0.2"))
    assert [a.ok + b.ok for a, b in zip(one, other, strict=True)] == [1] * len(steps)
    assert {answer.code for answer in (*one, *other) if not answer.ok} == {"locked"}
