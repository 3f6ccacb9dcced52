"""Independent checks of a floor: entry bytes, the transparency log, shoe mixes and receipts.

Of the other packages it imports only `puntobanco.base`.
"""
