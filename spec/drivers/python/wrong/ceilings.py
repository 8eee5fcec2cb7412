"""What moves the limit: L1 to L9, L14, and a prior of L17."""

from __future__ import annotations

from wrong import Fault

_RANK = "rank = (9 * n + 9) // 10"
_ENOUGH = "if window.count < self._config.min_samples:"
_WINDOW_END = "self._window_end_ms = (now_ms // self._config.window_ms + 1) * self._config.window_ms"
_SMOOTHING = "time_constants = elapsed_ms / self._config.smoothing_time_constant_ms"
_LEARNING = "weight = max(1 / self._seen, _weight(elapsed_ms / self._config.baseline_time_constant_ms))"
_WARM = "return self._seen > self._config.warmup_windows"
_FROZEN = "if frozen_ms is None:\n            self._learn"
_GIVES_WAY = "elif frozen_ms > self._config.max_freeze_ms:"
_MONITORED = "self._monitor.close_window(end_ms, p90_ms, self._latency.frozen_ms(end_ms), window.count)"
_HALVED = "self.value = max(1, limit // 2)"
_FIRST_RISE = "self._rise_ms = max(self._cool_ms, hold_until_ms) + _SECOND_MS"
_PRIOR_SEEN = "self._seen = max(config.known.windows, config.warmup_windows + 1)"
_ENFORCED = "return self._config.max_concurrent if self._config.shadow else self.limit  # L14"

FAULTS = [
    Fault("L1", "limit-of-latency-alone", "The throttle ceiling is no part of the limit.", [
        ("limiter", "return min(self._throttles.value, self._latency.value)", "return self._latency.value")]),
    Fault("L1", "limit-of-throttles-alone", "The latency ceiling is no part of the limit.", [
        ("limiter", "return min(self._throttles.value, self._latency.value)", "return self._throttles.value")]),
    Fault("L1", "limit-of-nothing", "A limit of one is halved to none.", [
        ("throttle_ceiling", _HALVED, "self.value = limit // 2")]),
    Fault("L2", "failures-are-samples", "An attempt that failed in another way is a sample.", [
        ("limit_replay", '    def _step_failure(self, count: int) -> None:\n',
         '    def _step_failure(self, count: int) -> None:\n'
         '        self._step_sample({"count": count, "latency_ms": 1})\n        return\n')]),
    Fault("L2", "timeouts-are-no-samples", "An attempt that timed out is no sample.", [
        ("limit_replay", "        if count > 0:\n", "        if count > 0 and not timed_out:\n")]),
    Fault("L3", "p90-interpolated-down", "The p90 is at floor(0.9 · n) − 1.", [
        ("latency_window", _RANK, "rank = max(1, 9 * n // 10)")]),
    Fault("L3", "p90-one-higher", "The p90 is at floor(0.9 · n), counted from 0.", [
        ("latency_window", _RANK, "rank = 9 * n // 10 + 1")]),
    Fault("L3", "sparse-windows-count", "A window with one sample less than min_samples counts.", [
        ("limiter", _ENOUGH, _ENOUGH.replace("min_samples", "min_samples - 1"))]),
    Fault("L3", "enough-is-too-few", "A window with exactly min_samples samples is dropped.", [
        ("limiter", _ENOUGH, _ENOUGH.replace("<", "<="))]),
    Fault("L3", "windows-from-the-first-sample", "A window begins with its first sample, not on the grid.", [
        ("limiter", _WINDOW_END,
         "if self._window_end_ms == math.inf:\n            self._window_end_ms = now_ms + self._config.window_ms")]),
    Fault("L3", "keeps-the-first-samples", "Beyond 10 000 samples none is kept.", [
        ("latency_window", "                if len(self._kept) == self.MOST_KEPT:\n",
         "                if len(self._kept) == self.MOST_KEPT:\n                    continue\n")]),
    Fault("L3", "thins-once", "After the first thinning every sample is kept again.", [
        ("latency_window", "self._keep_every *= 2", "pass")]),
    Fault("L4", "smoothed-by-window", "Windows that were dropped do not count as time.", [
        ("latency_monitor", _SMOOTHING, _SMOOTHING.replace("elapsed_ms", "self._config.window_ms"))]),
    Fault("L4", "not-smoothed", "The present is the last window.", [
        ("latency_monitor", "self.weight = _weight(time_constants)", "self.weight = 1")]),
    Fault("L5", "no-plain-mean", "A young baseline moves as slowly as an old one.", [
        ("latency_monitor", _LEARNING, _LEARNING.replace("max(1 / self._seen, ", "(0.0 + "))]),
    Fault("L5", "plain-mean-for-ever", "An old baseline is a plain mean still.", [
        ("latency_monitor", _LEARNING, "weight = 1 / self._seen")]),
    Fault("L5", "warm-a-window-early", "There is a ratio with the last window of the warm-up.", [
        ("latency_monitor", _WARM, _WARM.replace(">", ">="))]),
    Fault("L5", "frozen-windows-unseen", "Windows from which nothing was learned are not seen.", [
        ("latency_monitor", "        self._seen += 1\n", "        self._seen += frozen_ms is None\n")]),
    Fault("L6", "falls-at-the-ratio", "A ratio of exactly backoff_ratio lowers the ceiling.", [
        ("latency_ceiling", "if ratio > self._config.backoff_ratio", "if ratio >= self._config.backoff_ratio")]),
    Fault("L6", "rises-at-the-ratio", "A ratio of exactly recovery_ratio raises the ceiling.", [
        ("latency_ceiling", "if ratio < self._config.recovery_ratio", "if ratio <= self._config.recovery_ratio")]),
    Fault("L6", "falls-rounded-up", "The lowered ceiling is rounded up.", [
        ("latency_ceiling", "math.floor(self.value", "math.ceil(self.value")]),
    Fault("L6", "no-floor", "The ceiling falls below its floor.", [
        ("latency_ceiling", "max(self._config.lowest_latency_ceiling, ", "max(1, ")]),
    Fault("L6", "back-at-once", "The ceiling comes back in one jump.", [
        ("latency_ceiling", "            self.value += 1\n",
         "            self.value = self._config.max_concurrent\n")]),
    Fault("L6", "ratio-before-learning", "The baseline learns after the ceiling has moved.", [
        ("limiter", "self._tell(self._latency.close_window(end_ms, self._monitor.ratio, figures, is_throttled))",
         "self._tell(self._latency.close_window(end_ms, before, figures, is_throttled))"),
        ("limiter", _MONITORED,
         f"old = self._monitor.baseline_ms\n        {_MONITORED}"
         "\n        before = self._monitor.smoothed_ms / old if old and self._monitor.ratio else None")]),
    Fault("L7", "learns-from-overloads", "The baseline learns while the ceiling is below its maximum.", [
        ("latency_monitor", _FROZEN, "if True:\n            self._learn")]),
    Fault("L7", "the-last-one-learns", "The window that brings the ceiling back moves the baseline.", [
        ("limiter", _MONITORED, f"frozen_ms = self._latency.frozen_ms(end_ms)\n"
         "        if self._latency.value == self._config.max_concurrent - 1:\n            frozen_ms = None\n        "
         + _MONITORED.replace("self._latency.frozen_ms(end_ms)", "frozen_ms"))]),
    Fault("L8", "frozen-for-ever", "The baseline never gives way.", [
        ("latency_monitor", _GIVES_WAY, "elif False:")]),
    Fault("L8", "gives-way-a-window-early", "The baseline gives way when the clock shows max_freeze_ms.", [
        ("latency_monitor", _GIVES_WAY, _GIVES_WAY.replace(">", ">="))]),
    Fault("L8", "gives-way-beyond-the-present", "The baseline rises above what is measured.", [
        ("latency_monitor", "min(self.smoothed_ms, self.baseline_ms * _RISE_AN_HOUR**hours)",
         "self.baseline_ms * _RISE_AN_HOUR**hours")]),
    Fault("L8", "jumps-to-the-present", "After max_freeze_ms the baseline becomes the present at once.", [
        ("latency_monitor", "min(self.smoothed_ms, self.baseline_ms * _RISE_AN_HOUR**hours)", "self.smoothed_ms")]),
    Fault("L8", "reset-keeps-the-ceiling", "A reset leaves the ceiling where it is.", [
        ("limiter", "self._tell(self._latency.reset())", "pass")]),
    Fault("L8", "reset-to-nothing", "A reset leaves the baseline as it is.", [
        ("latency_monitor", "        self.baseline_ms = self.smoothed_ms\n", "")]),
    Fault("L9", "halves-the-ceiling", "A throttle halves its own ceiling, not the limit in force.", [
        ("throttle_ceiling", _HALVED, "self.value = max(1, self.value // 2)")]),
    Fault("L9", "halves-in-the-cool-down", "A throttle in the cool-down halves again.", [
        ("throttle_ceiling", "if now_ms < self._cool_ms:", "if False:")]),
    Fault("L9", "cool-down-too-long", "A second after a throttle, to the millisecond, another does not halve.", [
        ("throttle_ceiling", "if now_ms < self._cool_ms:", "if now_ms <= self._cool_ms:")]),
    Fault("L9", "rises-after-the-throttle", "The first rise is at the end of the cool-down.", [
        ("throttle_ceiling", _FIRST_RISE, _FIRST_RISE.replace(" + _SECOND_MS", ""))]),
    Fault("L9", "rises-in-the-hold", "A hold does not put the first rise off.", [
        ("throttle_ceiling", _FIRST_RISE, "self._rise_ms = self._cool_ms + _SECOND_MS")]),
    Fault("L9", "rises-in-one-jump", "The throttle ceiling is whole with the first rise.", [
        ("throttle_ceiling", "        self.value += 1\n", "        self.value = self._most\n")]),
    Fault("L14", "kill-switch-kills-nothing", "latency_control false lowers the ceiling still.", [
        ("latency_ceiling", "if ratio is None or not self._config.latency_control:", "if ratio is None:")]),
    Fault("L14", "shadow-enforces", "Shadow mode enforces the ceilings.", [
        ("limiter", _ENFORCED, "return self.limit")]),
    Fault("L14", "shadow-lifts-holds", "Shadow mode enforces no hold.", [
        ("limiter", "and not self._hold.is_on(self._now_ms)",
         "and (self._config.shadow or not self._hold.is_on(self._now_ms))")]),
    Fault("L17", "prior-is-the-present", "A prior sets the smoothed figure too.", [
        ("latency_monitor", _PRIOR_SEEN, f"self.smoothed_ms = config.known.p90_ms\n            {_PRIOR_SEEN}")]),
    Fault("L17", "small-priors-are-small", "A prior of few windows leaves the warm-up to be done.", [
        ("latency_monitor", _PRIOR_SEEN, "self._seen = config.known.windows")]),
    Fault("L17", "large-priors-are-small", "A prior of many windows counts as a warm-up and one more.", [
        ("latency_monitor", _PRIOR_SEEN, "self._seen = config.warmup_windows + 1")]),
    Fault("L17", "prior-is-trusted", "A baseline from a prior is trusted at once.", [
        ("latency_monitor", "if self._config.known is None:", "if True:")]),
]
