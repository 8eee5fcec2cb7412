"""Calls over real sockets, and what no table expresses. Run with `python3 -m unittest` in this folder."""

from __future__ import annotations

import errno
import socket
import ssl
import time
import unittest
from typing import Any

import failure as kinds
from failure import kind_of_codes
from http_transport import Request, codes_in
from policy import Policy
from real_time import send_call
from retry_budget import RetryBudget
from scripted_server import Server


class SharedBudget(unittest.TestCase):
    def test_r16_fills_with_calls_and_with_time_up_to_ten(self) -> None:
        budget = RetryBudget(now_ms=0)
        for _ in range(10):
            budget.take()
        self.assertLess(budget.tokens(0), 1)
        budget.begin_call(0)
        self.assertAlmostEqual(budget.tokens(0), 0.1)
        self.assertAlmostEqual(budget.tokens(900), 1.0)
        self.assertEqual(budget.tokens(60_000), 10)


class RealSockets(unittest.TestCase):
    QUICK = Policy(base_ms=1, max_attempts=3)

    def test_r14_the_surfaced_answer_can_be_read(self) -> None:
        with Server(429, 429, 404) as server:
            told = send_call(Request(server.url), self.QUICK)
            self.assertEqual((told.status, told.reason, told.attempts), (404, "not_retryable", 3))
            self.assertEqual(told.answer.body.read(), b"body")

    def test_r13_the_body_is_the_same_on_every_send_and_a_stream_is_sent_once(self) -> None:
        with Server(503, 200) as server:
            send_call(Request(server.url, "PUT", body=b"order"), self.QUICK).answer.body.close()
            self.assertEqual(server.bodies, [b"order", b"order"])
        with Server(503, 200) as server:
            told = send_call(Request(server.url, "PUT", body=iter([b"order"])), self.QUICK)
            told.answer.body.close()
            self.assertEqual((told.reason, len(server.arrivals)), ("body_not_replayable", 1))

    def test_r3_resets_and_closed_ports_are_connection_failures(self) -> None:
        with Server("reset") as server:
            told = send_call(Request(server.url), self.QUICK)
            self.assertEqual((told.failure, told.reason, told.attempts), ("connect", "attempts_exhausted", 3))
            self.assertEqual(len(server.arrivals), 3)
        told = send_call(Request(server.url), self.QUICK)
        self.assertEqual((told.failure, told.attempts), ("connect", 3))

    def test_r3_codes_are_found_in_the_chain_of_causes_and_the_order_holds(self) -> None:
        unknown_name = socket.gaierror(socket.EAI_NONAME, "no such name")
        self.assertEqual(codes_in(unknown_name), ["ENOTFOUND"])
        self.assertEqual(kind_of_codes(codes_in(unknown_name)), kinds.NETWORK)
        reset = ConnectionResetError(errno.ECONNRESET, "reset")
        outer = RuntimeError("outer")
        outer.__cause__, reset.__context__ = reset, outer  # a cycle
        self.assertEqual(kind_of_codes(codes_in(outer)), kinds.CONNECT)
        reset.__cause__ = ssl.SSLCertVerificationError("expired")
        self.assertEqual(kind_of_codes(codes_in(outer)), kinds.NETWORK)

    def test_r10_the_attempt_timeout_and_the_deadline(self) -> None:
        with Server("silence", 200) as server:
            policy = Policy(base_ms=1, attempt_timeout_ms=100)
            told = send_call(Request(server.url), policy)
            told.answer.body.close()
            self.assertEqual((told.outcome, told.attempts), ("ok", 2))
        with Server("silence") as server:
            began = time.monotonic()
            told = send_call(Request(server.url), Policy(deadline_ms=150))
            self.assertEqual((told.failure, told.reason), ("deadline", "deadline"))
            self.assertTrue(0.15 <= time.monotonic() - began < 1)

    def test_r4_classify_looks_at_the_body_and_takes_nothing_from_it(self) -> None:
        seen = []

        def classify(failure: Any) -> None:
            seen.append(failure.peek())

        with Server(400) as server:
            told = send_call(Request(server.url), Policy(classify=classify))
            self.assertEqual((seen, told.answer.body.read()), (["body"], b"body"))


if __name__ == "__main__":
    unittest.main()
