"""The router of ingest-scenarios: I6."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, Optional

from ingest_config import IngestConfigError
from ingest_node import EJECTED, Node
from machine import Machine, Told
from router import Route, Router


class RouterMachine(Machine):
    def make(
        self,
        nodes: List[str],
        scores: Mapping[str, float],
        scores_of: Optional[Mapping[str, Mapping[str, float]]] = None,
        places: Optional[Mapping[str, float]] = None,
        **config: Any,
    ) -> None:
        own, at = scores_of or {}, places or {}

        def score(source: str, node: str) -> float:
            return own.get(source, {}).get(node, scores.get(node, 0))

        self._router = Router(nodes, score, lambda source: at.get(source, 0), **config)

    def read(self, of: Any) -> Told:
        nodes = {name: self._reading(node) for name, node in self._router.nodes.items()}
        return {"nodes": nodes, "out": len(self._router.out())}

    def step_route(self, of: Mapping[str, Any]) -> Told:
        node, is_probe = self._router.route(self.now_ms, of["source"])
        return {"node": node, "probe": is_probe}

    def step_routes(self, of: Mapping[str, Any]) -> None:
        for i in range(of["count"]):
            self._router.route(self.now_ms, f"s{i}")

    def step_report(self, of: Mapping[str, Any]) -> None:
        route = Route(of["node"], of.get("probe", False))
        for _ in range(of.get("times", 1)):
            self._router.report(self.now_ms, route, of["took_ms"] if of["written"] else None)

    def step_set_nodes(self, nodes: List[str]) -> Told:
        return _refusal(lambda: self._router.set_nodes(self.now_ms, nodes))

    def step_force(self, of: Mapping[str, Any]) -> Told:
        return _refusal(lambda: self._router.force(of["source"], of["node"]))

    def _reading(self, node: Node) -> Told:
        return {
            "state": node.state,
            "share": node.share(self.now_ms),
            "sources": node.sources,
            "failures": node.failures,
            "p90_ms": node.p90_ms,
            "ejections": node.ejections,
            "until_ms": node.until_ms if node.state == EJECTED else None,
        }


def _refusal(act: Callable[[], None]) -> Told:
    """A refusal is what the step gave: the machine goes on as it was."""
    try:
        act()
    except IngestConfigError as error:
        return {"error": error.field}
    return {}
