"""Levels: who may import whom. `tests/test_levels.py` holds the code to it, ARCHITECTURE.md shows it.

A module imports from its own level or a lower one: between packages by `LEVELS`, inside a package
by `INNER`, whose lines go from the lowest up.
"""

import ast
import re
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/puntobanco"

LEVELS: dict[str, int] = {
    name: level
    for level, names in {
        1: "base rules version cache document release settings logs metrics passphrase "
        "private_files program_faults strict_json glossary simplified extras data_table verifier",
        2: "traits names catalog game_check game_errors odds scoreboards events commands refusals refusal_words ledger journal key_files keys "
        "vault paytable merkle entry signing mix tlog fonts",
        3: "sim proposals machine recovery table house cage witness",
        4: "definitions storage library",
        5: "lab reports dispute receipts",
        6: "floor",
        7: "web client",
        8: "cli",
    }.items()
    for name in names.split()
}

INNER: dict[str, tuple[str, ...]] = {
    "base": ("canonical record words", "citations", "refusal", "characters money"),
    "entry": ("format", "heads parts"),
    "rules": (
        "clauses notebook readings",
        "refusals",
        "cards payouts",
        "causes terms",
        "shoe tableau",
        "forms predicates",
        "compile hands",
        "irregularities game round",
        "settle kinds games.fortune_six games.rapid games.sands_elements games.six_star "
        "games.super_six_plus",
        "definition words",
        "check",
    ),
    "events": (
        "record",
        "event",
        "house journal move program proposal review round session table",
        "cage",
    ),
    "tlog": (
        "faults",
        "leaves notes tree",
        "checkpoints policies tiles",
        "proofs",
    ),
    "fonts": ("glyphs", "faces", "subset", "__main__"),
    "odds": (
        "patterns",
        "plan",
        "compiled sums",
        "solve",
        "par",
        "combine findings removal reshuffles vulnerability",
        "charts figures",
        "document",
    ),
    "sim": (
        "intrinsics source",
        "cpu tally",
        "run verdict",
        "document figures gpu plain rounds sessions simulation",
        "shoes",
    ),
    "table": (
        "phases refusals",
        "limits state",
        "commands rulings shoe_counts",
        "clock",
        "context",
        "changes",
        "mixing",
        "adjustments evolve moves reviews sessions settling",
        "stops",
        "shoes",
        "cards orders recovered wagers",
        "decide",
        "machine",
    ),
    "house": (
        "gaming_day refusals",
        "state",
        "commands",
        "programs",
        "decide evolve",
        "machine",
    ),
    "cage": (
        "state",
        "commands evolve",
        "decide",
        "machine",
    ),
    "witness": (
        "asking identity",
        "client memory",
        "decisions",
        "page",
        "app",
    ),
    "storage": (
        "errors migrations.env migrations.versions.v0001_journal_and_ledger "
        "migrations.versions.v0002_append_only migrations.versions.v0003_logins "
        "migrations.versions.v0004_signed_commits migrations.versions.v0005_patrons "
        "migrations.versions.v0006_set_aside migrations.versions.v0007_bound_cards "
        "migrations.versions.v0008_refused_answers migrations.versions.v0009_transparency_log "
        "patient schema stages time",
        "address batch issued migrate roles sqlite_commit",
        "kept_answers snapshots sqlite_file",
        "engines sqlite_lock",
        "logins patrons reader ready_nodes",
        "log signed_chain",
        "growing publication",
        "growing_process log_recovery",
        "store",
        "epochs hints postgres_sql sqlite_sql",
        "liveness postgres_read postgres_write sqlite_read sqlite_write",
        "postgres sqlite",
        "locate",
        "answered archive audit_since backup beside selftest",
        "audited_moves audited_stream audited_vouchers log_audit",
        "audit_processes",
        "audit copy replay set_aside",
    ),
    "lab": (
        "sheets",
        "compared method removed simulated",
        "work",
    ),
    "reports": (
        "figures interval owed shuffles significant staffing",
        "counting rows sections",
        "gathering pages theory",
        "tying vouchers",
        "make",
    ),
    "verifier": ("verify",),
    "receipts": (
        "document links",
        "subjects",
        "make",
    ),
    "dispute": (
        "facts",
        "disclosed",
        "evidence pages",
        "pack",
        "verify",
    ),
    "floor": (
        "log.status",
        "log.asking",
        "log.remote",
        "log.keeper",
        "log.mixer",
        "factors hashing login_locks networks passwords past.journal_pages past.round_list "
        "past.rule_checks pit.day pit.facts pit.protection playable propagate refusals roles "
        "terminals.connections tickets views.roads views.rules views.shuffle vouchers work_queue world",
        "admin enrolment follower logins past.audit_job patrons pit.approvals pit.advantage "
        "pit.fairness self_check views.table",
        "pit.shoe_plays",
        "cage moves next_action pit.alerts terminals.public_events terminals.wire views.changes "
        "views.recall",
        "commands past.patron_replay propagator terminals.heartbeat terminals.shutdown "
        "views.dealer",
        "past.round_review pit.board readiness reviews seats",
        "pit.service",
        "screens wagers",
        "live_views terminals.broadcast",
        "service",
        "demo",
    ),
    "web": (
        "hosts joined openapi problems rate_limit shutdown slow_clients",
        "screen_files",
        "font_files",
        "context",
        "metrics safety",
        "request socket",
        "request_bounds",
        "request_turns",
        "admin audit choices commands dealer direct log login ops pages patrons pit reports "
        "views_socket",
        "cage lab receipts",
        "outcomes",
        "app",
    ),
    "cli": (
        "completion demo_witness listening options output show starters.added starters.bonus starters.push "
        "starters.replaced starters.whole",
        "configured",
        "audit backup check desk dispute export games new_game odds report roads sbom selftest serve settle "
        "simulate two_people",
        "deal epoch floor irregularity journal keys migrate patrons program replay staff staffing "
        "tables terminals vouchers witness",
    ),
}


def modules(package: str) -> dict[str, Path]:
    """The modules of a package by their names inside it: `pit.board`."""
    folder = SOURCE / package
    return {
        path.relative_to(folder).with_suffix("").as_posix().replace("/", "."): path
        for path in sorted(folder.rglob("*.py"))
        if path.stem != "__init__"
    }


def inner_levels(package: str) -> dict[str, int]:
    return {name: level for level, line in enumerate(INNER[package], 1) for name in line.split()}


def first_sentence(path: Path) -> str:
    """What a module is, as its docstring begins."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[a-z`)\"'])\.(?: |$)", paragraph, maxsplit=1)[0].replace("|", "\\|")


def tables() -> str:
    """Every package with its modules, from the lowest level up."""
    lines = list[str]()
    for package in INNER:
        paths = modules(package)
        lines += ["", f"### {package}", "", "| level | module | what it is |", "|---|---|---|"]
        for name, level in inner_levels(package).items():
            lines.append(f"| {level} | `{name}` | {first_sentence(paths[name])} |")
    return "\n".join(lines) + "\n"
