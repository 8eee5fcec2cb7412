"""Where blocks go: I6."""

from __future__ import annotations

from wrong import Fault

_ROOM = 'math.ceil(self._settings["load_factor"] * all_sources / len(in_service) - _ROUNDING)'
_HAS_ROOM = "if node is current or node.sources < room:"
_BEST = "key=lambda node: (-self._score(source, node.name), node.name)"
_ADMITS = "if place < node.share(now_ms)]"
_FAILURES = 'if node.failures >= self._settings["failures_in_a_row"]:'
_SLOW = 'return node.p90_ms > self._settings["slow_ratio"] * median_ms'
_MEDIAN = "median_ms = known[(len(known) - 1) // 2]"
_P90 = "[(9 * count + 9) // 10 - 1]"
_MOST_OUT = 'min(len(self.nodes) - 1, math.floor(self._settings["max_ejected"] * len(self.nodes)))'
_EJECTION = 'ejection_ms = self._settings["ejection_ms"] * self.ejections'
_LONGEST = 'min(ejection_ms, self._settings["max_ejection_ms"])'
_DUE = "return self.state == EJECTED and now_ms >= self.until_ms"
_LOST = 'now_ms - self._probed_ms > self._settings["probe_timeout_ms"]:'
_RISES = "return least + (1 - least) * past_ms / slow_ms"
_MAY_PROBE = "if node.is_due(now_ms) and forced in (None, node):"
_GOES = "if self._is_to_go(node) and len(self.out()) < self._most_out():"
_BACK = "soonest_first = sorted(self.out(), key=lambda node: node.until_ms)"

FAULTS = [
    Fault("I6", "load-without-bound", "A data source goes where it belongs, however many are there.", [
        ("placement", _ROOM, "math.inf")]),
    Fault("I6", "load-rounded-down", "The bound of the load is rounded down.", [
        ("placement", _ROOM, _ROOM.replace("math.ceil", "math.floor"))]),
    Fault("I6", "load-without-this-one", "The mean is of the data sources that were placed before.", [
        ("placement", "all_sources = len(self._nodes) + 1", "all_sources = len(self._nodes)")]),
    Fault("I6", "the-lowest-score", "A data source goes to the node with the lowest score.", [
        ("placement", _BEST, _BEST.replace("-self", "self"))]),
    Fault("I6", "moves-for-the-load", "A data source is moved from a node that has too many.", [
        ("placement", _HAS_ROOM, "if node.sources < room - 1 or node.sources < room and node is not current:")]),
    Fault("I6", "stays-for-ever", "A data source stays though there is room where it belongs.", [
        ("placement", "        for node in admitting:\n",
         "        if current in admitting:\n            return current\n        for node in admitting:\n")]),
    Fault("I6", "the-best-when-none-has-room", "Where none has room the best takes it, not the one with the fewest.", [
        ("placement", "return min(admitting or best_first, key=lambda node: node.sources + (node is current))",
         "return (admitting or best_first)[0]")]),
    Fault("I6", "a-fraction-makes-room", "What a fraction adds makes room for one more.", [
        ("placement", " - _ROUNDING", "")]),
    Fault("I6", "moves-off-above-the-bound", "Who is placed moves where its node has more than the bound.", [
        ("placement", _HAS_ROOM, "if node.sources < room:")]),
    Fault("I6", "counted-when-forgotten", "A data source that was forgotten counts at its node still.", [
        ("placement", "self._nodes.pop(oldest).sources -= 1", "self._nodes.pop(oldest)")]),
    Fault("I6", "sources-without-bound", "All data sources are remembered.", [
        ("placement", 'if len(self._nodes) > self._settings["max_sources"]:', "if False:")]),
    Fault("I6", "median-of-all", "Nodes that are out count for the median.", [
        ("router", "if each.is_in_service and each.p90_ms is not None", "if each.p90_ms is not None")]),
    Fault("I6", "more-nodes-bring-others-back", "Where nodes are added some of those that are out come back.", [
        ("router", "max(0, len(soonest_first) - self._most_out())", "len(soonest_first) - self._most_out()")]),
    Fault("I6", "mean-over-all-nodes", "Nodes that are out count for the mean.", [
        ("placement", "all_sources / len(in_service) - _ROUNDING",
         "all_sources / (len(in_service) + 1) - _ROUNDING")]),
    Fault("I6", "a-late-probe-counts", "A probe that counted as failed brings its node back all the same.", [
        ("router", "if node.state == ON_PROBE and route.is_probe:",
         "if not node.is_in_service and route.is_probe:")]),
    Fault("I6", "forced-until-nodes-change", "A forced route goes where any node comes or goes.", [
        ("router", "for source, name in self._forced.items() if name in known}",
         "for source, name in self._forced.items() if False}")]),
    Fault("I6", "a-failure-late", "It takes one failure more.", [("router", _FAILURES, _FAILURES.replace(">=", ">"))]),
    Fault("I6", "failures-add-up", "Failures add up, with flushes between them.", [
        ("ingest_node", "        self.failures = 0\n        self._took_ms.append(took_ms)",
         "        self._took_ms.append(took_ms)")]),
    Fault("I6", "slow-at-three-times", "A p90 of exactly three times the median ejects.", [
        ("router", _SLOW, _SLOW.replace(">", ">="))]),
    Fault("I6", "never-too-slow", "A slow node is never ejected.", [("router", _SLOW, "return False")]),
    Fault("I6", "the-upper-median", "Of an even number the upper of the two is the median.", [
        ("router", _MEDIAN, "median_ms = known[len(known) // 2]")]),
    Fault("I6", "the-mean-for-the-median", "The mean of the nodes stands for their median.", [
        ("router", _MEDIAN, "median_ms = sum(known) / len(known)")]),
    Fault("I6", "the-slowest-for-the-p90", "The slowest flush stands for the p90.", [("ingest_node", _P90, "[-1]")]),
    Fault("I6", "flush-p90-one-higher", "The p90 is one rank too high.", [
        ("ingest_node", _P90, "[min(count - 1, 9 * count // 10)]")]),
    Fault("I6", "p90-of-a-few", "A node with one flush less than min_flushes has a p90.", [
        ("ingest_node", 'if count < self._settings["min_flushes"]:',
         'if count < self._settings["min_flushes"] - 1:')]),
    Fault("I6", "p90-of-all-flushes", "All flushes make the p90, not the last window_flushes.", [
        ("ingest_node", 'deque(maxlen=settings["window_flushes"])', "deque()")]),
    Fault("I6", "all-may-be-out", "Every node but one may be out.", [("router", _MOST_OUT, "len(self.nodes) - 1")]),
    Fault("I6", "half-rounded-up", "Half of the nodes, rounded up, may be out.", [
        ("router", _MOST_OUT, _MOST_OUT.replace("math.floor", "math.ceil"))]),
    Fault("I6", "the-last-may-go", "The only node can be ejected.", [
        ("router", _MOST_OUT, "max(1, " + _MOST_OUT + ")"),
        ("router", "in_service = [node for node in self.nodes.values() if node.is_in_service]",
         "in_service = [node for node in self.nodes.values() if node.is_in_service] or list(self.nodes.values())")]),
    Fault("I6", "who-stayed-is-forgiven", "Who stayed because others were out begins its failures anew.", [
        ("router", _GOES, f"{_GOES[:-1]} or self._is_to_go(node) and setattr(node, 'failures', 0):")]),
    Fault("I6", "ejected-alike", "Each ejection is as long as the first.", [
        ("ingest_node", _EJECTION, 'ejection_ms = self._settings["ejection_ms"]')]),
    Fault("I6", "ejections-double", "Each ejection is twice as long as the one before.", [
        ("ingest_node", _EJECTION, 'ejection_ms = self._settings["ejection_ms"] * 2 ** (self.ejections - 1)')]),
    Fault("I6", "ejected-without-bound", "An ejection can be longer than max_ejection_ms.", [
        ("ingest_node", _LONGEST, "ejection_ms")]),
    Fault("I6", "probed-a-moment-after-its-end", "At the end of an ejection itself there is no probe.", [
        ("ingest_node", _DUE, _DUE.replace(">=", ">"))]),
    Fault("I6", "back-without-a-probe", "After an ejection a node is in service.", [
        ("router", "                node.begin_probe(now_ms)\n",
         "                node.come_into_service(now_ms)\n")]),
    Fault("I6", "many-probes-of-a-node", "While a probe is under way another flush is one too.", [
        ("ingest_node", "        self.state = ON_PROBE\n", "        self.until_ms = now_ms\n")]),
    Fault("I6", "own-data-sources-probe", "Only a data source that belongs to a node is its probe.", [
        ("router", _MAY_PROBE, _MAY_PROBE[:-1] + " and self._placement._score(source, node.name) >= max("
         "self._placement._score(source, name) for name in self.nodes):")]),
    Fault("I6", "a-failed-probe-is-none", "A failed probe brings a node back.", [
        ("router", "                node.eject(now_ms)\n            else:\n                node.come_into",
         "                node.come_into_service(now_ms)\n            else:\n                node.come_into")]),
    Fault("I6", "a-node-lost-for-ever", "A probe of which nothing is heard keeps its node out for ever.", [
        ("ingest_node", "if self.state == ON_PROBE and " + _LOST, "if False:")]),
    Fault("I6", "lost-after-exactly-so-long", "A probe is lost after exactly probe_timeout_ms.", [
        ("ingest_node", _LOST, _LOST.replace(">", ">="))]),
    Fault("I6", "no-slow-start", "A node that comes back has its whole share at once.", [
        ("ingest_node", "        self._slow_since_ms = now_ms\n", "")]),
    Fault("I6", "slow-start-from-nothing", "A slow start begins with a share of 0.", [
        ("ingest_node", _RISES, "return past_ms / slow_ms")]),
    Fault("I6", "slow-start-in-steps", "A slow start stays at its least share until it is over.", [
        ("ingest_node", _RISES, "return least")]),
    Fault("I6", "place-at-the-share", "Who stands exactly where the share ends goes back.", [
        ("placement", _ADMITS, _ADMITS.replace("<", "<="))]),
    Fault("I6", "slow-start-for-nobody", "All data sources go back to a node in slow start.", [
        ("placement", _ADMITS, "if node.share(now_ms) > 0]")]),
    Fault("I6", "failures-are-held-against-it", "Who comes back has its failures still.", [
        ("ingest_node", "        self.failures = 0\n        self._took_ms.clear()",
         "        self._took_ms.clear()")]),
    Fault("I6", "flushes-are-held-against-it", "Who comes back has its old flushes still.", [
        ("ingest_node", "        self._took_ms.clear()\n", "")]),
    Fault("I6", "late-reports-count", "What is heard of a node that is out counts.", [
        ("router", "        elif node.is_in_service:\n", "        else:\n")]),
    Fault("I6", "any-report-is-the-probe", "Whatever is heard of a node on probe is its probe.", [
        ("router", "if node.state == ON_PROBE and route.is_probe:", "if node.state == ON_PROBE:")]),
    Fault("I6", "a-new-node-at-once", "A node that is added has its whole share at once.", [
        ("router", "            if known:\n                node.come_into_service(now_ms)\n            known",
         "            known")]),
    Fault("I6", "new-nodes-for-all", "What was known of the nodes is forgotten where one is added.", [
        ("router", "for name, node in self.nodes.items() if name in names}",
         "for name, node in self.nodes.items() if False}")]),
    Fault("I6", "who-went-longest-ago", "With fewer nodes those come back whose time is furthest.", [
        ("router", _BACK, _BACK.replace("node.until_ms)", "-node.until_ms)"))]),
    Fault("I6", "fewer-nodes-as-many-out", "With fewer nodes as many stay out.", [
        ("router", "        for node in soonest_first[: max(0, len(soonest_first) - self._most_out())]:\n",
         "        for node in []:\n")]),
    Fault("I6", "force-is-a-wish", "A forced route counts where the node has room only.", [
        ("router", "if forced is not None and forced.is_in_service:",
         "if forced is not None and forced.is_in_service and forced.sources > 0:")]),
    Fault("I6", "forced-for-ever", "A forced route is not taken back.", [
        ("router", "            self._forced.pop(source, None)\n", "            pass\n")]),
    Fault("I6", "forced-to-one-that-is-out", "A forced data source goes to its node though that is out.", [
        ("router", "if forced is not None and forced.is_in_service:",
         "if forced is not None and not forced.is_due(now_ms):")]),
    Fault("I6", "a-forced-one-probes-others", "A data source whose forced node is out is the probe of another.", [
        ("router", _MAY_PROBE, "if node.is_due(now_ms):")]),
    Fault("I6", "probes-before-force", "A data source with a forced route is the probe of another node.", [
        ("router", "        if forced is not None and forced.is_in_service:\n",
         "        due = [node for node in self.nodes.values() if node.is_due(now_ms)]\n"
         "        if forced is not None and forced.is_in_service and not due:\n"),
        ("router", _MAY_PROBE, "if node.is_due(now_ms):")]),
    Fault("I6", "forced-to-nobody", "A route to a node that there is not is taken.", [
        ("router", "        elif name in self.nodes:\n", "        elif True:\n")]),
    Fault("I6", "forced-beyond-its-node", "A forced route outlives its node.", [
        ("router", "for source, name in self._forced.items() if name in known}",
         "for source, name in self._forced.items()}")]),
    Fault("I6", "no-nodes-will-do", "A list of nodes that names one twice is taken.", [
        ("router", "if not nodes or len(set(nodes)) < len(nodes):", "if not nodes:")]),
]
