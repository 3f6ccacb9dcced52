"""Listening for HTTP: sockets, TLS files and the public address, all verified before use."""

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
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    """The port is ours, or one clear line. Nobody is answered before the server runs: a socket that
    is bound and does not listen refuses who comes.
    """
    with ExitStack() as opened:
        try:
            found = [opened.enter_context(each) for each in _sockets(host, port)]
        except OSError as error:
            raise Refusal(_not_ours(host, port, error)) from None
        yield found


def _sockets(host: str, port: int) -> Iterator[socket.socket]:
    """One for each address of the host: localhost may be two."""
    places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, _, _, _, address in dict.fromkeys(places):
        # TCP by name: asyncio sends small messages at once (TCP_NODELAY) where a socket says so,
        # and else the second write of an answer waits 40 ms for the client's acknowledgement
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":  # elsewhere it would share a port that is in use
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind(address)
        except OSError as error:
            made.close()
            # a machine without IPv6 names it all the same
            if error.errno == errno.EADDRNOTAVAIL and len(places) > 1:
                continue
            raise
        yield made


def _not_ours(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is in use, perhaps by another serve: stop that, or choose "
            "another --port"
        )
    why = (error.strerror or str(error)).lower()
    return f"cannot listen on {host} port {port}: {why}; choose another --host or --port"


# TLS


def verify_private(
    host: str, tls_cert: str, tls_key: str, *, has_proxy: bool = False, or_else: str = ""
) -> None:
    """Refuse to send anything in the clear beyond this machine; `or_else` is another way out."""
    if bool(tls_cert) != bool(tls_key):
        raise Refusal("TLS needs both --tls-cert and --tls-key")
    for file in filter(None, (tls_cert, tls_key)):
        if not Path(file).is_file():
            raise Refusal(f"there is no file {file}")
    if tls_cert:
        _verify_pair(tls_cert, tls_key)
    if not (_is_loopback(host) or tls_cert or has_proxy):
        raise Refusal(
            f"{host} can be reached from other machines: give --tls-cert and --tls-key{or_else}"
        )


def _verify_pair(cert: str, key: str) -> None:
    """OpenSSL's own words name neither file."""
    certificates, found_key = _certificates(cert), _private_key(key)
    if not certificates and found_key is None and _certificates(key):
        raise Refusal(
            f"certificate and key are swapped: {key} holds the certificate; write --tls-cert {key} "
            f"--tls-key {cert}"
        )
    if not certificates:
        raise Refusal(f"--tls-cert {cert} holds no certificate (PEM)")
    if found_key is None:
        raise Refusal(f"--tls-key {key} holds no private key (PEM)")
    # the first is the server's own, the others lead to its issuer
    if _public(certificates[0].public_key()) != _public(found_key.public_key()):
        raise Refusal(f"the key in {key} is not that of the certificate in {cert}")


def _certificates(path: str) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(_bytes(path))
    except ValueError:
        return ()


def _private_key(path: str) -> PrivateKeyTypes | None:
    try:
        return serialization.load_pem_private_key(_bytes(path), None)
    except TypeError:
        raise Refusal(
            f"--tls-key {path} is under a passphrase, which a server has nobody to ask for: give a "
            "key without one, in a file that only its user reads"
        ) from None
    except ValueError:
        return None


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(f"{path} cannot be read: {why}") from None


def _public(key: PublicKeyTypes) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(serialization.Encoding.DER, form)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def shown_address(host: str, port: int, *, has_tls: bool, names: Iterable[str] = ()) -> str:
    """Return an address for a browser. Where the server listens on every address of the machine, it
    has the first of `names` that is a name of its own, or else the machine's.
    """
    shown = host
    if _is_any(host):
        own = (name for name in names if name not in ("localhost", host) and "*" not in name)
        shown = next(own, "") or socket.gethostname()
    if ":" in shown:
        shown = f"[{shown}]"
    scheme = "https" if has_tls else "http"
    return f"{scheme}://{shown}:{port}/"


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
