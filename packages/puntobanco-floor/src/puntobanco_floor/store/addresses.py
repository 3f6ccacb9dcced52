"""Addresses of databases, as people write them: what may be shown of one, and whether it may be
used. Read without a driver, since every command looks at them.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from puntobanco_floor.store.errors import BadDatabase

POSTGRES = ("postgresql://", "postgres://")
NODE_NAME = "puntobanco"
"""The name under which PostgreSQL lists the connections of nodes."""

_SHOWN = ("host", "port", "sslmode")
_PRIVATE = ("require", "verify-ca", "verify-full")


def is_postgres(url: str) -> bool:
    return url.startswith(POSTGRES)


@dataclass(frozen=True, slots=True)
class Address:
    """`postgresql://user:password@host:port,host:port/name?name=value`, taken apart."""

    user: str
    password: str
    hosts: tuple[str, ...]  # with their ports
    name: str
    query: dict[str, str]


def read_address(url: str) -> Address:
    _, _, rest = url.partition("://")
    # from the right: a password may hold anything
    who, _, place = rest.rpartition("@")
    user, _, password = who.partition(":")
    path, _, question = place.partition("?")
    hosts, _, name = path.partition("/")
    asked = {key: values[-1] for key, values in parse_qs(question).items()}
    named = tuple(host for host in hosts.split(",") if host)
    return Address(user, password, named, name, asked)


def shown_postgres(url: str) -> str:
    """The address without its password, wherever that stands in it.

    >>> shown_postgres("postgresql://ann:x@db:5432/floor?password=y&sslmode=require")
    'postgresql://ann:***@db:5432/floor?sslmode=require'
    """
    found = read_address(url)
    if "?" in found.user or "/" in found.user:
        return "this address"
    secret = ":***" if found.password else ""
    who = f"{found.user}{secret}@" if found.user else ""
    kept = "&".join(f"{name}={found.query[name]}" for name in _SHOWN if name in found.query)
    question = f"?{kept}" if kept else ""
    return f"postgresql://{who}{','.join(found.hosts)}/{found.name}{question}"


def has_password(url: str) -> bool:
    """Whether who reads the address can use it.

    >>> has_password("postgresql://ann@db/x"), has_password("postgresql://ann:x@db/x")
    (False, True)
    """
    if not is_postgres(url):
        return False
    found = read_address(url)
    return bool(found.password) or "password=" in url


def verify_private(url: str) -> None:
    """Refuse a connection in the clear to another machine: who changes answers would decide."""
    found = read_address(url)
    hosts = list(found.hosts)
    for name in ("host", "hostaddr"):
        hosts += filter(None, found.query.get(name, "").split(","))
    if not hosts:  # the drivers look there too
        hosts = [host for host in os.environ.get("PGHOST", "").split(",") if host]
    mode = found.query.get("sslmode") or os.environ.get("PGSSLMODE", "")
    if mode not in _PRIVATE and not all(map(_is_here, hosts)):
        raise BadDatabase(
            f"{shown_postgres(url)} is beyond this machine: TLS is demanded; end the address with "
            "?sslmode=verify-full&sslrootcert=FILE"
        )


def _is_here(host: str) -> bool:
    """A socket in a folder, or an address of this machine alone."""
    if host.startswith(("/", "@", "%2F", "%2f")):
        return True
    name = re.sub(r":[0-9]*$", "", host) if host.count(":") == 1 or host.startswith("[") else host
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
