"""Who counts as one where the network is limited."""

from __future__ import annotations

import ipaddress
from functools import lru_cache


@lru_cache(10_000)
def network_of(address: str) -> str:
    """Who counts as one: an address, or the network that one subscriber is given in IPv6.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2::7")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found), 64), strict=False).network_address)
