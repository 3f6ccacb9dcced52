"""Documents for people: tables and charts as one self-contained HTML file, or as a PDF."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path


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


def html(doc: Document) -> str:
    """One file, nothing fetched."""
    facts = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in doc.facts)
    body = [f"<h1>{escape(doc.title)}</h1><p>{escape(doc.method)}</p><dl>{facts}</dl>"]
    body += [_html_table(t) for t in doc.tables]
    body += [_html_chart(c) for c in doc.charts]
    body += [_html_table(t) for t in doc.appendix]
    head = (
        "<meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(doc.title)}</title><style>{_STYLE}</style>"
    )
    return (
        f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(body)}</body></html>\n"
    )


def _html_chart(chart: Chart) -> str:
    title, note = escape(chart.title), escape(chart.note)
    return (
        f"<h2>{title}</h2><p>{note}</p><figure role='img' aria-label='{title}'>{chart.svg}</figure>"
    )


def _html_table(table: Table) -> str:
    kinds = [_kind(table, i) for i in range(len(table.columns))]
    head = "".join(
        f"<th class='{k}'>{escape(c)}</th>" for c, k in zip(table.columns, kinds, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td class='{k}'>{escape(cell)}</td>" for cell, k in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    if not table.columns:
        return f"<h2>{escape(table.title)}</h2>{note}"
    grid = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<h2>{escape(table.title)}</h2>{note}<div class='scroll'>{grid}</div>"


def _kind(table: Table, column: int) -> str:
    name = table.columns[column]
    if name in ("numerator", "denominator", "bytes"):
        return "long"
    if name == "clause":
        return "clause"
    return "" if column == 0 or name in ("figure", *_WIDE, *table.text) else "n"


def pdf(doc: Document) -> bytes:
    """A4 pages with numbers, set by Typst."""
    import typst  # noqa: PLC0415 - an extra, and only where a PDF is made

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for i, chart in enumerate(doc.charts):
            (root / f"chart{i}.svg").write_text(chart.svg, "utf-8")
        (root / "sheet.typ").write_text(_typst(doc), "utf-8")
        return bytes(typst.compile(str(root / "sheet.typ"), root=str(root)))


def _typst(doc: Document) -> str:
    title = _quoted(doc.title)
    parts = [
        f'#set document(title: {title})\n#set page(paper: "a4", flipped: {str(doc.landscape).lower()}, '
        f'margin: (x: 16mm, y: 18mm), numbering: "1 / 1", header: text(8pt, fill: luma(110))[#{title}])\n'
        '#set text(font: ("Libertinus Serif", "New Computer Modern"), size: 9.5pt)\n#set par(justify: false)\n'
        "#show heading: set block(above: 1.3em, below: 0.6em)\n",
        f"#text(20pt, weight: 600)[#{title}]\n\n#text(fill: luma(90))[#{_quoted(doc.method)}]\n\n",
        "#table(columns: 2, stroke: none, inset: (x: 0pt, y: 2pt), column-gutter: 14pt, "
        + ", ".join(f"text(fill: luma(90), {_quoted(k)}), {_quoted(v)}" for k, v in doc.facts)
        + ")\n",
    ]
    parts += [_typst_table(t) for t in doc.tables]
    for i, chart in enumerate(doc.charts):
        title, note = _quoted(chart.title), _quoted(chart.note)
        parts.append(
            f"#block(breakable: false)[#heading(level: 2, {title}) #text(8.5pt, fill: "
            f"luma(90), {note}) #v(4pt) "
            f'#image("chart{i}.svg", width: 100%)]\n'
        )
    parts += [_typst_table(t) for t in doc.appendix]
    return "\n".join(parts)


def _typst_table(table: Table) -> str:
    kinds = [_kind(table, i) for i in range(len(table.columns))]
    widths = [
        "1fr" if k == "long" or c in _WIDE else "auto"
        for c, k in zip(table.columns, kinds, strict=True)
    ]
    aligns = ["right" if k == "n" else "left" for k in kinds]
    head = ", ".join(f"text(fill: luma(90), {_quoted(c)})" for c in table.columns)
    cells = ",\n".join(
        ", ".join(_typst_cell(cell, k) for cell, k in zip(row, kinds, strict=True))
        for row in table.rows
    )
    size = "7pt" if "long" in kinds else "8.5pt"
    breakable = "true" if "long" in kinds or len(table.rows) > 20 else "false"
    note = f"#text(8.5pt, fill: luma(90), {_quoted(table.note)})\n" if table.note else ""
    if not table.columns:
        return f"#block(breakable: false)[#heading(level: 2, {_quoted(table.title)})\n{note}]\n"
    return (
        f"#block(breakable: {breakable}, width: 100%)[#heading(level: 2, "
        f"{_quoted(table.title)})\n{note}"
        f"#text({size})[#table(columns: ({', '.join(widths)},), align: ({', '.join(aligns)},), "
        "stroke: (x: none, y: 0.4pt + luma(215)), inset: (x: 3pt, y: 3.2pt), "
        f"table.header({head}),\n{cells})]]\n"
    )


def _typst_cell(cell: str, kind: str) -> str:
    if kind == "long":  # digits may break anywhere
        return _quoted("\u200b".join(cell[i : i + 8] for i in range(0, len(cell), 8)))
    return f'text(fill: rgb("#7a5a10"), {_quoted(cell)})' if kind == "clause" else _quoted(cell)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
