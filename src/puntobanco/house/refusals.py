"""What the house refuses, each kind by its name."""

from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Words


class NotSetUp(Refusal):
    """A floor that was not set up yet."""

    in_short = Words("The floor is not set up", "本場尚未設立")


class AlreadyThere(Refusal):
    """A name that is taken, or something that is so already."""

    in_short = Words("It is so already", "已經如此")


class Unknown(Refusal):
    """Somebody or something that this floor does not know."""

    in_short = Words("Not known here", "沒有此項記錄")


class Locked(Refusal):
    """Somebody who is disabled, or has tried too often."""

    in_short = Words("Locked", "已被鎖定")


class OwnPassword(Refusal):
    """A password that somebody else would make: its owner does, with a code."""

    in_short = Words("Its owner chooses the password", "密碼由本人設定")


class NotEnrolled(Refusal):
    """Somebody who has not chosen a password, or has no second factor yet."""

    in_short = Words("Choose your own password first", "請先設定本人密碼")


class LastAdministrator(Refusal):
    """A change that would leave nobody to administer the floor."""


class EnrolmentRefused(Refusal):
    """A code that enrols nothing: wrong, used, or too old."""

    in_short = Words("The code is not good", "登記碼不正確、已使用或已過期")


class Excluded(Refusal):
    """A patron who may not play."""

    in_short = Words("Not to play here", "不可在此投注；請向職員查詢")


class StillNeeded(Refusal):
    """A card that cannot be erased: its patron is excluded, has limits, or sits somewhere."""


class WindowRefused(Refusal):
    """A cage window that is somebody else's, or a second one for the same cashier."""


class NotOfTheHouse(Refusal):
    """A command of a table, sent to the house."""
