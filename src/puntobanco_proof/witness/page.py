"""The page of a witness: its name, its keys, and how far it has cosigned each log."""

from __future__ import annotations

import time
from html import escape

from puntobanco_proof.witness.requests import LogSeen, Status

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "pre{white-space:pre-wrap}code,td{overflow-wrap:anywhere}table{border-collapse:collapse}"
    "th,td{text-align:left;padding:.3rem 1rem .3rem 0;border-bottom:1px solid #999}"
)

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Witness {name}</title>
<style>{style}</style>
<h1>Witness {name}</h1>
<p>This program cosigns what follows from what it cosigned before, and remembers it. It vouches for
nothing else: not that a log is true, nor that it is complete.</p>
<h2>Logs</h2>
<table>
<tr><th>Log<th>Entries cosigned<th>Last time</tr>
{rows}
</table>
<p>Contradictions refused: {refused}</p>
<h2>Lines for a policy</h2>
<pre><code>{policy}</code></pre>
<p>Compare them with what the people who run this witness publish elsewhere.</p>
<p><a href="/verify.html">Check a receipt in your browser</a>,
or with <a href="/verify.py">a program of one file</a>.
<a href="/status">The same as this page, for programs</a>.</p>
</html>
"""


def page(status: Status, policy: str) -> str:
    return _PAGE.format(
        name=escape(status.name),
        style=_STYLE,
        rows="\n".join(map(_row, status.logs)),
        refused=status.refused,
        policy=escape(policy),
    )


def _row(log: LogSeen) -> str:
    when = "never"
    if log.note:
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(log.at))
    return f"<tr><td>{escape(log.origin)}<td>{log.size:,}<td>{when}</tr>"
