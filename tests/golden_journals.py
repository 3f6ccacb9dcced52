"""Golden journals brought to this program's form: `python -m tests.golden_journals`, while their bytes may still change.

Each `TableOpened` gets the definition of its game as this program has it, and the chain is made anew. The hashes that
`test_journal.py` holds are printed.
"""

import json
from pathlib import Path

from puntobanco.journal import NOTHING, hash_of
from puntobanco.rules.definition import canonical, define, digest
from puntobanco.rules.games import GAMES

GOLDEN = Path(__file__).parent / "golden"


def main() -> None:
    for path in sorted(GOLDEN.glob("*.jsonl")):
        head, lines = NOTHING, list[bytes]()
        for line in path.read_bytes().splitlines():
            entry = json.loads(line)
            entry["prev"] = head
            for event in entry["events"]:
                if event["event"] == "TableOpened":
                    game = GAMES[event["game"]]
                    event |= {"definition": define(game), "digest": digest(game)}
            lines.append(canonical(entry))
            head = hash_of(lines[-1])
        path.write_bytes(b"\n".join(lines) + b"\n")
        print(path.stem, head)


if __name__ == "__main__":
    main()
