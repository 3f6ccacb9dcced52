"""Checks of files, texts, lists and styles: `make lint` runs them, `make test` does not."""
