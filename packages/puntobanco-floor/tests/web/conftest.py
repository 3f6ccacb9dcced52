"""A served floor for the tests of one file."""

from collections.abc import Iterator

import pytest

from tests.support.served import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()
