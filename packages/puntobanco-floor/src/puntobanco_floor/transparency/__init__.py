"""The transparency log of a running floor: append, sign, publish, show to witnesses."""
