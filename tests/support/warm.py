"""Imported by the fork server: every command, and the kernel of the odds, which every pit asks for, are loaded once and
not by each program.
"""

from importlib import import_module

from puntobanco import GAMES
from puntobanco.cli import COMMANDS
from puntobanco.odds.par import par_sheet

for module in COMMANDS.values():
    import_module(module)
par_sheet(GAMES["rapid"], 8)
