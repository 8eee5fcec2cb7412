"""What a limiter is given before its first window: its config, and what another process saved (L17)."""

from __future__ import annotations

from wrong import Fault

_FRESH = 'restart["after_ms"] <= _SEVEN_DAYS_MS'
_SAVES = 'if self.baseline_ms is None or self.trust == "unknown":'
_KNOWN = "if self.prior is None and self.expected_p90_ms is not None:"
_COUNT = "if number is None or number < least:"

FAULTS = [
    Fault("L17", "saved-however-old", "What was saved never gets too old.", [("limit_replay", _FRESH, "True")]),
    Fault("L17", "saved-for-less-than-a-week", "What was saved exactly seven days ago is too old.", [
        ("limit_replay", _FRESH, 'restart["after_ms"] < _SEVEN_DAYS_MS')]),
    Fault("L17", "saved-of-any-backend", "What was saved of another backend counts.", [
        ("limit_replay", "config.backend_id == backend_id and ", "")]),
    Fault("L17", "saved-while-unknown", "A baseline is saved however young it is.", [
        ("latency_monitor", _SAVES, "if self.baseline_ms is None:")]),
    Fault("L17", "saved-once-trusted", "A baseline is saved once it is trusted, and not while it is provisional.", [
        ("latency_monitor", _SAVES, 'if self.baseline_ms is None or self.trust != "trusted":')]),
    Fault("L17", "saved-without-its-windows", "What was saved counts as a warm-up and no more.", [
        ("latency_monitor", "kept = self._former or Prior(self.baseline_ms, self._seen)",
         "kept = Prior(self.baseline_ms, 0)")]),
    Fault("L17", "prior-before-saved", "A prior counts before what was saved.", [
        ("limit_replay", "if saved is not None and", "if saved is not None and self._given.prior is None and")]),
    Fault("L17", "expectation-before-prior", "What the operator expects counts before a prior.", [
        ("limit_config", _KNOWN, "if self.expected_p90_ms is not None:")]),
    Fault("L17", "saved-though-zero", "A baseline of 0 is saved.", [
        ("latency_monitor", " if kept.p90_ms > 0 else None", "")]),
    Fault("L17", "prior-of-zero", "A prior of 0 is accepted.", [
        ("limit_config", 'value["p90_ms"] <= 0', 'value["p90_ms"] < 0')]),
    Fault("L1", "unknown-setting-dropped", "A field of the config that there is not is dropped.", [
        ("limit_config", "for name, value in given.items()}",
         "for name, value in given.items() if name in {field.name for field in fields(LimitConfig)}}")]),
    Fault("L13", "negative-count-raised", "A count that is too small is raised to the least.", [
        ("limit_config", _COUNT,
         f"if number is not None and number < least:\n        number = least\n    {_COUNT}")]),
]
