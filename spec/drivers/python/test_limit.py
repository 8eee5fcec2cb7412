"""Replays backoff-scenarios in-process, and what no table expresses of a limiter.

Run with `python3 -m unittest` in this folder.
"""

from __future__ import annotations

import json
import unittest
from typing import Any, List, Mapping

from driver import run
from latency_window import LatencyWindow
from limit_config import LimitConfig, LimitConfigError, limit_config_from
from limit_replay import Callers
from limiter import Limiter
from test_driver import SPEC
from waiting_call import WaitingCall

_FIGURES = ("p90_ms", "smoothed_ms", "baseline_ms", "ratio")


def is_figure(expected: Any, seen: Any) -> bool:
    if expected is None or seen is None:
        return expected is seen
    if isinstance(expected, dict):
        return expected["min"] <= seen <= expected["max"]
    return abs(seen - expected) <= 1e-6 * abs(expected)


def differences(case: Mapping[str, Any], answer: Mapping[str, Any]) -> List[str]:
    if "config_error" in case:
        refused = answer.get("actual", {}).get("config_error")
        return [] if refused == case["config_error"] else [f"config_error: {case['config_error']} {refused}"]
    steps = answer.get("actual", {}).get("steps")
    if steps is None or len(steps) != len(case["steps"]):
        return [f"no reading a step: {answer}"]
    different = []
    for i, (step, seen) in enumerate(zip(case["steps"], steps)):
        for name, expected in step.get("expect", {}).items():
            is_same = is_figure(expected, seen[name]) if name in _FIGURES else expected == seen[name]
            if not is_same:
                different.append(f"steps[{i}].{name}: {expected} {seen[name]}")
    return different


class Tables(unittest.TestCase):
    def test_backoff_scenarios(self) -> None:
        table = json.loads((SPEC / "backoff-scenarios.json").read_text("utf-8"))
        self.assertGreater(len(table["cases"]), 100)
        for case in table["cases"]:
            with self.subTest(case["id"]):
                config = {**table["config"], **case.get("config", {})}
                answer = run({"cmd": "run", "seq": 1, "suite": table["suite"], "config": config, "case": case})
                self.assertEqual(differences(case, answer), [])

    def test_a_wrong_answer_is_seen(self) -> None:
        case = {"steps": [{"advance_ms": 0, "expect": {"limit": 35, "ratio": {"min": 1, "max": 2}}}]}
        for seen in ({"limit": 34, "ratio": 1}, {"limit": 35, "ratio": 3}, {"limit": 35, "ratio": None}):
            self.assertEqual(len(differences(case, {"actual": {"steps": [seen]}})), 1)
        self.assertEqual(len(differences(case, {"actual": {"steps": []}})), 1)


class Config(unittest.TestCase):
    def test_names_field_value_and_remedy(self) -> None:
        with self.assertRaisesRegex(LimitConfigError, "config field 'max_queue' is -1: give an integer from 0"):
            limit_config_from({"max_queue": -1})

    def test_what_is_refused(self) -> None:
        for field, value in (
            ("max_concurent", 35),
            ("max_concurrent", 0),
            ("controller", "kneel"),
            ("smoothing_samples", 0.5),
            ("overdraft_ms", -1),
            ("floor", 36),
            ("floor", 0),
            ("backoff_ratio", 1.05),
            ("recovery_ratio", 0.9),
            ("decrease_factor", 1),
            ("smoothing_time_constant_ms", 0),
            ("baseline_time_constant_ms", "1d"),
            ("shadow", 1),
            ("latency_control", None),
            ("prior", {"p90_ms": 100}),
            ("prior", {"p90_ms": -1, "windows": 31}),
        ):
            with self.subTest(field=field, value=value):
                answer = run({"suite": "backoff-scenarios", "config": {field: value}, "case": {"steps": []}})
                self.assertEqual(answer, {"actual": {"config_error": field}})


class WithoutATable(unittest.TestCase):
    def test_l3_what_is_kept_is_bounded(self) -> None:
        window = LatencyWindow()
        for latency_ms in range(100_000):
            window.add(latency_ms)
        self.assertEqual(window.count, 100_000)
        self.assertLessEqual(len(window._kept), LatencyWindow.MOST_KEPT)
        self.assertAlmostEqual(window.p90_ms(), 90_000, delta=16)

    def test_l13_a_slot_that_comes_free_in_the_millisecond_of_a_timeout_wins(self) -> None:
        callers = Callers()
        limiter = Limiter(LimitConfig(max_concurrent=1), callers)
        callers.waiting = [WaitingCall(), WaitingCall()]
        for call in list(callers.waiting):
            limiter.arrive(0, call)
        limiter.finish(10_000)
        self.assertEqual((callers.told()["started"], callers.told()["rejected"]), (2, 0))

    def test_l16_nobody_has_to_look_while_nobody_waits(self) -> None:
        callers = Callers()
        limiter = Limiter(LimitConfig(max_concurrent=1), callers)
        limiter.sample(0, 100)
        limiter.throttle(0, 5_000)
        self.assertIsNone(limiter.next_look_ms())
        callers.waiting = [WaitingCall()]
        limiter.arrive(0, callers.waiting[0])
        self.assertEqual(limiter.next_look_ms(), 5_000)
        limiter.look(5_000)
        self.assertEqual(callers.told()["started"], 1)
        self.assertIsNone(limiter.next_look_ms())


if __name__ == "__main__":
    unittest.main()
