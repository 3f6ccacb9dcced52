"""The transparency log of a running floor: grown, published, shown to witnesses."""
