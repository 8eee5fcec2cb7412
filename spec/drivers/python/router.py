"""Which node a data source's blocks go to (I6)."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ingest_config import ABOVE_0, COUNT, FROM_0, FROM_1, SHARE, Fields, IngestConfigError, settings_from
from ingest_node import ON_PROBE, Node
from placement import Placement

_FIELDS: Fields = {
    "load_factor": (1.25, FROM_1),
    "failures_in_a_row": (5, COUNT),
    "slow_ratio": (3, FROM_1),
    "min_flushes": (20, COUNT),
    "window_flushes": (100, COUNT),
    "ejection_ms": (30_000, ABOVE_0),
    "max_ejection_ms": (300_000, ABOVE_0),
    "max_ejected": (0.5, SHARE),
    "probe_timeout_ms": (30_000, ABOVE_0),
    "slow_start_share": (0.1, SHARE),
    "slow_start_ms": (30_000, FROM_0),
    "max_sources": (100_000, COUNT),
}


class Route(NamedTuple):
    node: str
    is_probe: bool


class Router:
    """`score` says how much a data source belongs to a node, `place` when it goes back to one in slow start."""

    def __init__(
        self, nodes: List[str], score: Callable[[str, str], float], place: Callable[[str], float], **given: Any
    ) -> None:
        self._settings = settings_from(_FIELDS, given)
        self._placement = Placement(self._settings, score, place)
        self.nodes: Dict[str, Node] = {name: self._new(name) for name in _names(nodes)}
        self._forced: Dict[str, str] = {}

    def route(self, now_ms: float, source: str) -> Route:
        forced = self.nodes.get(self._forced.get(source, ""))
        if forced is not None and forced.is_in_service:
            return Route(forced.name, False)
        for node in self.nodes.values():
            if node.is_due(now_ms) and forced in (None, node):
                node.begin_probe(now_ms)
                return Route(node.name, True)
        in_service = [node for node in self.nodes.values() if node.is_in_service]
        return Route(self._placement.node_for(now_ms, source, in_service).name, False)

    def report(self, now_ms: float, route: Route, took_ms: Optional[float]) -> None:
        """What became of a flush; `took_ms` None: it was not written."""
        node = self.nodes.get(route.node)
        if node is None:
            return
        if node.state == ON_PROBE and route.is_probe:
            if took_ms is None:
                node.eject(now_ms)
            else:
                node.come_into_service(now_ms)
        elif node.is_in_service:
            if took_ms is None:
                node.failures += 1
            else:
                node.written(took_ms)
            if self._is_to_go(node) and len(self.out()) < self._most_out():
                node.eject(now_ms)

    def set_nodes(self, now_ms: float, nodes: List[str]) -> None:
        names = _names(nodes)
        known = {name: node for name, node in self.nodes.items() if name in names}
        for name in names:
            if name in known:
                continue
            node = self._new(name)
            if known:
                node.come_into_service(now_ms)
            known[name] = node
        self.nodes = known
        self._forced = {source: name for source, name in self._forced.items() if name in known}
        soonest_first = sorted(self.out(), key=lambda node: node.until_ms)
        for node in soonest_first[: max(0, len(soonest_first) - self._most_out())]:
            node.come_into_service(now_ms)

    def force(self, source: str, name: Optional[str]) -> None:
        if name is None:
            self._forced.pop(source, None)
        elif name in self.nodes:
            self._forced[source] = name
        else:
            raise IngestConfigError("node", name, f"give one of {', '.join(self.nodes)}")

    def out(self) -> List[Node]:
        return [node for node in self.nodes.values() if not node.is_in_service]

    def _new(self, name: str) -> Node:
        return Node(name, self._settings)

    def _is_to_go(self, node: Node) -> bool:
        if node.failures >= self._settings["failures_in_a_row"]:
            return True
        if node.p90_ms is None:
            return False
        known = sorted(each.p90_ms for each in self.nodes.values() if each.is_in_service and each.p90_ms is not None)
        median_ms = known[(len(known) - 1) // 2]
        return node.p90_ms > self._settings["slow_ratio"] * median_ms

    def _most_out(self) -> int:
        return min(len(self.nodes) - 1, math.floor(self._settings["max_ejected"] * len(self.nodes)))


def _names(nodes: List[str]) -> List[str]:
    if not nodes or len(set(nodes)) < len(nodes):
        raise IngestConfigError("nodes", nodes, "give at least one name, and each once")
    return nodes
