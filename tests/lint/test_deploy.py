"""What a machine is set up with: pinned and hashed requirements, containers, a unit of systemd. No engine is run on them."""

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from puntobanco.base.version import DISTRIBUTIONS as OURS
from puntobanco_floor.integrity.release import required
from puntobanco_floor.store.addresses import read_address, verify_private
from puntobanco_floor.web.middleware import TOO_MANY
from puntobanco_floor.web.problems import RETRY_S, Problem
from tools.tree import DISTRIBUTIONS, ROOT

[OPERATIONS] = (ROOT / "docs").rglob("operations.md")
FEWEST_CAPABILITIES = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
"""What PostgreSQL's own entry point needs to become its user."""


def pinned(name: str) -> dict[str, tuple[set[str], int]]:
    """Each requirement with its versions (by system or Python) and how many hashes they have."""
    found = dict[str, tuple[set[str], int]]()
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    for line in filter(None, text.splitlines()):
        package, version = re.match(r"([\w.-]+)==([\w.]+)", line).groups()  # type: ignore[union-attr]
        versions, hashes = found.get(package, (set[str](), 0))
        fewest = len(re.findall(r"--hash=sha256:[0-9a-f]{64}", line))
        assert fewest or name == "constraints.txt", f"{line[:60]} has no hash"
        found[package] = versions | {version}, hashes + fewest
    return found


def test_everything_that_a_node_installs_has_a_hash_and_the_version_of_the_tests() -> None:
    node = pinned("requirements.txt")
    tested = pinned("constraints.txt")
    lines = list[str]()
    for folder in DISTRIBUTIONS.values():
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        extras = project.get("optional-dependencies", {})
        lines += [*project["dependencies"], *extras.get("postgres", ()), *extras.get("report", ())]
    wanted = {name for name, _ in required(lines)}
    assert "psycopg" in wanted
    assert wanted - set(OURS) <= set(node)
    assert {name: versions for name, (versions, _) in node.items()} == {
        name: tested[name][0] for name in node
    }


def test_what_builds_the_wheel_has_a_hash_too() -> None:
    assert "hatchling" in pinned("deploy/build-requirements.txt")


def test_what_cuts_fonts_has_a_hash_and_no_node_needs_it() -> None:
    cutting, tested = pinned("deploy/font-requirements.txt"), pinned("constraints.txt")
    assert {name: versions for name, (versions, _) in cutting.items()} == {
        name: tested[name][0] for name in ("brotli", "fonttools")
    }
    assert not set(cutting) & set(pinned("requirements.txt"))


def test_the_image_installs_hashed_requirements_first_and_then_the_program_without_any() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    installs = re.findall(r"pip (?:install|wheel) [^\\\n]+", text)
    assert len(installs) == 5
    build, wheel, requirements, program, fonts = installs
    assert "--require-hashes --requirement deploy/build-requirements.txt" in build
    assert "--no-deps --no-build-isolation" in wheel
    assert "--require-hashes --requirement requirements.txt" in requirements
    assert "--no-deps --no-index" in program
    assert "--require-hashes --requirement deploy/font-requirements.txt" in fonts
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert bases == ["${BASE}", "build", "${BASE}"], (
        "the base image is an argument, so that it can be a digest"
    )
    for name in (".containerignore", ".dockerignore"):
        kept = (ROOT / name).read_text("utf-8").split()
        copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
        assert {f"!{each}" for line in copied for each in line.split()} <= set(kept)


def test_the_image_writes_only_to_its_volume() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    [volume] = re.findall(r"^VOLUME (\S+)", text, re.MULTILINE)
    [heads] = re.findall(r"PUNTOBANCO_HEADS=(\S+)", text)
    assert Path(heads).parent == Path(volume)


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    return found


def test_no_container_keeps_a_capability_that_it_does_not_need(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        added = set(service.get("cap_add", []))
        assert added == (FEWEST_CAPABILITIES if name == "database" else set()), name


def test_every_image_can_be_named_by_its_digest(services: dict[str, Any]) -> None:
    for name in ("database", "proxy"):
        assert re.fullmatch(r"\$\{[A-Z]+_IMAGE:-\S+\}", services[name]["image"])
    assert services["node"]["build"]["args"]["BASE"].startswith("${PYTHON_IMAGE:-")


def test_the_proxy_has_files_for_every_connection_that_it_takes(services: dict[str, Any]) -> None:
    """One to the terminal and one to the node for each, and some hundreds of its own."""
    config = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    [most] = map(int, re.findall(r"^\s+maxconn (\d+)", config, re.MULTILINE))
    assert services["proxy"]["ulimits"]["nofile"] >= 2 * most + 1_000
    assert services["node"]["ulimits"]["nofile"] >= 65_536


TERMINALS_OF_ONE_ADDRESS = 500
CONNECTIONS_OF_A_BROWSER = 7
"""Six for files, and the terminal's own."""


def test_new_connections_of_an_address_have_a_rate_that_a_house_does_not_reach() -> None:
    """Refused before TLS, which is what a connection costs; and counted by address, not by proxy."""
    config = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    [rule] = re.findall(r"^\s+tcp-request connection reject if (.+)$", config, re.MULTILINE)
    most = int(rule.removeprefix("{ sc_conn_rate(0) gt ").removesuffix(" }"))
    assert "store conn_rate(10s),http_req_rate(10s)" in config
    assert "tcp-request connection track-sc0 src,ipmask(32,64)\n" in config
    assert most >= TERMINALS_OF_ONE_ADDRESS * CONNECTIONS_OF_A_BROWSER
    assert config.index("track-sc0") < config.index("sc_conn_rate(0)"), "counted, then compared"


FILES_OF_A_TERMINAL = 20


def test_requests_of_an_address_have_a_rate_that_a_house_does_not_reach() -> None:
    """Refused as a node refuses them, in the same words."""
    config = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    pattern = r"^\s+http-request return status 429 .* hdr Retry-After (\d+) string '(.+)' if (.+)$"
    [(wait, body, rule)] = re.findall(pattern, config, re.MULTILINE)
    most = int(rule.removeprefix("{ sc_http_req_rate(0) gt ").removesuffix(" }"))
    assert most >= TERMINALS_OF_ONE_ADDRESS * FILES_OF_A_TERMINAL
    assert msgspec.json.decode(body, type=Problem) == TOO_MANY[1]
    assert int(wait) == RETRY_S
    assert config.index("track-sc0") < config.index("sc_http_req_rate(0)"), "counted, then compared"


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="no haproxy here")
def test_haproxy_itself_accepts_the_file(tmp_path: Path) -> None:
    certificate = tmp_path / "tls.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=floor"),
            *("-keyout", str(certificate), "-out", str(tmp_path / "certificate")),
        ],
        check=True,
        capture_output=True,
    )
    with certificate.open("a") as both:
        both.write((tmp_path / "certificate").read_text())
    config = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    file = tmp_path / "haproxy.cfg"
    file.write_text(config.replace("/run/secrets/tls.pem", str(certificate)), "utf-8")
    command = ["haproxy", "-c", "-f", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


HARDENED = {
    "ProtectSystem": "strict",
    "ProtectHome": "true",
    "PrivateTmp": "true",
    "PrivateDevices": "true",
    "NoNewPrivileges": "true",
    "CapabilityBoundingSet": "",
    "RestrictNamespaces": "true",
    "RestrictSUIDSGID": "true",
    "SystemCallArchitectures": "native",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "UMask": "0077",
    "LimitCORE": "0",
    "RestartPreventExitStatus": "2",
}


def test_the_unit_of_systemd_is_hardened_and_does_not_restart_what_was_refused() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / "deploy" / "puntobanco.service", encoding="utf-8")
    service = dict(unit["Service"])
    assert {name: service.get(name) for name in HARDENED} == HARDENED
    assert service["User"] == "puntobanco"
    assert "MemoryDenyWriteExecute" not in service, "Numba compiles while the node runs"
    assert "serve --config " in service["ExecStart"]


def test_nodes_reach_the_database_by_tls_alone(services: dict[str, Any]) -> None:
    said = OPERATIONS.read_text("utf-8")
    for name in ("database_url", "owner_url"):
        [address] = re.findall(rf'^echo "(postgresql://.+)" > {name}$', said, re.MULTILINE)
        verify_private(address)
        assert "sslmode=verify-full&sslrootcert=/run/secrets/database_cert" in address
    database = services["database"]
    assert "ssl=on" in database["command"]
    for name in ("database_cert", "database_key"):
        assert any(part.endswith(f"/run/secrets/{name}") for part in database["command"])
        assert name in database["secrets"]
    assert "database_cert" in services["node"]["secrets"]
    assert "database_key" not in services["node"]["secrets"]


def test_nodes_connect_as_a_role_that_appends_and_the_owner_migrates(
    services: dict[str, Any],
) -> None:
    """The owner's address is in one container, which ends before a node starts."""
    said = OPERATIONS.read_text("utf-8")
    [of_node] = re.findall(r'^echo "(postgresql://.+)" > database_url$', said, re.MULTILINE)
    assert read_address(of_node).user == "floor_node"
    with_owner = {name for name, each in services.items() if "owner_url" in each.get("secrets", [])}
    assert with_owner == {"migrate"}
    migrate = services["migrate"]
    assert migrate["command"] == ["migrate", "--node", "floor_node"]
    assert migrate["environment"] == {"PUNTOBANCO_DATABASE_FILE": "/run/secrets/owner_url"}
    assert "floor_keys" not in migrate["secrets"]
    wanted = {"condition": "service_completed_successfully"}
    assert services["node"]["depends_on"]["migrate"] == wanted
    database = services["database"]
    assert "node_password" in database["secrets"]
    assert any("node-role.sql:/docker-entrypoint-initdb.d/" in each for each in database["volumes"])


def test_every_secret_of_a_container_is_a_file_that_the_documents_make() -> None:
    """But for the three that openssl and the key ring make under other names."""
    found = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    used = {name for each in found["services"].values() for name in each.get("secrets", [])}
    assert used == set(found["secrets"])
    said = OPERATIONS.read_text("utf-8")
    for secret in found["secrets"].values():
        assert Path(secret["file"]).name in said, secret
