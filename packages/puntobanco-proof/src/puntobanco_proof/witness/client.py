"""HTTP client for a witness: bounded in time and length, and verifies every signature received.

Calls block; a server runs them in a thread.
"""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_proof import mix
from puntobanco_proof.tree.faults import BadLogText, parse_number, quote_text
from puntobanco_proof.tree.notes import (
    Signed,
    Verifier,
    read_note,
    read_signatures,
    verify_signatures,
)
from puntobanco_proof.witness.refusals import (
    WitnessHasOtherSize,
    WitnessRefused,
    WitnessUnreachable,
)
from puntobanco_proof.witness.requests import AddCheckpoint, BadRequest, Mix, Mixed, Status

TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 1024 * 1024
MAX_QUOTED = 200
"""Characters of a witness's answer that a message quotes."""


class WitnessClient:
    """A connection to a witness. `url` is its submission prefix, as C2SP defines it."""

    def __init__(
        self,
        url: str,
        verifier: Verifier | None = None,
        mix_key: bytes = b"",
        *,
        timeout_s: float = TIMEOUT_S,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Check the address; `tls` defaults to the certificate authorities of the system."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
            raise WitnessUnreachable(
                f"{quote_text(url)} is not the address of a witness; write https://HOST/"
            )
        self.url = url
        self._is_tls, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._verifier, self._mix_key = verifier, mix_key
        self._timeout_s = timeout_s
        self._tls = tls

    def add_checkpoint(self, old: int, hashes: Sequence[bytes], note: str) -> list[Signed]:
        """Request cosignatures of a note; return those that the known key verifies."""
        assert self._verifier is not None
        asked = AddCheckpoint(old, tuple(hashes), note)
        answer = self._request("POST", "/add-checkpoint", asked.text.encode(), "text/plain")
        try:
            found = read_signatures(answer.decode())
            signed = verify_signatures(read_note(note).text, found, [self._verifier])
        except (BadLogText, UnicodeDecodeError) as error:
            raise WitnessUnreachable(
                f"{self.url} returned an invalid cosignature: {error}"
            ) from None
        if not signed:
            raise WitnessUnreachable(
                f"{self.url} cosigned with a key that the policy does not name"
            )
        return list(signed)

    def mix(self, request: Mix) -> bytes:
        """Request the witness's unique signature for a shoe."""
        assert self._mix_key
        body = msgspec.json.encode(request)
        answer = self._request("POST", "/mix", body, "application/json")
        message = mix.build_message(
            request.origin, request.stream, request.shoe, request.commitment
        )
        try:
            signature = bytes.fromhex(msgspec.json.decode(answer, type=Mixed).signature)
            mix.verify(signature, message, self._mix_key)
        except (msgspec.MsgspecError, ValueError, mix.MixFault) as error:
            raise WitnessUnreachable(f"{self.url} returned an invalid mix: {error}") from None
        return signature

    def status(self) -> Status:
        answer = self._request("GET", "/status", b"", "")
        try:
            return msgspec.json.decode(answer, type=Status)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise WitnessUnreachable(
                f"{self.url} returned an invalid status; is it a witness?"
            ) from None

    # HTTP

    def _request(self, method: str, path: str, body: bytes, type_: str) -> bytes:
        """Send a request and return the body of a 200 response; raise for any other."""
        until = time.monotonic() + self._timeout_s
        headers = {"User-Agent": f"puntobanco/{__version__}", "Connection": "close"}
        if type_:
            headers["Content-Type"] = type_
        connection = self._connect()
        try:
            connection.request(method, self._prefix + path, body or None, headers)
            with connection.getresponse() as answer:
                data = _read_bounded(answer, until)
        except TimeoutError:
            raise WitnessUnreachable(
                f"{self.url} did not answer within {self._timeout_s:g} s"
            ) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise WitnessUnreachable(f"cannot reach {self.url}: {_explain_error(error)}") from None
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise self._build_refusal(answer, data)
        return data

    def _connect(self) -> http.client.HTTPConnection:
        if not self._is_tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        context = self._tls or ssl.create_default_context()
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout_s, context=context
        )

    def _build_refusal(self, answer: http.client.HTTPResponse, data: bytes) -> Refusal:
        said = " ".join(data.decode("utf-8", "replace").split())[:MAX_QUOTED]
        reason = f"{self.url} refused ({answer.status}): {said}"
        kind = answer.headers.get_content_type()
        if answer.status != http.client.CONFLICT or kind != "text/x.tlog.size":
            return WitnessRefused(answer.status, reason)
        try:
            size = parse_number(said, BadRequest)
        except BadRequest:
            return WitnessUnreachable(f"{self.url} returned an invalid size: {quote_text(said)}")
        return WitnessHasOtherSize(size, f"{self.url} cosigned size {size} of the log last")


def _read_bounded(answer: http.client.HTTPResponse, until: float) -> bytes:
    """Read a response, limited in length and time even if it arrives byte by byte."""
    data = b""
    while piece := answer.read1(65_536):
        data += piece
        if len(data) > MAX_ANSWER_BYTES:
            raise ValueError(f"its answer exceeds {MAX_ANSWER_BYTES} bytes")
        if time.monotonic() > until:
            raise TimeoutError
    return data


def _explain_error(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid, {error.verify_message}"
    strerror = getattr(error, "strerror", None)
    return " ".join(str(strerror or error or type(error).__name__).split())[:MAX_QUOTED]
