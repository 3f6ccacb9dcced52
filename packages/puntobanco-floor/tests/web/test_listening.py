"""Where `serve` listens: what is wrong with a port, a certificate or a key is one line, before anything is opened."""

import asyncio
import socket
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from puntobanco.base.refusal import Refusal
from puntobanco_floor.cli import tables as setting_up
from puntobanco_floor.cli.offline_admin import Desk
from puntobanco_floor.cli.serve import public_address, verify_listening
from puntobanco_floor.settings import Settings
from puntobanco_proof.listening import bind_sockets
from tests.support.forked import command_line
from tests.support.ports import free_port
from tests.web.test_network import certificate


def test_a_port_in_use_is_said_before_anything_is_opened_or_printed(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--demo", "--database", str(database), "--port", str(port))
        done = command_line("serve", *words)
    assert done.returncode == 2
    assert done.stdout == "", "no banner, no password"
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"puntobanco: port {port} of 127.0.0.1 is in use")
    assert "--port" in said
    assert "password" not in done.stderr
    assert not database.exists()


def test_small_messages_are_sent_at_once() -> None:
    """Nagle's algorithm was on: an answer in two writes took 40 ms, and so did wagers under load."""
    found = list[int]()

    class Connected(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted = transport.get_extra_info("socket")
            found.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    async def go() -> None:
        with bind_sockets("127.0.0.1", 0) as [listening]:
            loop = asyncio.get_running_loop()
            server = await loop.create_server(Connected, sock=listening)
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            assert await reader.read() == b""
            writer.close()
            server.close()

    asyncio.run(go())
    [is_set] = found
    assert is_set


def test_an_address_of_another_machine_is_one_line() -> None:
    with (
        pytest.raises(Refusal, match=r"cannot listen on 192\.0\.2\.1 port 80"),
        bind_sockets("192.0.2.1", 80),
    ):
        pass


def test_a_port_that_is_ours_answers_nobody_before_the_server_runs() -> None:
    port = free_port()
    with bind_sockets("127.0.0.1", port), socket.socket() as client:
        assert client.connect_ex(("127.0.0.1", port)) != 0
    with bind_sockets("localhost", port) as sockets:
        assert {each.getsockname()[1] for each in sockets} == {port}
    assert all(each.fileno() < 0 for each in sockets), "closed at the end"


# TLS


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    return certificate(tmp_path)


def refused(cert: str, key: str) -> str:
    with pytest.raises(Refusal) as raised:
        verify_listening(Settings(tls_cert=cert, tls_key=key))
    assert "\n" not in raised.value.reason
    return raised.value.reason


def test_a_certificate_and_its_key_are_taken(pair: tuple[str, str]) -> None:
    cert, key = pair
    verify_listening(Settings(host="0.0.0.0", tls_cert=cert, tls_key=key))


def test_a_swapped_key_and_certificate_are_named(pair: tuple[str, str]) -> None:
    cert, key = pair
    said = refused(cert=key, key=cert)
    assert said.startswith("certificate and key are swapped")
    assert f"--tls-cert {cert} --tls-key {key}" in said


def test_a_key_of_another_certificate_is_named(pair: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    cert, key = pair[0], certificate(other)[1]
    assert refused(cert, key) == f"the key in {key} does not belong to the certificate in {cert}"


def test_a_file_that_holds_neither_is_named(pair: tuple[str, str], tmp_path: Path) -> None:
    cert, key = pair
    text = tmp_path / "text.pem"
    text.write_text("nothing of the kind\n")
    assert refused(str(text), key) == f"--tls-cert {text} holds no certificate (PEM)"
    assert refused(cert, str(text)) == f"--tls-key {text} holds no private key (PEM)"


def test_a_key_under_a_passphrase_is_not_asked_for(pair: tuple[str, str], tmp_path: Path) -> None:
    cert, key = pair
    plain = serialization.load_pem_private_key(Path(key).read_bytes(), None)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        plain.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"open sesame"),
        )
    )
    assert "has a passphrase" in refused(cert, str(locked))


def test_serve_says_it_in_one_line(pair: tuple[str, str], tmp_path: Path) -> None:
    cert, key = pair
    words = ("--tls-cert", key, "--tls-key", cert, "--database", str(tmp_path / "floor.db"))
    done = command_line("serve", "--demo", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "swapped" in done.stderr


# The address that people are told


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_nobody_is_told_an_address_that_is_none(pair: tuple[str, str], host: str) -> None:
    cert, key = pair
    secured = Settings(host=host, tls_cert=cert, tls_key=key)
    assert public_address(secured) == "https://floor.example:8000/", "the certificate's name"
    named = Settings(host=host, tls_cert=cert, tls_key=key, hosts="*.example, pit.example")
    assert public_address(named) == "https://pit.example:8000/", "the name that is set"
    proxied = Settings(host=host, proxy="10.0.0.5")
    assert public_address(proxied) == f"http://{socket.gethostname()}:8000/", "the machine's"


def test_an_address_is_told_as_it_is() -> None:
    assert public_address(Settings()) == "http://127.0.0.1:8000/"
    assert public_address(Settings(host="::1", port=8001)) == "http://[::1]:8001/"


# The database


def test_init_prints_no_password_of_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever store there is behind the address: what is printed of it is what is shown here."""
    address = tmp_path / "address"
    address.write_text("postgresql://floor:hunter2@127.0.0.1:1/floor\n")
    address.chmod(stat.S_IRUSR | stat.S_IWUSR)
    here = str(tmp_path / "floor.db")
    monkeypatch.setattr(setting_up, "Desk", lambda _url, *rest, **more: Desk(here, *rest, **more))
    words = ["--name", "Marina", "--database-file", str(address), "--password-file", str(address)]
    setting_up.init(
        [*words, "--second-password-file", str(address)], standalone_mode=False, prog_name="init"
    )
    said = capsys.readouterr().out
    assert "Marina is set up in postgresql://floor:***@127.0.0.1:1/floor" in said
    assert "hunter2" not in said
