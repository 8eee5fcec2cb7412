"""A server for tests: it answers from a script, and keeps what arrived and when."""

from __future__ import annotations

import http.server
import socket
import struct
import threading
import time
from typing import Any, List


class Server:
    """Answers each request with the next of `script`: a status, `"reset"` or `"silence"`."""

    def __init__(self, *script: Any, retry_after: str = "0") -> None:
        self.arrivals: List[float] = []
        self.bodies: List[bytes] = []
        self._ended = threading.Event()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self) -> None:
                server.arrivals.append(time.monotonic())
                step = script[min(len(server.arrivals), len(script)) - 1]
                server.bodies.append(self.rfile.read(int(self.headers.get("content-length", 0))))
                if step == "reset":
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                elif step == "silence":
                    server._ended.wait(5)
                else:
                    self.send_response(step)
                    self.send_header("Retry-After", retry_after)
                    self.send_header("Content-Length", "4")
                    self.end_headers()
                    self.wfile.write(b"body")

            do_GET = do_PUT = answer

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: the test says what it saw."""

        class Listener(http.server.ThreadingHTTPServer):
            def shutdown_request(self, request: Any) -> None:
                request.close()  # without the FIN that would come before a reset

        self._listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._listener.server_port}/a?b=c"

    def __enter__(self) -> "Server":
        threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ended.set()
        self._listener.shutdown()
        self._listener.server_close()
