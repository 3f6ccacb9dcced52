"""Refusals of the odds lab."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal


class LabIsBusy(Refusal):
    """Too many different answers are asked for at once."""

    remedy = "Try again in some seconds."


class NotPlayedHere(Refusal):
    """A game that is neither built in nor played at a table of this floor."""

    remedy = "Take a built-in game, or one that a table of this floor plays."


class TooManyRounds(Refusal):
    """More rounds than this lab deals for one question."""

    remedy = "Ask for fewer rounds, or run `puntobanco simulate` at the command line."


class NotDealtInTime(Refusal):
    """A run that took longer than the lab has for it."""

    remedy = "Ask for fewer rounds, or try again when the server has less to do."
