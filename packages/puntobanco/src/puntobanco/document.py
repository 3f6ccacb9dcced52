"""Documents for people: tables and charts as one self-contained HTML file, or as a PDF."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path

from puntobanco.base.extras import package


@dataclass(frozen=True)
class Chart:
    title: str
    note: str
    svg: str


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    text: tuple[str, ...] = ()  # columns of words, besides the first; the others are figures


@dataclass(frozen=True)
class Document:
    title: str
    method: str
    facts: list[tuple[str, str]]
    tables: list[Table]
    charts: list[Chart]
    appendix: list[Table]
    landscape: bool = False  # of a PDF


_KINDS = {"numerator": "long", "denominator": "long", "bytes": "long", "clause": "clause"}
_WIDE = ("when", "in our words", "flags", "what")

_STYLE = """
:root{color-scheme:light;--ink:#14201b;--dim:#5d6f67;--line:#d7dfdb;--gold:#8a6412}
*{box-sizing:border-box}body{margin:0 auto;max-width:1080px;padding:32px 24px 64px;color:var(--ink);background:#fff;
font:15px/1.45 "Inter","Noto Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:28px;margin:0 0 4px}h2{font-size:18px;margin:34px 0 6px}p{margin:4px 0 10px;color:var(--dim)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:14px 0}dt{color:var(--dim)}dd{margin:0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13.5px}
th{text-align:left;color:var(--dim);font-weight:600;border-bottom:1px solid var(--line);padding:5px 10px 5px 0}
td{padding:5px 10px 5px 0;border-bottom:1px solid #eef2f0;vertical-align:top}td.n{text-align:right;white-space:nowrap}
th.n{text-align:right}.clause{font-family:ui-monospace,monospace;color:var(--gold);white-space:nowrap}
.long{font-family:ui-monospace,monospace;font-size:11px;overflow-wrap:anywhere;text-align:left}
figure{margin:10px 0;overflow-x:auto}svg{max-width:100%;height:auto}
@media print{body{max-width:none;padding:0}h2{break-after:avoid}}
"""
STYLE_HASH = f"sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}"
"""By which a content policy may allow the style of a document, and no other that stands in a page."""


def html(doc: Document) -> str:
    """One file, nothing fetched."""
    title = escape(doc.title)
    parts = [f"<h1>{title}</h1><p>{escape(doc.method)}</p><dl>"]
    for name, value in doc.facts:
        parts.append(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>")
    parts.append("</dl>")
    parts += map(_html_table, doc.tables)
    parts += map(_html_chart, doc.charts)
    parts += map(_html_table, doc.appendix)
    body = "".join(parts)
    head = (
        "<meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{title}</title><style>{_STYLE}</style>"
    )
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>\n"


def _html_chart(chart: Chart) -> str:
    title = escape(chart.title)
    figure = f"<figure role='img' aria-label='{title}'>{chart.svg}</figure>"
    return f"<h2>{title}</h2><p>{escape(chart.note)}</p>{figure}"


def _html_table(table: Table) -> str:
    parts = [f"<h2>{escape(table.title)}</h2>"]
    if table.note:
        parts.append(f"<p>{escape(table.note)}</p>")
    if table.columns:
        kinds = _kinds(table)
        head = _html_row("th", table.columns, kinds)
        rows = "".join(_html_row("td", row, kinds) for row in table.rows)
        grid = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        parts.append(f"<div class='scroll'>{grid}</div>")
    return "".join(parts)


def _html_row(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> str:
    parts = []
    for cell, kind in zip(cells, kinds, strict=True):
        parts.append(f"<{tag} class='{kind}'>{escape(cell)}</{tag}>")
    return f"<tr>{''.join(parts)}</tr>"


def _kinds(table: Table) -> list[str]:
    words = ("figure", *_WIDE, *table.text)
    kinds = [_KINDS.get(name, "" if name in words else "n") for name in table.columns]
    if kinds[0] == "n":  # the first column is of words
        kinds[0] = ""
    return kinds


def pdf(doc: Document) -> bytes:
    """A4 pages with numbers, set by Typst."""
    typst = package("typst")

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for i, chart in enumerate(doc.charts):
            (root / f"chart{i}.svg").write_text(chart.svg, "utf-8")
        (root / "sheet.typ").write_text(_typst(doc), "utf-8")
        return bytes(typst.compile(str(root / "sheet.typ"), root=str(root)))


def _typst(doc: Document) -> str:
    title = _quoted(doc.title)
    flipped = "true" if doc.landscape else "false"
    facts = ", ".join(f"{_dim(name)}, {_quoted(value)}" for name, value in doc.facts)
    parts = [
        # no date: by default it is the time of making, and the same data would be another file
        f"#set document(title: {title}, date: none)\n"
        f'#set page(paper: "a4", flipped: {flipped}, margin: (x: 16mm, y: 18mm), '
        f'numbering: "1 / 1", header: text(8pt, fill: luma(110))[#{title}])\n'
        '#set text(font: ("Libertinus Serif", "New Computer Modern"), size: 9.5pt)\n'
        "#set par(justify: false)\n"
        "#show heading: set block(above: 1.3em, below: 0.6em)\n",
        f"#text(20pt, weight: 600)[#{title}]\n\n#text(fill: luma(90))[#{_quoted(doc.method)}]\n\n",
        "#table(columns: 2, stroke: none, inset: (x: 0pt, y: 2pt), column-gutter: 14pt, "
        f"{facts})\n",
    ]
    parts += map(_typst_table, doc.tables)
    for i, chart in enumerate(doc.charts):
        heading = f"#heading(level: 2, {_quoted(chart.title)})"
        note = f"#text(8.5pt, fill: luma(90), {_quoted(chart.note)})"
        image = f'#image("chart{i}.svg", width: 100%)'
        parts.append(f"#block(breakable: false)[{heading} {note} #v(4pt) {image}]\n")
    parts += map(_typst_table, doc.appendix)
    return "\n".join(parts)


def _dim(text: str) -> str:
    return f"text(fill: luma(90), {_quoted(text)})"


def _typst_table(table: Table) -> str:
    heading = f"#heading(level: 2, {_quoted(table.title)})\n"
    if table.note:
        heading += f"#text(8.5pt, fill: luma(90), {_quoted(table.note)})\n"
    if not table.columns:
        return f"#block(breakable: false)[{heading}]\n"
    kinds = _kinds(table)
    is_long = "long" in kinds
    widths = []
    for column, kind in zip(table.columns, kinds, strict=True):
        widths.append("1fr" if kind == "long" or column in _WIDE else "auto")
    aligns = ["right" if kind == "n" else "left" for kind in kinds]
    head = ", ".join(map(_dim, table.columns))
    rows = ",\n".join(_typst_row(row, kinds) for row in table.rows)
    size = "7pt" if is_long else "8.5pt"
    breakable = "true" if is_long or len(table.rows) > 20 else "false"
    return (
        f"#block(breakable: {breakable}, width: 100%)[{heading}"
        f"#text({size})[#table(columns: ({', '.join(widths)},), align: ({', '.join(aligns)},), "
        "stroke: (x: none, y: 0.4pt + luma(215)), inset: (x: 3pt, y: 3.2pt), "
        f"table.header({head}),\n{rows})]]\n"
    )


def _typst_row(cells: Sequence[str], kinds: Sequence[str]) -> str:
    return ", ".join(_typst_cell(cell, kind) for cell, kind in zip(cells, kinds, strict=True))


def _typst_cell(cell: str, kind: str) -> str:
    if kind == "long":  # digits may break anywhere: at a box of no width, which nobody copies
        parts = [_quoted(cell[i : i + 8]) for i in range(0, len(cell), 8)]
        return " + box() + ".join(parts) or _quoted("")
    if kind == "clause":
        return f'text(fill: rgb("#7a5a10"), {_quoted(cell)})'
    return _quoted(cell)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
