"""The driver: newline-delimited JSON on standard input and output. See ../../driver.md."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any, Dict, Mapping, TextIO

from policy import PolicyError
from presets import policy_of
from replay import call_scenario, draws, retry_case, shared_scenario

HELLO = {
    "name": "sluice-python",
    "language": "python",
    "version": "1.0.0",
    "suites": ["retry-cases", "call-scenarios", "backoff-scenarios", "ingest-scenarios", "wire"],
    "features": [
        "hints",
        "presets",
        "classify",
        "attempt-timeout",
        "deadline",
        "throttle-budget",
        "retry-budget",
        "limiter",
        "prior",
        "shadow",
        "events",
        "knee",
        "restart",
    ],
}


def run(message: Mapping[str, Any]) -> Dict[str, Any]:
    """The answer to one `run`, without its `seq`."""
    suite, case = message.get("suite"), message.get("case", {})
    if suite not in HELLO["suites"]:
        return {"skipped": f"no suite {suite!r} here"}
    try:
        if suite == "backoff-scenarios":
            from limit_replay import backoff_scenario  # a limiter is no part of a call: as a rule it is not loaded

            return {"actual": backoff_scenario(message["config"], case)}
        if suite == "ingest-scenarios":
            from ingest_replay import ingest_scenario  # nor is what stands before a column store

            return {"actual": ingest_scenario(message["config"], case)}
        if "calls" in case:
            return {"actual": shared_scenario(case, message.get("random", 0))}
        policy = policy_of(message.get("policy", {}))
        if suite == "wire":
            from wire import wire_call  # only these rows need sockets, and those are slow to load

            return {"actual": wire_call(policy, case, message["base_url"])}
        draw = draws(message.get("random", 0))
        play = retry_case if suite == "retry-cases" else call_scenario
        return {"actual": play(policy, case, draw)}
    except PolicyError as error:
        return {"actual": {f"{error.what}_error": error.field}}
    except Exception as error:  # whatever it is, the runner is told, and the next row is played
        return {"error": f"{type(error).__name__}: {error}"}


class Driver:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._lock = threading.Lock()

    def _say(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._output.write(json.dumps(message) + "\n")
            self._output.flush()

    def _run(self, message: Mapping[str, Any]) -> None:
        self._say({"seq": message.get("seq"), **run(message)})

    def hear(self, line: str) -> bool:
        """Does what one line says; False after `bye`. What is no message is passed over."""
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            print(f"driver: no message, passed over: {line.rstrip()[:200]!r}", file=sys.stderr)
            return True
        command = message.get("cmd")
        if command == "hello":
            self._say(HELLO)
        elif command == "run" and message.get("suite") == "wire":
            # These rows wait in real time, so they run side by side.
            threading.Thread(target=self._run, args=(message,)).start()
        elif command == "run":
            self._run(message)
        elif command != "bye":
            print(f"driver: unknown cmd {command!r}, passed over", file=sys.stderr)
        return command != "bye"


def main() -> None:
    driver = Driver(sys.stdout)
    for line in sys.stdin:
        if not driver.hear(line):
            return


if __name__ == "__main__":
    main()
