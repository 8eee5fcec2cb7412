"""Machines of ingest-scenarios that know of one data source at a time: I1, I2, I5, I7."""

from __future__ import annotations

from typing import Any, List, Mapping

from backlog_bounds import Backlog, Bounds
from breaker import CLOSED, NodeHealth
from gatherer import Flush, Gatherer
from keyed_breaker import KeyedBreaker
from machine import Machine, Told
from notices import Notice, Notices
from retry_after import retry_after_seconds


def _flushes(flushes: List[Flush]) -> Told:
    return {"flushes": [{**flush._asdict(), "rows": len(flush.rows)} for flush in flushes]}


class GathererMachine(Machine):
    def make(self, **config: Any) -> None:
        self._gatherer = Gatherer(**config)

    def read(self, of: Any) -> Told:
        return {"next_due_ms": self._gatherer.next_due_ms()}

    def step_add(self, of: Mapping[str, Any]) -> Told:
        partitions = [f"p{i}" for i in range(of["partitions"])] if "partitions" in of else [of["partition"]]
        flushes: List[Flush] = []
        for partition in partitions:
            for row in range(of["rows"]):
                flushes += self._gatherer.add(self.now_ms, of["source"], partition, row, of["bytes"])
        return _flushes(flushes)

    def step_due(self, _: bool) -> Told:
        return _flushes(self._gatherer.due(self.now_ms))

    def step_flush(self, of: Mapping[str, Any]) -> Told:
        return _flushes(self._gatherer.flush(of["source"]) if "source" in of else self._gatherer.flush_all())


class KeyedBreakerMachine(Machine):
    def make(self, random: Any, **config: Any) -> None:
        self._draws = list(random) if isinstance(random, list) else [random]
        self._breakers = KeyedBreaker(self._draw, **config)

    def read(self, of: Any) -> Told:
        breaker = self._breakers.read(_key(of))
        return {
            "state": breaker.state,
            "reason": breaker.reason,
            "until_ms": breaker.until_ms if breaker.state == "open" else None,
            "holds": breaker.holds,
            "unanswered": breaker.unanswered,
            "baseline_ms": breaker.baseline_ms,
            "saturated": breaker.is_saturated,
            "size": self._breakers.size,
        }

    def save(self) -> Any:
        return self._breakers.save(self.now_ms)

    def restore(self, saved: Any) -> None:
        self._breakers.restore(self.now_ms, saved)

    def step_flush(self, of: Mapping[str, Any]) -> None:
        for _ in range(of["times"]):
            self._breakers.flushed(self.now_ms, _key(of), of["took_ms"])

    def step_fail(self, of: Mapping[str, Any]) -> None:
        self._breakers.failed(self.now_ms, _key(of))

    def step_oldest(self, of: Mapping[str, Any]) -> None:
        self._breakers.aged(self.now_ms, _key(of), of["age_ms"])

    def step_parts(self, of: Mapping[str, Any]) -> None:
        self._breakers.parts(self.now_ms, _key(of), of["active"], of["delay_at"])

    def step_ask(self, of: Mapping[str, Any]) -> Told:
        node = NodeHealth(of.get("ping_ms", 1), of.get("ping_baseline_ms", 1), of.get("resource_error_ago_ms"))
        return {"may_flush": self._breakers.may_flush(self.now_ms, _key(of), node)}

    def step_each(self, of: Mapping[str, Any]) -> None:
        for key in _keys(of):
            self.step_flush({**of, "key": key})

    def step_count(self, of: Mapping[str, Any]) -> Told:
        breakers = [self._breakers.read(key) for key in _keys(of)]
        baselines = {breaker.baseline_ms for breaker in breakers}
        return {
            "open": sum(breaker.state != CLOSED for breaker in breakers),
            "baseline_ms": baselines.pop() if len(baselines) == 1 else None,
            "may_flush_count": sum(self.step_ask({"key": key})["may_flush"] for key in _keys(of)),
        }

    def step_look(self, _: Any) -> None:
        """What is to be seen is read after each step."""

    def _draw(self) -> float:
        return self._draws.pop(0) if len(self._draws) > 1 else self._draws[0]


def _key(of: Any) -> str:
    return of.get("key", "a") if isinstance(of, dict) else "a"


def _keys(of: Mapping[str, Any]) -> List[str]:
    return [f"k{i}" for i in range(of["count"])]


class BoundsMachine(Machine):
    def make(self, **config: Any) -> None:
        self._bounds = Bounds(**config)

    def step_judge(self, of: Mapping[str, Any]) -> Told:
        tenant = Backlog(**of["tenant"]) if "tenant" in of else None
        waiting = Backlog(**of["source"]), Backlog(**of["total"]), tenant
        verdict = self._bounds.judge(of["bytes"], *waiting, of.get("pieces", 0))
        told = dict(verdict._asdict())
        if verdict.retry_after_ms is not None:
            told["retry_after_s"] = retry_after_seconds(verdict.retry_after_ms)
        return told


class NoticesMachine(Machine):
    def make(self, **config: Any) -> None:
        self._told = 0
        self._notices = Notices(self._listen, **config)

    def read(self, of: Any) -> Told:
        return {"told": self._told}

    def step_set(self, of: Mapping[str, Any]) -> Told:
        notice = self._notices.set(self.now_ms, of["source"], of["state"], of["reason"], of["for_ms"])
        return {"notice": None if notice is None else notice._asdict()}

    def step_list(self, of: Mapping[str, Any]) -> Told:
        kept, is_whole = self._notices.list(of.get("after", 0))
        return {"ids": [notice.id for notice in kept], "whole": is_whole}

    def _listen(self, _: Notice) -> None:
        self._told += 1
