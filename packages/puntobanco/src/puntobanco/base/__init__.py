"""The kernel: words, refusals, money, canonical JSON, records. It imports nothing else of ours."""
