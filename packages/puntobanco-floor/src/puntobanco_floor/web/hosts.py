"""Hosts: the names that a floor answers to, so that no other name can be pointed at it (DNS
rebinding).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509

from puntobanco_floor.settings import Settings

HERE = ("localhost",)


def strip_port(host: str) -> str:
    """Return the name in a `Host` header.

    >>> [strip_port(host) for host in ("Floor.example:8000", "[::1]:80", "[")]
    ['floor.example', '::1', '[']
    """
    if host.startswith("["):
        inside, closed, _ = host[1:].partition("]")
        return inside if closed else host
    return host.partition(":")[0].lower().rstrip(".")


@dataclass(frozen=True, slots=True)
class Hosts:
    """`names` may begin with `*.`, for one label. None: any name, since a proxy has looked."""

    names: tuple[str, ...] | None = HERE

    def has(self, host: str) -> bool:
        """An address is no name that somebody else could point here."""
        if self.names is None:
            return True
        name = strip_port(host)
        if _is_address(name) or name in self.names:
            return True
        _, _, domain = name.partition(".")
        return bool(domain) and f"*.{domain}" in self.names


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def find_hosts(settings: Settings) -> Hosts:
    """Return the names that are set; else those of the certificate; else addresses and
    localhost.
    """
    if settings.hosts:
        named = (name.strip().lower() for name in settings.hosts.split(","))
        return Hosts((*HERE, settings.host, *filter(None, named)))
    if settings.tls_cert:
        return Hosts((*HERE, settings.host, *_certified(Path(settings.tls_cert))))
    if settings.proxy:
        return Hosts(None)
    return Hosts((*HERE, settings.host))


def _certified(path: Path) -> tuple[str, ...]:
    certificate = x509.load_pem_x509_certificates(path.read_bytes())[0]
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    return tuple(name.lower() for name in names.value.get_values_for_type(x509.DNSName))
