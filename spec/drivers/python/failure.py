"""What ended an attempt: an answer of the server, or none (R3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Iterable, Mapping, Optional

THROTTLE = "throttle"
TRANSIENT = "transient"
FINAL = "final"

# Kinds of failure.
STATUS = "status"
CONNECT = "connect"
REFUSED_STREAM = "refused_stream"
TIMEOUT = "timeout"
NETWORK = "network"

_CONNECTION_CODES = frozenset(
    """ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN EHOSTUNREACH ENETUNREACH
    ENETDOWN UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT
    UND_ERR_BODY_TIMEOUT""".split()
)
PEEK_BYTES = 16 * 1024
_CERTIFICATE = ("CERT", "SELF_SIGNED", "UNABLE_TO_")


@dataclass(frozen=True)
class Verdict:
    """What a `classify` answers: a class, and a wait for where no header states one."""

    kind: str
    fallback_ms: Optional[int] = None


@dataclass(frozen=True)
class Failure:
    """One failed attempt. Header names are in lower case."""

    kind: str
    status: Optional[int] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    # R4: the body's first 16 KiB as text, without taking it from whoever reads it later.
    peek: Callable[[], str] = lambda: ""

    def header(self, name: str) -> Optional[str]:
        """The header's value without the white space around it (RFC 9110 §5.5), or None."""
        value = self.headers.get(name)
        return None if value is None else value.strip(" \t")


def kind_of_codes(codes: Iterable[str]) -> str:
    """The kind of an attempt without an answer, of all the codes found in its error (R3)."""
    found = list(codes)
    if any(mark in code for code in found for mark in _CERTIFICATE):
        return NETWORK
    if "REFUSED_STREAM" in found:
        return REFUSED_STREAM
    if any(code in _CONNECTION_CODES for code in found):
        return CONNECT
    return NETWORK


def first_text(body: bytes) -> str:
    """What a `classify` may read of a body (R4). A cut may fall into the middle of a letter."""
    return body[:PEEK_BYTES].decode("utf-8", "replace")
