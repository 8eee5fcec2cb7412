"""One attempt over a real socket, with http.client."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import threading
from dataclasses import dataclass, field
from typing import Iterator, List, Mapping, Optional, Union
from urllib.parse import urlsplit

from call import Answer, Report, Signal
from failure import PEEK_BYTES, Failure, first_text, kind_of_codes


@dataclass(frozen=True)
class Request:
    """A request. `body` is bytes, or an iterator of bytes, which can be sent once (R13)."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Union[None, bytes, Iterator[bytes]] = None
    is_idempotent: bool = False


class Body:
    """The body of an answer. Looking at its begin takes nothing from whoever reads it (R4)."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse):
        self._connection = connection
        self._response = response
        self._begin = b""

    def peek(self) -> str:
        try:
            while len(self._begin) < PEEK_BYTES:
                more = self._response.read(PEEK_BYTES - len(self._begin))
                if not more:
                    break
                self._begin += more
        except (OSError, http.client.HTTPException):
            pass  # a body that is cut off makes `classify` answer nothing
        return first_text(self._begin)

    def read(self) -> bytes:
        try:
            return self._begin + self._response.read()
        finally:
            self.close()

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class _Limit:
    """Cuts a connection off after a while: a socket's own timeout begins anew with each byte."""

    def __init__(self, connected: socket.socket, ms: Optional[float]) -> None:
        self.passed = False
        self._socket = connected
        self._timer = threading.Timer(0 if ms is None else ms / 1_000, self._cut_off)
        self._timer.daemon = True
        if ms is not None:
            self._timer.start()

    def _cut_off(self) -> None:
        self.passed = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended by itself meanwhile

    def clear(self) -> None:
        self._timer.cancel()


def _code(error: BaseException) -> Optional[str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "CERT_VERIFY_FAILED"
    if isinstance(error, socket.gaierror):
        return "EAI_AGAIN" if error.errno == socket.EAI_AGAIN else "ENOTFOUND"
    # An end of the stream where an answer was due; the platform gives it no errno.
    if isinstance(error, (http.client.RemoteDisconnected, ssl.SSLEOFError)):
        return "ECONNRESET"
    if isinstance(error, ssl.SSLError) or not isinstance(error, OSError):
        return None
    return errno.errorcode.get(error.errno or 0)


def codes_in(error: BaseException) -> List[str]:
    """The codes of an error and of what it came from (R3), each error looked at once."""
    seen: List[BaseException] = []
    queue: List[Optional[BaseException]] = [error]
    while queue:
        current = queue.pop(0)
        if current is not None and current not in seen:
            seen.append(current)
            queue += [current.__cause__, current.__context__, *getattr(current, "exceptions", ())]
    return [code for code in map(_code, seen) if code is not None]


def _is_time_out(error: BaseException) -> bool:
    # The kernel's ETIMEDOUT is a TimeoutError too, with an errno: that one is a lost connection.
    return isinstance(error, (socket.timeout, TimeoutError)) and error.errno is None


def _headers(response: http.client.HTTPResponse) -> Mapping[str, str]:
    """Names in lower case; of a header with several lines the values, joined."""
    names = {name.lower() for name in response.headers.keys()}
    return {name: ", ".join(response.headers.get_all(name, [])) for name in names}


def send(request: Request, limit_ms: Optional[float], body_idle_ms: Optional[int]) -> Report:
    """Sends once; answers when response headers have come, or after `limit_ms`."""
    url = urlsplit(request.url)
    connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    # R10: a wait may end at the deadline; what is left is a part of that millisecond.
    limit_ms = None if limit_ms is None else max(limit_ms, 1)
    connection = connect(
        url.hostname or "", url.port, timeout=None if limit_ms is None else limit_ms / 1_000
    )
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    limit = None
    try:
        connection.connect()
        connected = connection.sock
        limit = _Limit(connected, limit_ms)
        connection.request(request.method, target, request.body, dict(request.headers))
        response = connection.getresponse()
        connected.settimeout(None if body_idle_ms is None else body_idle_ms / 1_000)
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        if (limit is not None and limit.passed) or _is_time_out(error):
            return Signal.OUT_OF_TIME
        return Failure(kind_of_codes(codes_in(error)))
    finally:
        if limit is not None:
            limit.clear()
    body = Body(connection, response)
    return Answer(response.status, _headers(response), body.peek, body.close, body)
