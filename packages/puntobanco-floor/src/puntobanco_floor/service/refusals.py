"""Why the floor itself refuses, before any table or the house is asked."""

from collections.abc import Iterable

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.store.batch import Answer


class NoSuchTable(Refusal):
    """A table that this floor does not have."""

    in_short = Words("No such table", "沒有此賭枱")
    remedy = "Take a number from `puntobanco table list` or the lobby."


class WrongFloor(Refusal):
    """A floor that was set up otherwise than it is to be served."""

    remedy = (
        "Serve a demonstration with --demo and a real floor without it; each has a database "
        "of its own."
    )


class SeatedElsewhere(Refusal):
    """A seat that is in the way: of a patron with limits, who has one, or of another session at the
    same terminal.
    """

    in_short = Words("Seated elsewhere", "你已在另一賭枱入座")
    remedy = "Leave the other table, or cash out there, first."


class SessionOver(Refusal):
    """A seat by the ticket of a session that has ended."""

    in_short = Words("This session is over", "本節已結束")
    remedy = "Begin another session."


class CardNeeded(Refusal):
    """A seat without a member's card, where nobody plays without one."""

    in_short = Words("A member's card is needed", "須憑會員卡參與")
    remedy = "Put in a member's card."


class NotMoved(Refusal):
    """A move that another table does not take: the patron stays where he is, with his credits."""

    in_short = Words("You stay at your table", "你留在原賭枱")
    remedy = "Choose another table, or stay."


class NoVerifier(Refusal):
    """What is to be kept of a password, and is nothing that any password could match."""

    in_short = Words("That is kept of no password", "密碼記錄格式不正確")
    remedy = "A fault of the program that sent it: send what a password was hashed to."


class LoginRefused(Refusal):
    """A name and password that do not go together, or a login that is locked."""

    in_short = Words("The login is refused", "姓名或密碼不正確，或已被鎖定")
    remedy = "Check name, password and one-time code; the clock of the app must be right."


class PinNeeded(Refusal):
    """A decision that its owner confirms with a PIN."""

    in_short = Words("Type your PIN", "請輸入個人密碼")
    remedy = "Type the PIN of the account."


class PinRefused(Refusal):
    """A name and PIN of a second person that do not go together, or are locked."""

    in_short = Words("The PIN is refused", "個人密碼不獲接受")
    remedy = "Check name and PIN, or use the password."


class BadVoucher(Refusal):
    """A number that no voucher can have."""

    in_short = Words("Not a voucher number", "票券號碼不正確")
    remedy = "Read the number again, or scan the QR code."


class NoSuchView(Refusal):
    """A view that is none, or not for who asks."""

    in_short = Words("Not to be seen", "不可查看")
    remedy = "Watch a view that your login may see."


class WeakPin(Refusal):
    """A PIN that is too short, or has other signs than digits."""

    remedy = "Choose at least as many digits as the message says."


class BadCode(Refusal):
    """A code that cannot be one."""

    remedy = "Type the code again, without letters that it cannot have."


class TooManyTries(Refusal):
    """A password, or a past round, that is not looked at, since too many wait."""

    in_short = say.TOO_MANY_TRIES
    remedy = "Wait some seconds and try again."


class TwoGames(Refusal):
    """Two open tables play different games of one id."""

    remedy = "Close one of the tables, or give one of the games another id."


class Refused(Refusal):
    """What the floor said no to; its code is that of the answer."""

    remedy = "Look up the code that came with it."

    def __init__(self, answer: Answer, faults: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(answer.words, clause=answer.clause or None)
        self.fields: dict[str, str] = {}  # what is wrong with what was filled in, by field
        for field, reason in faults:
            self.fields.setdefault(field, reason)
        self.code = answer.code


class WeakPassword(Refusal):
    """A password that is too short."""

    remedy = "Choose a longer password."


class NoOpenShift(Refusal):
    """Cash by somebody who has no open shift at a cage window."""

    remedy = "Open a shift at a cage window first."


class CountsBlind(Refusal):
    """The movements of a drawer that somebody may have to count."""

    remedy = "Ask an auditor, or look when the shift was counted."


class NotAllowed(Refusal):
    """A command that this role may not give."""

    in_short = Words("Not for your role", "你的職級不可如此操作")
    remedy = "Ask somebody whose role may; the table of commands says who."


class BadCard(Refusal):
    """What no card has for an id."""

    in_short = Words("Not a card of a member", "會員卡編號不正確")
    remedy = "Read the member's card again."


class PatronCardRefused(Refusal):
    """A card that cannot be used now: the table of patrons was changed by somebody else."""

    in_short = Words("This card cannot be used now", "此卡暫時不能使用")
    remedy = "Ask the staff; an administrator runs `puntobanco patron mend`."

    def __init__(self) -> None:
        super().__init__(say.CARD_UNUSABLE)
