"""A second server on one SQLite file refuses to start in one line; commands beside a server, and a start after kill -9, are not hindered."""

from pathlib import Path

from tests.support.forked import command_line
from tests.support.http import http
from tests.support.ports import free_port
from tests.support.served import Served


def test_a_second_server_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        second = command_line(
            *("serve", "--demo", "--port", str(free_port())),
            *("--database", str(served.database)),
        )
        assert second.returncode == 2
        [line] = second.stderr.splitlines()
        assert line == (
            f"puntobanco: {served.database} is already served by process {served.process.pid}: "
            "stop that server first, or use PostgreSQL for several nodes"
        )
        assert second.stdout == "", "no password was printed"
        beside = command_line("report", "life", "--database", str(served.database))
        assert beside.returncode == 0, beside.stderr
        served.kill()
        served.start()
        assert http(served, "GET", "/healthz")[0] == 200
    finally:
        served.stop()
