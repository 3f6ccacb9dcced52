"""`sbom`: what this installation is made of, as a CycloneDX document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import click

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco.cli import console
from puntobanco_floor.integrity import release

SPEC = "1.5"
_LICENCES = ("License-Expression", "License")


@click.command
@click.option("--out", metavar="FILE", help="Write it there; by default to standard output.")
def sbom(out: str | None) -> None:
    """The software bill of materials: this release and every dependency that is installed, as
    CycloneDX JSON. The same installation gives the same bytes.
    """
    try:
        own = distribution(release.PACKAGE)
    except PackageNotFoundError:
        raise Refusal("puntobanco is not installed here: there is nothing to list") from None
    console.write(console.json_text(document(own)), out)


def document(own: Distribution) -> dict[str, object]:
    used = release.dependencies(own)
    every = [own, *used]
    wanted = release.wanted(own)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {"component": _component(own, "application")},
        "components": [_component(each, "library") for each in used],
        "dependencies": [_depends(each, wanted) for each in every],
    }


def _component(found: Distribution, kind: str) -> dict[str, object]:
    component: dict[str, object] = {
        "type": kind,
        "bom-ref": _ref(_name(found)),
        "name": _name(found),
        "version": _version(found),
        "purl": f"pkg:pypi/{_name(found)}@{_version(found)}",
    }
    said = [found.metadata[name] for name in _LICENCES if name in found.metadata]
    licence = said[0] if said else ""
    if licence and "\n" not in licence:
        component["licenses"] = [{"license": {"name": licence}}]
    return component


def _depends(found: Distribution, wanted: Mapping[str, frozenset[str]]) -> dict[str, object]:
    required = release.required(found.requires or (), wanted[_name(found)])
    names = {name for name, _ in required if name in wanted}
    return {"ref": _ref(_name(found)), "dependsOn": [_ref(name) for name in sorted(names)]}


def _name(found: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower()


def _version(found: Distribution) -> str:
    return __version__ if _name(found) == release.PACKAGE else found.version


def _ref(name: str) -> str:
    return f"pypi:{name}"
