"""Replays the tables in-process, and speaks with the driver as a runner would.

Run with `python3 -m unittest` in this folder.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time
import unittest
from typing import Any, Dict, Iterator, List, Mapping

from driver import HELLO, run
from policy import PolicyError, policy_from
from presets import PRESETS
from scripted_server import Server

HERE = pathlib.Path(__file__).resolve().parent
SPEC = HERE.parent.parent
# README.md, "Replay": without `random` a row is played with each of these.
DRAWS = (0, 0.5, 1 - 2**-53)


def merged(table: Mapping[str, Any], case: Mapping[str, Any]) -> Dict[str, Any]:
    own = case.get("policy", {})
    return dict(own) if "preset" in own else {**table["policy"], **own}


def asked(table: Mapping[str, Any], case: Mapping[str, Any]) -> Dict[str, Any]:
    """The case as a driver is asked it: without what is expected, each of several calls with its whole policy."""
    told = {name: value for name, value in case.items() if name != "expect"}
    if "calls" in case:
        of = {"policy": merged(table, case)}
        told["calls"] = [{**asked(table, one), "policy": merged(of, one)} for one in case["calls"]]
        told["looks"] = [{"at_ms": look["at_ms"]} for look in case.get("looks", [])]
    return told


def run_messages(table: Mapping[str, Any], case: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
    for random in [case["random"]] if "random" in case else DRAWS:
        yield {
            "cmd": "run",
            "seq": 1,
            "suite": table["suite"],
            "policy": merged(table, case),
            "case": asked(table, case),
            "random": random,
        }


def is_success(case: Mapping[str, Any]) -> bool:
    failure = case["failure"]
    return failure.startswith("status:") and int(failure[len("status:") :]) < 400


def differences_of_retry_case(case: Mapping[str, Any], actual: Mapping[str, Any]) -> List[str]:
    expect = case["expect"]
    if actual.get("retry") != expect["retry"]:
        return ["retry"]
    if expect["retry"]:
        least, most = expect.get("wait_ms_min", 0), expect.get("wait_ms_max", float("inf"))
        return [] if least <= actual["wait_ms"] <= most else ["wait_ms"]
    wanted = {"fail_fast": expect.get("fail_fast", False)}
    if not is_success(case):
        wanted.update({k: expect[k] for k in ("reason", "retry_after_ms") if k in expect})
    return [name for name, value in wanted.items() if actual[name] != value]


def is_wait(actual: float, expected: Any) -> bool:
    if isinstance(expected, list):
        return expected[0] <= actual <= expected[1]
    return actual == expected


def differences_of_call(case: Mapping[str, Any], actual: Mapping[str, Any]) -> List[str]:
    expect = dict(case["expect"])
    waits = expect.pop("waits_ms", actual["waits_ms"])
    different = [name for name, value in expect.items() if actual[name] != value]
    if len(waits) != len(actual["waits_ms"]) or not all(map(is_wait, actual["waits_ms"], waits)):
        different.append("waits_ms")
    return different


def differences_of_calls(case: Mapping[str, Any], actual: Mapping[str, Any]) -> List[str]:
    """Several calls that share a limiter."""
    different = []
    for i, (one, seen) in enumerate(zip(case["calls"], actual["calls"])):
        different += [f"calls[{i}].{name}" for name in differences_of_call(one, seen)]
    for i, (look, seen) in enumerate(zip(case.get("looks", []), actual["looks"])):
        different += [f"looks[{i}].{name}" for name, value in look["expect"].items() if seen[name] != value]
    missing = len(case["calls"]) - len(actual["calls"]) + len(case.get("looks", [])) - len(actual["looks"])
    return different + ["calls and looks"] * missing


def differences(suite: str, case: Mapping[str, Any], answer: Mapping[str, Any]) -> List[str]:
    actual = answer.get("actual")
    if actual is None:
        return [f"no actual: {answer}"]
    if "calls" in case:
        return differences_of_calls(case, actual) if "calls" in actual else [f"no calls: {actual}"]
    refused = case["expect"].get("policy_error")
    if refused is not None or "policy_error" in actual:
        return [] if actual == {"policy_error": refused} else ["policy_error"]
    compare = differences_of_retry_case if suite == "retry-cases" else differences_of_call
    return compare(case, actual)


class Tables(unittest.TestCase):
    def replay(self, suite: str) -> None:
        table = json.loads((SPEC / f"{suite}.json").read_text("utf-8"))
        self.assertGreater(len(table["cases"]), 100)
        for case in table["cases"]:
            for message in run_messages(table, case):
                with self.subTest(case["id"], draw=message["random"]):
                    answer = run(message)
                    self.assertEqual(differences(suite, case, answer), [], f"{case} {answer}")

    def test_retry_cases(self) -> None:
        self.replay("retry-cases")

    def test_call_scenarios(self) -> None:
        self.replay("call-scenarios")

    def test_a_wrong_answer_is_seen(self) -> None:
        row = {"failure": "status:429", "expect": {"retry": True, "wait_ms_min": 1, "wait_ms_max": 2}}
        for actual in ({"retry": False}, {"retry": True, "wait_ms": 0}, {"policy_error": "hints"}):
            self.assertNotEqual(differences("retry-cases", row, {"actual": actual}), [])
        self.assertNotEqual(differences("retry-cases", row, {"error": "broken"}), [])
        call = {"expect": {"sends": 2, "waits_ms": [[0, 249]]}}
        for actual in ({"sends": 1, "waits_ms": [0]}, {"sends": 2, "waits_ms": []}, {"sends": 2, "waits_ms": [250]}):
            self.assertNotEqual(differences("call-scenarios", call, {"actual": actual}), [])


class Options(unittest.TestCase):
    def test_r17_names_field_value_and_remedy(self) -> None:
        with self.assertRaisesRegex(PolicyError, "'max_attempts' is 0: give an integer from 1"):
            policy_from({"max_attempts": 0})

    def test_r17_numbers_that_json_cannot_hold(self) -> None:
        for value in (float("nan"), float("inf"), -float("inf"), 2**53):
            with self.assertRaises(PolicyError):
                policy_from({"base_ms": value})

    def test_background_is_one_policy_among_the_presets(self) -> None:
        self.assertEqual(PRESETS["background"].throttle_budget_ms, 30_000)
        self.assertEqual(PRESETS["background"].stated_jitter_ms, 250)


class Protocol(unittest.TestCase):
    """Standard input and output of the real process."""

    def setUp(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "driver.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(self.process.kill)

    def say(self, *messages: Mapping[str, Any], before: str = "") -> List[Dict[str, Any]]:
        """What the driver answers to all these; it has to exit by itself, with 0."""
        lines = before + "".join(json.dumps(message) + "\n" for message in messages)
        out, self.errors = self.process.communicate(lines, timeout=20)
        self.assertEqual(self.process.returncode, 0, self.errors)
        return [json.loads(line) for line in out.splitlines()]

    def row(self, seq: int, **more: Any) -> Dict[str, Any]:
        case = {"failure": "status:429", "method": "GET", "retry_after": "5", "attempt": 1}
        return {"cmd": "run", "seq": seq, "suite": "retry-cases", "policy": {}, "case": case, "random": 0.5, **more}

    def test_hello_runs_and_bye(self) -> None:
        answers = self.say(
            {"cmd": "hello", "protocol": 1, "later": {"field": True}},
            self.row(1, later="field"),
            self.row(2, policy={"retries": 3}),
            self.row(3, suite="surface-cases"),
            self.row(4, case={"failure": "status:429"}),
            {"cmd": "later"},
            {"cmd": "bye"},
            self.row(5),
        )
        self.assertEqual(answers[0], HELLO)
        self.assertEqual(answers[1], {"seq": 1, "actual": {"retry": True, "wait_ms": 5000, "fail_fast": False}})
        self.assertEqual(answers[2], {"seq": 2, "actual": {"policy_error": "retries"}})
        self.assertEqual(answers[3]["seq"], 3)
        self.assertIn("skipped", answers[3])
        self.assertEqual(answers[4]["seq"], 4)
        self.assertIn("KeyError", answers[4]["error"])
        self.assertEqual(len(answers), 5, "nothing is answered after bye, nor to a cmd of a later protocol")
        self.assertIn("later", self.errors)

    def test_the_end_of_input_is_as_good_as_bye(self) -> None:
        self.assertEqual(len(self.say({"cmd": "hello", "protocol": 1})), 1)

    def test_what_is_no_message_is_passed_over(self) -> None:
        answers = self.say({"cmd": "hello", "protocol": 1}, before="\nno JSON {\n[1]\n")
        self.assertEqual(answers, [HELLO])
        self.assertIn("no JSON {", self.errors)

    def test_wire_rows_run_side_by_side(self) -> None:
        with Server(429, 200, retry_after="1") as one, Server(429, 200, retry_after="1") as two:
            rows = [
                {"cmd": "run", "seq": seq, "suite": "wire", "base_url": server.url, "policy": {}, "case": {}}
                for seq, server in ((1, one), (2, two))
            ]
            began = time.monotonic()
            answers = self.say(*rows, {"cmd": "bye"})
            self.assertLess(time.monotonic() - began, 1.9)
            self.assertEqual({answer["seq"] for answer in answers}, {1, 2})
            for answer in answers:
                self.assertEqual(answer["actual"]["status"], 200)
            for server in (one, two):
                waited = server.arrivals[1] - server.arrivals[0]
                self.assertTrue(1.0 <= waited < 1.15, waited)


if __name__ == "__main__":
    unittest.main()
