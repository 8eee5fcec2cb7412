"""Replays ingest-scenarios in-process, and what no table expresses of the state machines.

Run with `python3 -m unittest` in this folder.
"""

from __future__ import annotations

import json
import unittest
from typing import Any, List, Mapping

from driver import run
from gatherer import Gatherer
from ingest_config import IngestConfigError
from keyed_breaker import KeyedBreaker
from quota import Quota
from router import Router
from test_driver import SPEC


def same(expected: Any, seen: Any) -> bool:
    """Numbers within a millionth; of objects what is stated; lists whole."""
    if isinstance(expected, dict):
        return isinstance(seen, dict) and all(name in seen and same(one, seen[name]) for name, one in expected.items())
    if isinstance(expected, list):
        return isinstance(seen, list) and len(expected) == len(seen) and all(map(same, expected, seen))
    if type(expected) in (int, float) and type(seen) in (int, float):
        return abs(seen - expected) <= 1e-6 * abs(expected)
    return type(expected) is type(seen) and expected == seen


def differences(case: Mapping[str, Any], answer: Mapping[str, Any]) -> List[str]:
    if "config_error" in case:
        refused = answer.get("actual", {}).get("config_error")
        return [] if refused == case["config_error"] else [f"config_error: {case['config_error']} {refused}"]
    steps = answer.get("actual", {}).get("steps")
    if steps is None or len(steps) != len(case["steps"]):
        return [f"no reading a step: {answer}"]
    return [
        f"steps[{i}].{name}: {expected} {seen.get(name)}"
        for i, (step, seen) in enumerate(zip(case["steps"], steps))
        for name, expected in step.get("expect", {}).items()
        if name not in seen or not same(expected, seen[name])
    ]


class Tables(unittest.TestCase):
    def test_ingest_scenarios(self) -> None:
        table = json.loads((SPEC / "ingest-scenarios.json").read_text("utf-8"))
        self.assertGreater(len(table["cases"]), 100)
        for case in table["cases"]:
            with self.subTest(case["id"]):
                config = {**table["config"][case["machine"]], **case.get("config", {})}
                answer = run({"cmd": "run", "seq": 1, "suite": table["suite"], "config": config, "case": case})
                self.assertEqual(differences(case, answer), [])

    def test_a_wrong_answer_is_seen(self) -> None:
        case = {"steps": [{"look": {}, "expect": {"state": "open", "until_ms": 100, "unanswered": ["a"]}}]}
        right = {"state": "open", "until_ms": 100.00001, "unanswered": ["a"]}
        self.assertEqual(differences(case, {"actual": {"steps": [right]}}), [])
        for wrong in ({"state": "closed"}, {"until_ms": 101}, {"until_ms": None}, {"unanswered": []}):
            self.assertEqual(len(differences(case, {"actual": {"steps": [{**right, **wrong}]}})), 1)
        self.assertEqual(len(differences(case, {"actual": {"steps": [{}]}})), 3)
        self.assertEqual(len(differences(case, {"actual": {"steps": []}})), 1)


class Config(unittest.TestCase):
    def test_names_field_value_and_remedy(self) -> None:
        with self.assertRaisesRegex(IngestConfigError, "config field 'burst' is 0: give a number from 1"):
            Quota(burst=0)

    def test_what_is_refused(self) -> None:
        router = {"nodes": ["n1"], "scores": {}}
        for machine, field, config in (
            ("gatherer", "flush_interval_ms", {"flush_interval_ms": 0}),
            ("gatherer", "flush_interval_ms", {"flush_interval_ms": {"a": -1}}),
            ("gatherer", "max_rows", {"max_rows": 1.5}),
            ("keyed_breaker", "hold_jitter", {"random": 0, "hold_jitter": 1.1}),
            ("keyed_breaker", "holds_ms", {"random": 0, "holds_ms": 5}),
            ("saturation_clock", "recovery_rate", {"recovery_rate": -1}),
            ("temporal_limit", "growth", {"growth": 0.9}),
            ("quota", "rate_per_second", {"rate_per_second": "5"}),
            ("bounds", "max_total_bytes", {"max_total_bytes": None}),
            ("router", "nodes", {**router, "nodes": []}),
            ("router", "min_flushes", {**router, "min_flushes": True}),
            ("notices", "max_notices", {"max_notices": 0}),
        ):
            with self.subTest(machine, config=config):
                case = {"machine": machine, "steps": []}
                answer = run({"suite": "ingest-scenarios", "config": config, "case": case})
                self.assertEqual(answer, {"actual": {"config_error": field}})


class WithoutATable(unittest.TestCase):
    def test_i1_nothing_is_lost_or_doubled_and_the_order_stays(self) -> None:
        gatherer = Gatherer(max_rows=7, max_bytes=50)
        written: List[int] = []
        for row in range(1_000):
            flushes = gatherer.add(row * 3, "a", "p", row, row % 20 + 1)
            written += [each for flush in [*flushes, *gatherer.due(row * 3)] for each in flush.rows]
        written += [each for flush in gatherer.flush_all() for each in flush.rows]
        self.assertEqual(written, list(range(1_000)))

    def test_i2_who_only_asks_is_not_remembered(self) -> None:
        breakers = KeyedBreaker(lambda: 0.5)
        self.assertEqual(breakers.read("a").state, "closed")
        self.assertEqual(breakers.size, 0)

    def test_i6_a_refused_list_of_nodes_changes_nothing(self) -> None:
        router = Router(["n1"], lambda source, node: 0, lambda source: 0)
        with self.assertRaises(IngestConfigError):
            router.set_nodes(0, ["n2", "n2"])
        self.assertEqual(list(router.nodes), ["n1"])


if __name__ == "__main__":
    unittest.main()
