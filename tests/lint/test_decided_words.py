"""What became of a proposal is told in words: every command of two people, and every reason why one lapses."""

import json
import re
import subprocess
from itertools import product

from puntobanco_floor.domain.definitions import OURS
from tests.support.node import needs_node
from tools.tree import ROOT, SCREENS

DECIDED = SCREENS / "base/decided.js"
COMMANDS = sorted(kind.name() for kind in OURS.commands if kind.traits.second is not None)
REASONS = sorted({kind.traits.ends[1] for kind in OURS.events if kind.traits.ends} | {"corrected"})
STOPS = {"en": ".", "zh": "。"}
LAPSED = {"en": "Lapsed: ", "zh": "已失效："}

_TELL = f"""
  import {{ decidedWords }} from {json.dumps(DECIDED.as_uri())};
  const asked = JSON.parse(process.argv[1]);
  const one = (command, reason) => ({{ outcome: "lapsed", command, reason, by: "", asked_by: "dora", proposal: 1 }});
  console.log(JSON.stringify(asked.map(([lang, command, reason]) => decidedWords(lang, one(command, reason)))));
"""


@needs_node
def test_every_command_of_two_people_and_every_reason_of_lapsing_has_its_words_in_both_languages() -> (
    None
):
    asked = list(product(STOPS, COMMANDS, REASONS))
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", _TELL, json.dumps(asked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = json.loads(done.stdout)
    assert len(told) == len(asked)
    for (lang, command, reason), said in zip(asked, told, strict=True):
        assert said.endswith(STOPS[lang]), f"{reason} has no words ({lang}): {said}"
        assert said.partition(STOPS[lang])[0] != f"{LAPSED[lang]}{command}", (
            f"{command} has no words ({lang}): {said}"
        )
        assert lang == "en" or not re.search("[a-z]", said), said
