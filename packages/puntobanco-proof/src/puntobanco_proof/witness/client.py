"""What a floor asks a witness with: one request at a time, each with a time limit and an answer of
bounded length; what comes back is believed only if the witness's keys have signed it.

Calls block; a server that has other things to do makes them in a thread.
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
from puntobanco_proof.tree.faults import BadLogText, number_from, shown
from puntobanco_proof.tree.notes import Signed, Verifier, read_note, read_signatures, verified
from puntobanco_proof.witness.refusals import (
    WitnessHasOtherSize,
    WitnessRefused,
    WitnessUnreachable,
)
from puntobanco_proof.witness.requests import AddCheckpoint, BadRequest, Mix, Mixed, Status

TIMEOUT_S = 5.0
MOST_ANSWER_BYTES = 1024 * 1024
SAID = 200
"""Characters of a witness's words that a message repeats."""


class WitnessClient:
    """`url` is the submission prefix; with `verifier` and `mix_key` answers are verified."""

    def __init__(
        self,
        url: str,
        verifier: Verifier | None = None,
        mix_key: bytes = b"",
        *,
        timeout_s: float = TIMEOUT_S,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`tls` is who is trusted to certify the witness's host; by default the system's list."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
            raise WitnessUnreachable(f"{shown(url)} is not an address: https://HOST/ is")
        self.url = url
        self._is_tls, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._verifier, self._mix_key = verifier, mix_key
        self._timeout_s = timeout_s
        self._tls = tls

    def add_checkpoint(self, old: int, hashes: Sequence[bytes], note: str) -> list[Signed]:
        """Ask for the cosignatures of a note; believe only those of the key that is known."""
        assert self._verifier is not None
        asked = AddCheckpoint(old, tuple(hashes), note)
        answer = self._asked("POST", "/add-checkpoint", asked.text.encode(), "text/plain")
        try:
            found = read_signatures(answer.decode())
            signed = verified(read_note(note).text, found, [self._verifier])
        except (BadLogText, UnicodeDecodeError) as error:
            raise WitnessUnreachable(
                f"{self.url} answered what is no cosignature: {error}"
            ) from None
        if not signed:
            raise WitnessUnreachable(
                f"{self.url} cosigned with a key that the policy does not name"
            )
        return list(signed)

    def mix(self, request: Mix) -> bytes:
        """The witness's signature over a shoe, which is the only one."""
        assert self._mix_key
        body = msgspec.json.encode(request)
        answer = self._asked("POST", "/mix", body, "application/json")
        message = mix.message(request.origin, request.stream, request.shoe, request.commitment)
        try:
            signature = bytes.fromhex(msgspec.json.decode(answer, type=Mixed).signature)
            mix.verify(signature, message, self._mix_key)
        except (msgspec.MsgspecError, ValueError, mix.MixFault) as error:
            raise WitnessUnreachable(f"{self.url} answered what is no mix: {error}") from None
        return signature

    def status(self) -> Status:
        answer = self._asked("GET", "/status", b"", "")
        try:
            return msgspec.json.decode(answer, type=Status)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise WitnessUnreachable(f"{self.url} answered what is no witness's status") from None

    # HTTP

    def _asked(self, method: str, path: str, body: bytes, type_: str) -> bytes:
        """The body of an answer that is good; every other one is raised."""
        until = time.monotonic() + self._timeout_s
        headers = {"User-Agent": f"puntobanco/{__version__}", "Connection": "close"}
        if type_:
            headers["Content-Type"] = type_
        connection = self._connection()
        try:
            connection.request(method, self._prefix + path, body or None, headers)
            with connection.getresponse() as answer:
                data = _bounded(answer, until)
        except TimeoutError:
            raise WitnessUnreachable(
                f"{self.url} did not answer within {self._timeout_s:g} s"
            ) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise WitnessUnreachable(f"{self.url} cannot be asked: {_why(error)}") from None
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise self._refused(answer, data)
        return data

    def _connection(self) -> http.client.HTTPConnection:
        if not self._is_tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        context = self._tls or ssl.create_default_context()
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout_s, context=context
        )

    def _refused(self, answer: http.client.HTTPResponse, data: bytes) -> Refusal:
        said = " ".join(data.decode("utf-8", "replace").split())[:SAID]
        reason = f"{self.url} refused ({answer.status}): {said}"
        kind = answer.headers.get_content_type()
        if answer.status != http.client.CONFLICT or kind != "text/x.tlog.size":
            return WitnessRefused(answer.status, reason)
        try:
            size = number_from(said, BadRequest)
        except BadRequest:
            return WitnessUnreachable(f"{self.url} answered a size that is none: {shown(said)}")
        return WitnessHasOtherSize(size, f"{self.url} has cosigned size {size} of the log last")


def _bounded(answer: http.client.HTTPResponse, until: float) -> bytes:
    """No more than there may be, and no later, however slowly it comes."""
    data = b""
    while piece := answer.read1(65_536):
        data += piece
        if len(data) > MOST_ANSWER_BYTES:
            raise ValueError(f"its answer is longer than {MOST_ANSWER_BYTES} bytes")
        if time.monotonic() > until:
            raise TimeoutError
    return data


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate does not hold, {error.verify_message}"
    strerror = getattr(error, "strerror", None)
    return " ".join(str(strerror or error or type(error).__name__).split())[:SAID]
