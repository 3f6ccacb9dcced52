"""Imported by the fork server: the kernel of the odds, which every pit asks for, is loaded once and not by each program."""

from puntobanco import GAMES
from puntobanco.odds.par import par_sheet

par_sheet(GAMES["rapid"], 8)
