"""What moves the knee, and who is shed: L18 to L21, and L4 where samples come slowly."""

from __future__ import annotations

from wrong import Fault

_KNEE = "knee = math.floor((self._in_flight or 0) * between / ratio)"
_LOWER = "self.value = min(self.value, max(knee, self._config.lowest_latency_ceiling))"
_RATIO_ABOVE = "        elif ratio > self._config.backoff_ratio:\n            self._fall(ratio)"
_WELL = "self._well = self._well + 1 if ratio < self._config.recovery_ratio else 0"
_RISE = "self._rise(self._well // _WINDOWS_A_STEP * max(1, _RISE_SHARE * self._config.max_concurrent))"
_SMOOTHED = "self._in_flight += (window.in_flight - self._in_flight) * window.weight"
_BEARS = "if waits_long and not self._overdraft.is_overdrawn and ratio < _BEARABLE_RATIO:"
_GROWS = "self._rise(max(1, _OVERDRAFT_SHARE * self.value))"
_IN_FLIGHT = "in_flight = self._in_flight / self._known if is_known else self._latency_ms / window_ms"
_MEAN_WAIT = "self._waited_ms / self.count"
_LONG = "is_long = is_limited and waited_ms > baseline_ms"
_ADDS = "adds = waited_ms > self.patience_ms(baseline_ms) / 2 if self.is_overdrawn else is_long"
_OWED = "self._owed_ms = min(most_ms, max(0, owed_ms))"
_ENDS = "elif self._owed_ms < _ENDS_AT * most_ms or (most_ms == 0 and not adds):"
_SHORTEST = "shortest_ms = max(1, math.floor(_PATIENCE * baseline_ms + 0.5))"
_MEANS = "mean_ms = (self._last_ms + p90_ms) / 2"
_PINNED = "self._pinned = [*self._pinned, (p90_ms, ceiling)][-_PINNED:] if is_asked else []"
_ASKED = "is_asked = is_pinned and not is_throttled"
_PINNED_MS = "pinned_ms = sum(p90_ms for p90_ms, _ in self._pinned) / _PINNED"
_CEILING = "mean_ceiling = sum(ceiling for _, ceiling in self._pinned) / _PINNED"
_NEAR = "if mean_ceiling * _SLOWER**2 > self._most:"
_IS_LIMITED = "is_limited = self.value < self._config.max_concurrent\n        is_slow_itself"
_SLOW = "is_slow = ratio > _STILL_SLOW_RATIO and is_slow_itself"
_IS_PINNED = "return is_limited and is_slow and window.timed_out <= _TIMED_OUT_SHARE"
_SLOWER = "if mean_ms / self._pinned_ms < _SLOWER and not is_throttled:"
_FROZEN = 'if self.value == self._config.max_concurrent and does != "open":'
_FORMER = "former = Prior(self.baseline_ms or 0, self._seen) if self._former is None else self._former"
_RETURNS = "if self._former is None or self.smoothed_ms is None:"

FAULTS = [
    Fault("L18", "knee-of-the-backoff-ratio", "The knee leaves the backend at backoff_ratio.", [
        ("knee_ceiling", _KNEE, _KNEE.replace("between", "self._config.backoff_ratio"))]),
    Fault("L18", "knee-of-the-ceiling", "The knee is a part of the ceiling, not of what was in flight.", [
        ("knee_ceiling", _KNEE, _KNEE.replace("(self._in_flight or 0)", "self.value"))]),
    Fault("L18", "knee-rounded-up", "The knee is rounded up.", [
        ("knee_ceiling", _KNEE, _KNEE.replace("floor", "ceil"))]),
    Fault("L18", "a-knee-raises", "A knee above the ceiling raises it.", [
        ("knee_ceiling", _LOWER, "self.value = max(knee, self._config.lowest_latency_ceiling)")]),
    Fault("L18", "a-knee-without-a-floor", "The ceiling falls below its floor.", [
        ("knee_ceiling", _LOWER, "self.value = min(self.value, max(knee, 1))")]),
    Fault("L18", "a-knee-at-the-ratio", "A ratio of exactly backoff_ratio lowers the ceiling.", [
        ("knee_ceiling", _RATIO_ABOVE, _RATIO_ABOVE.replace(">", ">="))]),
    Fault("L18", "well-at-the-ratio", "A ratio of exactly recovery_ratio is well.", [
        ("knee_ceiling", _WELL, _WELL.replace("<", "<="))]),
    Fault("L18", "a-row-goes-on", "A window that is not well ends no row.", [
        ("knee_ceiling", _WELL, _WELL.replace("else 0", "else self._well"))]),
    Fault("L18", "rises-evenly", "Recovery does not gain speed.", [
        ("knee_ceiling", _RISE,
         _RISE.replace("self._well // _WINDOWS_A_STEP", "min(1, self._well // _WINDOWS_A_STEP)"))]),
    Fault("L18", "steps-rounded-first", "A step is rounded before it is multiplied.", [
        ("knee_ceiling", _RISE,
         _RISE.replace("_RISE_SHARE * ", "3 * ").replace("max_concurrent)", "max_concurrent // 100)"))]),
    Fault("L18", "steps-of-three-hundredths-alone", "A step of a narrow limit is less than one.", [
        ("knee_ceiling", _RISE, _RISE.replace("max(1, ", "(0 + "))]),
    Fault("L18", "in-flight-not-smoothed", "The last window alone says what was in flight.", [
        ("knee_ceiling", _SMOOTHED, "self._in_flight = window.in_flight")]),
    Fault("L18", "in-flight-from-nothing", "In_flight is smoothed from 0.", [
        ("knee_ceiling", "            self._in_flight = window.in_flight\n", "            self._in_flight = 0\n")]),
    Fault("L18", "in-flight-once-there-is-a-ratio", "In_flight begins with the first ratio.", [
        ("knee_ceiling", "        self._smooth(window)\n        if ratio is None:\n            return None\n",
         "        if ratio is None:\n            return None\n        self._smooth(window)\n")]),
    Fault("L18", "others-in-flight", "A sample says how many others were in flight.", [
        ("limiter", "in_flight = self._in_flight or None",
         "in_flight = self._in_flight - 1 if self._in_flight else None")]),
    Fault("L18", "nobody-in-flight", "Where nobody knows what was in flight, nothing was.", [
        ("latency_window", _IN_FLIGHT, _IN_FLIGHT.replace("self._latency_ms / window_ms", "0"))]),
    Fault("L18", "the-last-one-in-flight", "The last sample says what was in flight.", [
        ("latency_window", "self._in_flight += in_flight * count", "self._in_flight = in_flight * (self._known)")]),
    Fault("L4", "smoothed-by-time-alone", "Few samples weigh as much as many.", [
        ("latency_monitor", "if self._config.smoothing_samples > 0:", "if False:")]),
    Fault("L4", "smoothed-by-samples-alone", "A window of many samples weighs as much as they do.", [
        ("latency_monitor", "min(time_constants, samples / self._config.smoothing_samples)",
         "samples / self._config.smoothing_samples")]),
    Fault("L19", "waits-do-not-count", "Who waits changes nothing.", [("overdraft", _LONG, "is_long = False")]),
    Fault("L19", "a-baseline-is-long", "A wait of exactly the baseline is long.", [
        ("overdraft", _LONG, _LONG.replace(">", ">="))]),
    Fault("L19", "the-longest-wait", "A window's wait is that of its last sample.", [
        ("latency_window", _MEAN_WAIT, "self._waited_ms"),
        ("latency_window", "self._waited_ms += waited_ms * count", "self._waited_ms = waited_ms")]),
    Fault("L19", "who-did-not-wait-is-left-out", "A window's wait is the shortest of it.", [
        ("latency_window", _MEAN_WAIT, "self._waited_ms"),
        ("latency_window", "self._waited_ms += waited_ms * count",
         "self._waited_ms = min(self._waited_ms, waited_ms) if self.count else waited_ms")]),
    Fault("L19", "held-time-is-a-wait", "A hold is a wait in the queue.", [
        ("waiting_call", "        self.since_ms += longer_ms  #", "        pass  #")]),
    Fault("L19", "a-retry-has-its-old-wait", "A retry's wait goes on from where its call's was.", [
        ("limiter", "        call.since_ms = now_ms\n",
         "        if not is_retry:\n            call.since_ms = now_ms\n")]),
    Fault("L19", "bears-anything", "The backend is asked to bear more at a ratio of 2.", [
        ("knee_ceiling", _BEARS, _BEARS.replace("< _BEARABLE", "<= _BEARABLE"))]),
    Fault("L19", "bears-what-is-slow-alone", "The ceiling rises only in place of a fall.", [
        ("knee_ceiling", _BEARS,
         _BEARS.replace("if waits_long", "if waits_long and ratio > self._config.backoff_ratio"))]),
    Fault("L19", "rises-by-nothing", "A small ceiling does not rise.", [
        ("knee_ceiling", _GROWS, "self._rise(_OVERDRAFT_SHARE * self.value)")]),
    Fault("L19", "owes-what-is-borne-alone", "A window that was too slow to bear more is not owed.", [
        ("knee_ceiling", "waits_long = self._overdraft.close_window(window.waited_ms, window.baseline_ms, is_limited)",
         "waits_long = ratio < 2 and self._overdraft.close_window(window.waited_ms, window.baseline_ms, is_limited)")]),
    Fault("L19", "pays-all-back", "A window without long waits pays a whole window back.", [
        ("overdraft", "_PAYS_BACK = 0.25", "_PAYS_BACK = 1")]),
    Fault("L19", "pays-nothing-back", "What is owed is never paid back.", [
        ("overdraft", "_PAYS_BACK = 0.25", "_PAYS_BACK = 0")]),
    Fault("L19", "pays-in-advance", "A quiet time is saved up.", [
        ("overdraft", _OWED, "self._owed_ms = min(most_ms, owed_ms)")]),
    Fault("L19", "an-overdraft-at-any-rate", "An overdraft of 0 is one of a window and more.", [
        ("overdraft", "self._config.window_ms, self._config.overdraft_ms",
         "self._config.window_ms, self._config.overdraft_ms or 2 * self._config.window_ms")]),
    Fault("L19", "an-overdraft-without-end", "However much is owed, the ceiling rises.", [
        ("overdraft", "            self.is_overdrawn = True\n", "            pass\n")]),
    Fault("L20", "sheds-nobody", "Everybody waits as long as ever.", [
        ("limiter", "return None if self._config.shadow else", "return None if True else")]),
    Fault("L20", "sheds-in-shadow", "Shadow mode sheds.", [
        ("limiter", "return None if self._config.shadow else", "return None if False else")]),
    Fault("L20", "sheds-newcomers-alone", "Who waits already waits as long as ever.", [
        ("limiter", "        call.since_ms = now_ms\n",
         "        call.since_ms = now_ms\n"
         "        call.shed_ms = self._latency.patience_ms(self._monitor.baseline_ms)\n"),
        ("limiter", "        shed_ms = self._shed_ms()\n", "        shed_ms = call.shed_ms\n")]),
    Fault("L20", "patience-rounded-down", "The bound is rounded down.", [
        ("overdraft", _SHORTEST, _SHORTEST.replace(" + 0.5", ""))]),
    Fault("L20", "patience-rounded-up", "The bound is rounded up.", [
        ("overdraft", _SHORTEST, _SHORTEST.replace("floor", "ceil").replace(" + 0.5", ""))]),
    Fault("L20", "no-patience", "Of a very fast backend nobody waits at all.", [
        ("overdraft", _SHORTEST, _SHORTEST.replace("max(1, ", "max(0, "))]),
    Fault("L20", "patience-beyond-the-queue", "The bound is longer than queue_timeout_ms.", [
        ("overdraft", "return min(shortest_ms, self._config.queue_timeout_ms)", "return shortest_ms")]),
    Fault("L20", "bears-while-it-sheds", "The ceiling rises while calls are shed.", [
        ("knee_ceiling", _BEARS, _BEARS.replace("and not self._overdraft.is_overdrawn ", ""))]),
    Fault("L20", "ends-at-nine-tenths", "Shedding ends at exactly nine tenths.", [
        ("overdraft", _ENDS, _ENDS.replace("<", "<=", 1))]),
    Fault("L20", "ends-with-nothing-owed", "Shedding ends when all is paid back.", [
        ("overdraft", _ENDS, _ENDS.replace("< _ENDS_AT * most_ms", "<= 0"))]),
    Fault("L20", "owes-without-bound", "More than overdraft_ms is owed.", [
        ("overdraft", _OWED, "self._owed_ms = max(0, owed_ms)")]),
    Fault("L20", "pressed-by-the-baseline", "While calls are shed only a wait above the baseline is owed.", [
        ("overdraft", _ADDS, "adds = is_long")]),
    Fault("L20", "pressed-by-half", "A wait of exactly half of the bound is owed.", [
        ("overdraft", _ADDS, _ADDS.replace("waited_ms > ", "waited_ms >= "))]),
    Fault("L20", "never-ends-without-an-overdraft", "With an overdraft of 0 shedding never ends.", [
        ("overdraft", _ENDS, "elif self._owed_ms < _ENDS_AT * most_ms:")]),
    Fault("L20", "owes-for-the-limit-that-was-set", "Who waits for the limit that was set is let go too.", [
        ("overdraft", "is_long = is_limited and waited_ms", "is_long = waited_ms")]),
    Fault("L20", "sheds-though-it-is-off", "With shedding false calls are let go.", [
        ("overdraft", "return self.is_overdrawn and self._config.shedding", "return self.is_overdrawn")]),
    Fault("L20", "spares-nobody-with-shedding-off", "With shedding false the ceiling rises for ever.", [
        ("overdraft", "            self.is_overdrawn = True\n",
         "            self.is_overdrawn = self._config.shedding\n")]),
    Fault("L20", "owes-after-a-reset", "What was owed is owed after a reset.", [
        ("knee_ceiling", "        self._overdraft.reset()\n", "")]),
    Fault("L21", "never-asks", "The ceiling stays at its floor.", [
        ("floor_probe", "if len(self._pinned) < _PINNED or self._pause > 0:", "if True:")]),
    Fault("L21", "asks-after-five", "The ceiling opens after five pinned windows.", [
        ("floor_probe", "_PINNED = 6", "_PINNED = 5")]),
    Fault("L21", "counts-any-six", "The six windows need not be in a row.", [
        ("floor_probe", _PINNED, _PINNED.replace("else []", "else self._pinned"))]),
    Fault("L21", "asks-at-the-floor-alone", "Only at its floor the ceiling is opened.", [
        ("knee_ceiling", _IS_LIMITED,
         _IS_LIMITED.replace("is_limited =", "is_limited = self.value == self._config.lowest_latency_ceiling and"))]),
    Fault("L21", "smoothed-is-slow-enough", "A window that is itself fast again is pinned.", [
        ("knee_ceiling", _SLOW, "is_slow = ratio > _STILL_SLOW_RATIO")]),
    Fault("L21", "opens-by-a-little", "The ceiling is opened however near to its maximum.", [
        ("floor_probe", _NEAR, "if False:")]),
    Fault("L21", "opens-from-below-the-root", "Lower than the maximum by 1.15 twice over is not low enough to open.", [
        ("floor_probe", _NEAR, _NEAR.replace("_SLOWER**2", "_SLOWER**3"))]),
    Fault("L21", "near-is-the-last-ceiling", "The last of the six ceilings says how near it is, not their mean.", [
        ("floor_probe", _CEILING, "mean_ceiling = ceiling")]),
    Fault("L21", "a-tenth-says-enough", "A tenth of timeouts says enough.", [
        ("knee_ceiling", _IS_PINNED, _IS_PINNED.replace("<= _T", "< _T"))]),
    Fault("L21", "timeouts-say-nothing", "Timeouts say nothing.", [
        ("knee_ceiling", _IS_PINNED, "return is_limited and is_slow")]),
    Fault("L21", "asks-above-the-backoff-ratio", "Any ratio above backoff_ratio is slow enough to ask.", [
        ("knee_ceiling", _SLOW, _SLOW.replace("_STILL_SLOW_RATIO", "self._config.backoff_ratio"))]),
    Fault("L21", "asks-at-the-ratio", "A ratio of exactly 1.5 is slow enough to ask.", [
        ("knee_ceiling", _SLOW, _SLOW.replace("ratio >", "ratio >="))]),
    Fault("L21", "compares-two-of-six", "Of the six windows the last two are compared.", [
        ("floor_probe", _PINNED_MS, "pinned_ms = mean_ms")]),
    Fault("L21", "compares-all-that-were-pinned", "All windows in a row are compared, not the last six.", [
        ("floor_probe", _PINNED, _PINNED.replace("[-_PINNED:]", "")),
        ("floor_probe", _PINNED_MS, _PINNED_MS.replace("/ _PINNED", "/ len(self._pinned)")),
        ("floor_probe", _CEILING, _CEILING.replace("/ _PINNED", "/ len(self._pinned)"))]),
    Fault("L21", "accepts-what-is-smoothed", "The smoothed latency is accepted, not the one that was measured.", [
        ("latency_monitor", "        self.smoothed_ms = present_ms\n", "")]),
    Fault("L21", "slower-is-more-than-that", "Slower by exactly 1.15 times is not slower.", [
        ("floor_probe", _SLOWER, _SLOWER.replace("<", "<="))]),
    Fault("L21", "slower-is-slower", "The slightest slowness is ours.", [
        ("floor_probe", "_SLOWER = 1.15", "_SLOWER = 1.0")]),
    Fault("L21", "compares-the-last", "The last window while it was open is compared, not the mean of two.", [
        ("floor_probe", _MEANS, "mean_ms = p90_ms")]),
    Fault("L21", "open-for-two", "The ceiling is open for two windows.", [
        ("floor_probe", "self._pinned, self._open, self._pinned_ms = [], _WINDOWS, pinned_ms",
         "self._pinned, self._open, self._pinned_ms = [], _WINDOWS - 1, pinned_ms")]),
    Fault("L21", "learns-while-open", "The baseline learns while the ceiling is open.", [
        ("knee_ceiling", _FROZEN, "if self.value == self._config.max_concurrent:")]),
    Fault("L21", "no-pause", "After it was us, it is asked again at once.", [
        ("floor_probe", "        self._pause = _PAUSE_WINDOWS\n", "")]),
    Fault("L21", "a-pause-too-long", "The pause is a window too long.", [
        ("floor_probe", "_PAUSE_WINDOWS = 60", "_PAUSE_WINDOWS = 61")]),
    Fault("L21", "a-pause-after-accepting", "There is a pause after the present was accepted too.", [
        ("floor_probe", '            return "accept"',
         '            self._pause = _PAUSE_WINDOWS\n            return "accept"')]),
    Fault("L21", "accepts-nothing", "The ceiling opens, and the baseline stays.", [
        ("limiter", "            self._monitor.accept_for_now(self._latency.accepted_ms)\n", "            pass\n")]),
    Fault("L21", "forgets-the-former", "The former baseline is forgotten.", [
        ("latency_monitor", _RETURNS, "if True:")]),
    Fault("L21", "keeps-the-last-former", "Of several former baselines the last is kept.", [
        ("latency_monitor", _FORMER, "former = Prior(self.baseline_ms or 0, self._seen)")]),
    Fault("L21", "the-former-at-any-time", "The former baseline comes back with any window below backoff_ratio.", [
        ("latency_monitor", "if self.smoothed_ms < self._config.recovery_ratio * self._former.p90_ms:",
         "if self.smoothed_ms < self._config.backoff_ratio * self._former.p90_ms:")]),
    Fault("L21", "a-reset-keeps-the-former", "An operator's reset keeps the former baseline.", [
        ("latency_monitor", "        self._former = None\n        return True\n", "        return True\n")]),
    Fault("L21", "asks-while-throttled", "Windows count while throttles leave less than the whole limit.", [
        ("floor_probe", _ASKED, "is_asked = is_pinned")]),
    Fault("L21", "throttles-say-nothing", "A throttle while the ceiling is open says nothing.", [
        ("floor_probe", "            return self._while_open(mean_ms, is_throttled)\n",
         "            return self._while_open(mean_ms, False)\n")]),
    Fault("L21", "throttled-at-the-end-alone", "Only at a window's end it is looked whether throttles lower the limit.", [
        ("limiter", "is_throttled = self._throttles.whole_since_ms > end_ms - self._config.window_ms",
         "is_throttled = self._throttles.value < self._config.max_concurrent")]),
    Fault("L21", "old-at-once", "An accepted baseline counts for as many windows as the one before it.", [
        ("latency_monitor", "        self._seen = self._config.warmup_windows + 1\n\n", "\n")]),
    Fault("L21", "the-former-is-young", "The former baseline is young when it comes back.", [
        ("latency_monitor", "(self.baseline_ms, self._seen), self._former = self._former, None",
         "self.baseline_ms, self._former = self._former.p90_ms, None")]),
    Fault("L14", "shadow-asks", "In shadow mode it is asked whether it is us.", [
        ("knee_ceiling", " and not self._config.shadow", "")]),
    Fault("L17", "saves-what-was-accepted", "What was accepted for now is handed on, not the baseline before it.", [
        ("latency_monitor", "kept = self._former or Prior(", "kept = Prior(")]),
    Fault("L21", "a-reset-asks-on", "After an operator's reset the question goes on.", [
        ("knee_ceiling", "        self._probe.reset()\n", "")]),
]
