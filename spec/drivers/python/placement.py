"""Which node has which data source: rendezvous hashing with bounded load (I6)."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping

from ingest_node import Node

# A whole multiple of the mean is whole, whatever binary fractions make of it.
_ROUNDING = 1e-9


class Placement:
    def __init__(
        self, settings: Mapping[str, Any], score: Callable[[str, str], float], place: Callable[[str], float]
    ) -> None:
        self._settings = settings
        self._score = score
        self._place = place
        self._nodes: Dict[str, Node] = {}  # by data source, in the order of their last use

    def node_for(self, now_ms: float, source: str, in_service: List[Node]) -> Node:
        current = self._nodes.pop(source, None)
        if current is not None:
            current.sources -= 1
        chosen = self._choose(now_ms, source, current, in_service)
        chosen.sources += 1
        self._nodes[source] = chosen
        if len(self._nodes) > self._settings["max_sources"]:
            oldest = next(iter(self._nodes))
            self._nodes.pop(oldest).sources -= 1
        return chosen

    def _choose(self, now_ms: float, source: str, current: Any, in_service: List[Node]) -> Node:
        """`current` does not count itself: whoever is chosen is one data source more."""
        best_first = sorted(in_service, key=lambda node: (-self._score(source, node.name), node.name))
        all_sources = len(self._nodes) + 1
        room = math.ceil(self._settings["load_factor"] * all_sources / len(in_service) - _ROUNDING)
        place = self._place(source)
        admitting = [node for node in best_first if place < node.share(now_ms)]
        for node in admitting:
            if node is current or node.sources < room:
                return node
        return min(admitting or best_first, key=lambda node: node.sources + (node is current))
