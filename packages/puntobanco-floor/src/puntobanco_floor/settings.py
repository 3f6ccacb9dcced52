"""Settings: all that an operator may configure, as one frozen value.

Later ones win: the defaults here, the file (`--config`), the environment (`PUNTOBANCO_PORT=8001`),
the command line (`--port 8001`). Each has a kind and bounds; what is out of bounds, or no setting
at all, is refused in one line. `docs/reference/configuration.md` is made from this.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from puntobanco.base.characters import verify_text
from puntobanco.base.private_files import warn_of_readers
from puntobanco.base.refusal import Refusal

PREFIX = "PUNTOBANCO_"
OTHERS = frozenset(
    {
        "CACHE",
        "CHROMIUM",
        "CONFIG",
        "DEBUG",
        "PASSPHRASE",
        "PASSPHRASE_FILE",
        "SLOW",
        "TEST_POSTGRES",
    }
)
"""What the environment may also say, which is no setting of a floor."""

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


class BadSetting(Refusal):
    """A setting that is none, or out of bounds."""

    remedy = "Correct the setting that the message names; the configuration page has the bounds."


def _set(
    default: Any,
    help_: str,
    *,
    within: tuple[float, float] | None = None,
    choices: tuple[str, ...] = (),
    metavar: str = "",
) -> Any:
    said = {"help": help_, "within": within, "choices": choices, "metavar": metavar}
    return field(default=default, metadata=said)


def _file(help_: str) -> Any:
    return _set("", help_, metavar="FILE")


@dataclass(frozen=True, kw_only=True)
class Settings:
    # The floor
    demo: bool = _set(
        False, "Tables of all five games, guests with play credits. Never for real money."
    )
    database: str = _set("floor.db", "SQLite, or postgresql://...", metavar="URL")
    database_file: str = _file(
        "A file that holds the address of the database, where it has a password."
    )
    keys: str = _file("The key ring; by default beside the database.")
    heads: str = _file("The file of heads of this node; by default beside the database.")
    notify: bool = _set(
        True, "LISTEN/NOTIFY and SKIP LOCKED on PostgreSQL; off for engines that lack them."
    )
    connections: int = _set(8, "Connections of this node to PostgreSQL.", within=(2, 200))
    clock_tolerance_s: int = _set(
        60,
        "How far a clock may be behind the journal's last entry at the start.",
        within=(0, 10**9),
    )
    release_list: str = _file(
        "The signed list of the release's files, which the self-test compares; needs release_key."
    )
    release_key: str = _file("The public key that the list of the release is signed with, PEM.")

    # The transparency log
    witness_policy: str = _file(
        "A tlog-policy file: the witnesses of this floor and how many of them count. Without one "
        "nobody but the house vouches for the log."
    )
    publication: str = _set(
        "",
        "The folder that the log is published to; by default beside the file of heads.",
        metavar="FOLDER",
    )
    log_origin: str = _set(
        "",
        "The name of the log, such as casino.example/floor; by default made from its key. It is "
        "never changed.",
        metavar="NAME",
    )

    # The network
    host: str = _set("127.0.0.1", "The address to listen on.")
    port: int = _set(8000, "The port of terminals, pages and API.", within=(1, 65_535))
    tls_cert: str = _file("Certificate chain, PEM; with a key the server speaks TLS itself.")
    tls_key: str = _file("Its private key, PEM.")
    proxy: str = _set(
        "",
        "TLS ends at a proxy: its addresses, whose X-Forwarded-For is believed.",
        metavar="ADDRESSES",
    )
    hosts: str = _set(
        "",
        "The names that the floor is reached by, with commas; *.example for all of a domain. By "
        "default those of the certificate; without TLS none but addresses and localhost.",
        metavar="NAMES",
    )
    request_s: float = _set(
        10.0,
        "How long a request may take to come, and an answer to be read, before it is cut off.",
        within=(1, 120),
    )
    keep_alive_s: int = _set(
        5, "How long a connection stays open between two requests.", within=(1, 120)
    )
    metrics_host: str = _set(
        "127.0.0.1", "The address of the metrics port. Never one that the public can reach."
    )
    metrics_port: int = _set(
        0,
        "A port of its own for /metrics, /healthz and /readyz, without TLS; 0 for none.",
        within=(0, 65_535),
    )
    drain_s: float = _set(
        0.0,
        "At a stop, how long to listen on while /readyz says no: time for a balancer to see it.",
        within=(0, 300),
    )
    stop_s: float = _set(
        5.0, "At a stop, how long commands under way and connections may take.", within=(0.5, 120)
    )

    # The log
    log_format: str = _set("text", "Lines for people, or JSON.", choices=("text", "json"))
    log_level: str = _set(
        "info", "The least that is written.", choices=("debug", "info", "warning", "error")
    )

    # Terminals
    messages_rate: float = _set(
        30.0, "Messages a second from one terminal, over time.", within=(1, 1_000)
    )
    messages_burst: int = _set(60, "Messages at once from one terminal.", within=(1, 10_000))
    messages_flying: int = _set(
        64, "Commands of one terminal that may wait for their answers.", within=(1, 10_000)
    )
    message_bytes: int = _set(4_096, "The largest message from a terminal.", within=(512, 65_536))
    messages_waiting: int = _set(
        200,
        "Messages that may wait for a terminal; one that does not read is cut off.",
        within=(10, 10_000),
    )
    viewers: int = _set(
        1_000, "Lobbies and displays of anybody at once on this node.", within=(1, 100_000)
    )
    viewers_per_address: int = _set(
        100, "Lobbies and displays at once from one address.", within=(1, 100_000)
    )
    staff_viewers: int = _set(
        1_000, "Screens of the staff at once on this node.", within=(1, 100_000)
    )
    guest_credits_cents: int = _set(
        100_000, "Play credits of a guest in the demonstration.", within=(1_000, 100_000_000)
    )
    voucher_days: int = _set(30, "How long a voucher is good.", within=(1, 3_650))
    cards_only: bool = _set(
        False, "Nobody plays without a member's card: exclusions and limits hold everywhere."
    )

    reality_check_minutes: int = _set(
        60,
        "How often a terminal tells its patron the time played and the net; 0 for never.",
        within=(0, 240),
    )
    ask_marks: bool = _set(
        False,
        "Show on terminals what the derived roads would look like after either result. Past "
        "results say nothing of the next.",
    )

    # How much anybody may ask for
    requests_rate: float = _set(
        100.0,
        "HTTP requests a second from one address, over time. An enrolled terminal and a member of "
        "the staff count by themselves, wherever they are.",
        within=(1, 100_000),
    )
    requests_burst: int = _set(
        3_000,
        "HTTP requests at once from one address, terminal or member of the staff.",
        within=(20, 1_000_000),
    )
    guests_rate: float = _set(
        5.0, "Guest sessions a second from one address, over time.", within=(0.01, 10_000)
    )
    guests_burst: int = _set(50, "Guest sessions at once from one address.", within=(1, 100_000))
    logins_rate: float = _set(
        1.0, "Staff logins a second from one address, over time.", within=(0.01, 1_000)
    )
    logins_burst: int = _set(20, "Staff logins at once from one address.", within=(1, 10_000))
    enrolments_rate: float = _set(
        1.0, "Codes tried a second from one address, over time.", within=(0.01, 1_000)
    )
    enrolments_burst: int = _set(30, "Codes tried at once from one address.", within=(1, 10_000))
    redemptions_rate: float = _set(
        0.5, "Voucher numbers a second from one session or cashier.", within=(0.01, 100)
    )
    redemptions_burst: int = _set(
        10, "Voucher numbers at once from one session or cashier.", within=(1, 1_000)
    )
    changes_rate: float = _set(
        0.2, "Changes a second of a patron's own limits or table, over time.", within=(0.01, 100)
    )
    changes_burst: int = _set(
        10, "Changes at once of a patron's own limits or table.", within=(1, 1_000)
    )
    cards_rate: float = _set(
        0.5, "Patrons' cards a second at one terminal, over time.", within=(0.01, 100)
    )
    cards_burst: int = _set(20, "Patrons' cards at once at one terminal.", within=(1, 1_000))
    recalls_rate: float = _set(
        2.0,
        "Past rounds, and commands looked up, a second for one session or person, over time.",
        within=(0.01, 1_000),
    )
    recalls_burst: int = _set(
        20,
        "Past rounds, and commands looked up, at once for one session or person.",
        within=(1, 10_000),
    )

    odds_rate: float = _set(
        5.0, "Questions a second to the odds lab from one address, over time.", within=(0.01, 1_000)
    )
    odds_burst: int = _set(
        60, "Questions at once to the odds lab from one address.", within=(1, 10_000)
    )

    log_rate: float = _set(
        50.0, "Tiles and checkpoints a second for one address, over time.", within=(0.01, 10_000)
    )
    log_burst: int = _set(
        1_000, "Tiles and checkpoints at once for one address.", within=(1, 100_000)
    )

    fonts: str = _set(
        "",
        "The folder that `puntobanco fonts` wrote; empty: devices use their own fonts.",
        metavar="FOLDER",
    )

    # The odds lab
    odds_lab: str = _set(
        "staff",
        "Who may see /odds, the par sheets of fresh shoes: anybody logged in as staff, "
        "everybody, nobody. The same in a demonstration.",
        choices=("staff", "public", "off"),
    )

    # Staff
    dealer_idle_s: int = _set(
        300, "A dealer's login ends when it was idle so long.", within=(30, 300)
    )
    staff_idle_s: int = _set(
        900, "The login of anybody else ends when it was idle so long.", within=(30, 3_600)
    )

    def __post_init__(self) -> None:
        for spec in fields(self):
            _verify(spec, getattr(self, spec.name))


FIELDS: dict[str, Field[Any]] = {spec.name: spec for spec in fields(Settings)}


def kind_of(spec: Field[Any]) -> type:
    return type(spec.default)


def bounds_of(spec: Field[Any]) -> str:
    """What a setting may be, in words.

    >>> [bounds_of(FIELDS[name]) for name in ("port", "log_format", "demo", "host")]
    ['1 to 65,535', 'text, json', 'true, false', '']
    """
    assert spec.default is not MISSING
    if spec.metadata["choices"]:
        return ", ".join(spec.metadata["choices"])
    if kind_of(spec) is bool:
        return "true, false"
    within = spec.metadata["within"]
    return "{:,} to {:,}".format(*within) if within else ""


def _verify(spec: Field[Any], value: object) -> None:
    kind = kind_of(spec)
    within = spec.metadata["within"]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise BadSetting(f"the setting {spec.name} is {value!r}; it has to be {_KINDS[kind]}")
    if isinstance(value, int | float) and within and not within[0] <= value <= within[1]:
        raise BadSetting(f"the setting {spec.name} is {value}; it has to be {bounds_of(spec)}")
    if spec.metadata["choices"] and value not in spec.metadata["choices"]:
        raise BadSetting(
            f"the setting {spec.name} is {value!r}; it has to be one of: {bounds_of(spec)}"
        )


_KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
}
DEFAULTS = Settings()


def read(
    *,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, Any] | None = None,
) -> Settings:
    """Defaults, file, environment, command line: the later ones win.

    >>> read(environment={"PUNTOBANCO_PORT": "8001"}, given={"host": "::1"}).port
    8001
    """
    layers = list[Mapping[str, Any]]()
    if file is not None:
        layers.append(_from_file(file))
    layers.append(_from_environment(environment or {}))
    layers.append({name: value for name, value in (given or {}).items() if value is not None})
    found = dict[str, Any]()
    for layer in layers:
        for name, value in layer.items():
            if isinstance(value, str):
                verify_text(value, f"the setting {name}")
        if "database" in layer and "database_file" not in layer:
            found.pop("database_file", None)  # whoever names a database means that one
        found |= layer
    return _with_secrets(Settings(**found))


def database_named(
    *, file: Path | None, environment: Mapping[str, str], given: Mapping[str, Any]
) -> str:
    """The database that a command is about, as `serve` would find it.

    >>> database_named(file=None, environment={"PUNTOBANCO_DATABASE": "a.db"}, given={})
    'a.db'
    """
    names = ("database", "database_file")
    here = {PREFIX + name.upper(): environment.get(PREFIX + name.upper()) for name in names}
    said = {variable: text for variable, text in here.items() if text}
    return read(file=file, environment=said, given=given).database


def _from_file(path: Path) -> dict[str, Any]:
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadSetting(f"cannot read the settings {path}: {reason.lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is no TOML: {error}") from None
    for name in said:
        if name not in FIELDS:
            raise BadSetting(
                f"{path} sets {name!r}, which is no setting; "
                "docs/reference/configuration.md has them all"
            )
    return said


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX):
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name in FIELDS:
            found[name] = parsed(name, text)
        elif name.upper() not in OTHERS:
            raise BadSetting(
                f"the environment has {variable}, which is no setting; "
                "docs/reference/configuration.md has them all"
            )
    return found


def parsed(name: str, text: str) -> Any:
    """A value from a text, as the environment and the command line have it.

    >>> parsed("notify", "off"), parsed("port", "80"), parsed("stop_s", "2.5")
    (False, 80, 2.5)
    """
    kind = kind_of(FIELDS[name])
    if kind is bool:
        if text.lower() in (*_TRUE, *_FALSE):
            return text.lower() in _TRUE
    else:
        try:
            return kind(text)
        except ValueError:
            pass
    raise BadSetting(f"the setting {name} is {text!r}; it has to be {_KINDS[kind]}")


def _with_secrets(settings: Settings) -> Settings:
    """The address of the database from its file: a password belongs neither into the environment
    nor into a process list.
    """
    if not settings.database_file:
        return settings
    path = Path(settings.database_file)
    warn_of_readers(path)
    try:
        address = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise BadSetting(f"cannot read database_file {settings.database_file}") from None
    return replace(settings, database=address)
