"""What the house refuses, each kind by its name."""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NotSetUp(Refusal):
    """A floor that was not set up yet."""

    in_short = Words("The floor is not set up", "本場尚未設立")
    remedy = "Run `puntobanco init`."


class AlreadyThere(Refusal):
    """A name that is taken, or something that is so already."""

    in_short = Words("It is so already", "已經如此")
    remedy = "Take another name, or change what is there."


class Unknown(Refusal):
    """Somebody or something that this floor does not know."""

    in_short = Words("Not known here", "沒有此項記錄")
    remedy = "Look it up in the list: `puntobanco staff list`, `terminal list`, `table list`."


class Locked(Refusal):
    """Somebody who is disabled, or has tried too often."""

    in_short = Words("Locked", "已被鎖定")
    remedy = "Wait, or let an administrator enable the account or give a new code."


class OwnPassword(Refusal):
    """A password that somebody else would make: its owner does, with a code."""

    in_short = Words("Its owner chooses the password", "密碼由本人設定")
    remedy = "Give its owner a new code: `puntobanco staff change NAME --new-code`."


class NotEnrolled(Refusal):
    """Somebody who has not chosen a password, or has no second factor yet."""

    in_short = Words("Choose your own password first", "請先設定本人密碼")
    remedy = "Enrol first: at /staff, or with `puntobanco staff enrol NAME`."


class LastAdministrator(Refusal):
    """A change that would leave nobody to administer the floor."""

    remedy = "Add another administrator first."


class EnrolmentRefused(Refusal):
    """A code that enrols nothing: wrong, used, or too old."""

    in_short = Words("The code is not good", "登記碼不正確、已使用或已過期")
    remedy = "Ask for a new code; a code works once, and not for long."


class Excluded(Refusal):
    """A patron who may not play."""

    in_short = Words("Not to play here", "不可在此投注；請向職員查詢")
    remedy = "Ask the staff; two people can end an exclusion."


class StillNeeded(Refusal):
    """A card that cannot be erased: its patron is excluded, has limits, or sits somewhere."""

    remedy = "End the exclusion or the limits, and let the patron cash out, then erase."


class WindowRefused(Refusal):
    """A cage window that is somebody else's, or a second one for the same cashier."""

    remedy = "Take a free window, or let the cashier who has it end the shift."


class NotOfTheHouse(Refusal):
    """A command of a table, sent to the house."""

    remedy = "Send it to the table or the cage window that it is meant for."


class NoSuchZone(Refusal):
    """A time zone that nobody knows."""

    remedy = "Take a name such as Asia/Singapore; without a system's list install tzdata."
