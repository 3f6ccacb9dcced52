"""`python -m puntobanco` is the `puntobanco` command."""

from puntobanco.cli import main

main()
