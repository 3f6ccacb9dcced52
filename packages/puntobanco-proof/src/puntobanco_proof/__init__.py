"""What strangers use to check a floor: entry bytes, the transparency log, the mix, receipts.

It imports of ours only `puntobanco.base`.
"""
