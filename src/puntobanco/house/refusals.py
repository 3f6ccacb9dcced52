"""What the house refuses, each kind by its name."""

from puntobanco.rules.refusals import Refusal


class NotSetUp(Refusal):
    """A floor that was not set up yet."""


class AlreadyThere(Refusal):
    """A name that is taken, or something that is so already."""


class Unknown(Refusal):
    """Somebody or something that this floor does not know."""


class Locked(Refusal):
    """Somebody who is disabled, or has tried too often."""


class LastAdministrator(Refusal):
    """A change that would leave nobody to administer the floor."""


WRONG_CODE = "that code enrols no terminal: it is wrong, used, or too old; ask for a new one"


class EnrolmentRefused(Refusal):
    """A code that enrols nothing: wrong, used, or too old."""


class Excluded(Refusal):
    """A patron who may not play."""


class StillNeeded(Refusal):
    """A card that cannot be erased: its patron is excluded, has limits, or sits somewhere."""


class WindowRefused(Refusal):
    """A cage window that is somebody else's, or a second one for the same cashier."""


class NotOfTheHouse(Refusal):
    """A command of a table, sent to the house."""
