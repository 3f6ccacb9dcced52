"""HTTP listeners: sockets, TLS files and the public address, verified before use."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes, PublicKeyTypes

from puntobanco.base.refusal import Refusal

# Sockets


@contextmanager
def bind_sockets(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Bind the port on every address of the host, or refuse with one clear line.

    A bound socket that does not listen yet refuses connections, so clients cannot connect before
    the server runs.
    """
    with ExitStack() as opened:
        try:
            found = [opened.enter_context(each) for each in _open_sockets(host, port)]
        except OSError as error:
            raise Refusal(_explain_bind_error(host, port, error)) from None
        yield found


def _open_sockets(host: str, port: int) -> Iterator[socket.socket]:
    """Bind one socket for each address of the host; localhost can have two."""
    places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, _, _, _, address in dict.fromkeys(places):
        # Name IPPROTO_TCP: asyncio sets TCP_NODELAY only then. Without it the second write of a
        # response waits 40 ms for the client's acknowledgement.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":  # on Windows it would share a port that is in use
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind(address)
        except OSError as error:
            made.close()
            # a machine without IPv6 still resolves to IPv6 addresses
            if error.errno == errno.EADDRNOTAVAIL and len(places) > 1:
                continue
            raise
        yield made


def _explain_bind_error(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is in use, perhaps by another server: stop it or choose "
            "another --port"
        )
    why = (error.strerror or str(error)).lower()
    return f"cannot listen on {host} port {port}: {why}; choose another --host or --port"


# TLS


def verify_tls(
    host: str, tls_cert: str, tls_key: str, *, has_proxy: bool = False, or_else: str = ""
) -> None:
    """Refuse to serve other machines without TLS; `or_else` names another way out."""
    if bool(tls_cert) != bool(tls_key):
        raise Refusal("TLS needs both --tls-cert and --tls-key")
    for file in filter(None, (tls_cert, tls_key)):
        if not Path(file).is_file():
            raise Refusal(f"there is no file {file}; check --tls-cert and --tls-key")
    if tls_cert:
        _verify_pair(tls_cert, tls_key)
    if not (_is_loopback(host) or tls_cert or has_proxy):
        raise Refusal(
            f"{host} can be reached from other machines: give --tls-cert and --tls-key{or_else}"
        )


def _verify_pair(cert: str, key: str) -> None:
    """Refuse a key that does not fit its certificate; OpenSSL's messages do not name the file."""
    certificates, found_key = _load_certificates(cert), _load_private_key(key)
    if not certificates and found_key is None and _load_certificates(key):
        raise Refusal(
            f"certificate and key are swapped: {key} holds the certificate; write --tls-cert {key} "
            f"--tls-key {cert}"
        )
    if not certificates:
        raise Refusal(f"--tls-cert {cert} holds no certificate (PEM)")
    if found_key is None:
        raise Refusal(f"--tls-key {key} holds no private key (PEM)")
    # the first certificate is the server's, the others are its issuers
    certified = _encode_public_key(certificates[0].public_key())
    if certified != _encode_public_key(found_key.public_key()):
        raise Refusal(f"the key in {key} does not belong to the certificate in {cert}")


def _load_certificates(path: str) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(_read_file(path))
    except ValueError:
        return ()


def _load_private_key(path: str) -> PrivateKeyTypes | None:
    try:
        return serialization.load_pem_private_key(_read_file(path), None)
    except TypeError:
        raise Refusal(
            f"--tls-key {path} has a passphrase, and a server cannot ask for it: give a key "
            "without one, in a file that only the server's user can read"
        ) from None
    except ValueError:
        return None


def _read_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot read {path}: {why}") from None


def _encode_public_key(key: PublicKeyTypes) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(serialization.Encoding.DER, form)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def build_address(host: str, port: int, *, has_tls: bool, names: Iterable[str] = ()) -> str:
    """Build the address that a browser opens.

    If the server listens on all addresses, use the first specific name of `names`, or else the
    host name of the machine.
    """
    shown = host
    if _is_unspecified(host):
        own = (name for name in names if name not in ("localhost", host) and "*" not in name)
        shown = next(own, "") or socket.gethostname()
    if ":" in shown:
        shown = f"[{shown}]"
    scheme = "https" if has_tls else "http"
    return f"{scheme}://{shown}:{port}/"


def _is_unspecified(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
