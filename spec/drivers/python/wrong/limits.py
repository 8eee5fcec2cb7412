"""What is limited and refused: I3 and I5."""

from __future__ import annotations

from wrong import Fault

_GAP = 'if elapsed_ms > self._settings["max_gap_ms"]:'
_RUNS = "rate = 1 if was_saturated else -self._settings[\"recovery_rate\"]"
_KEPT = "if each <= second - _SECONDS]"
_IMPOSED = 'limit = self._settings["drain_share"] * self._drained.per_second(now_ms)'
_MINUTES = 'if minutes >= self._settings["healthy_minutes"]:'
_GROWS = 'self.rows_per_second *= self._settings["growth"] ** (minutes - before)'
_ANEW = "        if was_saturated or is_saturated:\n            self._healthy_ms = 0\n"
_HEALTHY = "        if not was_saturated:\n            self._recover(elapsed_ms)\n"
_ROUNDED = "max(1, math.ceil((ms - TOLERANCE_MS) / 1_000))"
_WAIT = "spent_until_ms + cost * self._interval_ms - self._window_ms - now_ms"
_ASKED = "wait_ms = self._wait_ms(now_ms, spent_until_ms, cost)"
_NEXT = "next_ms = spent_until_ms + cost * self._interval_ms"
_SCOPES = '(("source", 429, source), ("tenant", 429, tenant), ("total", 503, total))'
_BYTES = "if backlog.bytes + size > most:"
_PIECES = "if backlog.pieces + pieces > most_pieces:"
_AGE = 'if scope != "tenant" and backlog.oldest_ms > self._settings[f"max_{scope}_age_ms"]:'

FAULTS = [
    Fault("I3", "full-beyond-the-bound", "The clock is full above full_ms.", [
        ("saturation_clock", 'self.value_ms >= self._settings["full_ms"]',
         'self.value_ms > self._settings["full_ms"]')]),
    Fault("I3", "back-as-fast", "The clock runs back as fast as forward.", [
        ("saturation_clock", _RUNS, "rate = 1 if was_saturated else -1")]),
    Fault("I3", "clock-back-at-once", "One healthy observation sets the clock to 0.", [
        ("saturation_clock", _RUNS, "rate = 1 if was_saturated else -1e9")]),
    Fault("I3", "never-back", "The clock never runs back.", [
        ("saturation_clock", _RUNS, "rate = 1 if was_saturated else 0")]),
    Fault("I3", "below-nought", "The clock falls below 0.", [
        ("saturation_clock", "max(0, self.value_ms + rate * elapsed_ms)", "self.value_ms + rate * elapsed_ms")]),
    Fault("I3", "as-the-later-one-says", "Between two observations the clock runs as the later one says.", [
        ("saturation_clock", "        was_saturated = self._is_saturated\n",
         "        was_saturated = is_saturated\n")]),
    Fault("I3", "gaps-count", "Time in which nobody looked counts.", [("saturation_clock", _GAP, "if False:")]),
    Fault("I3", "the-longest-gap-does-not-count", "Exactly max_gap_ms between two observations count for nothing.", [
        ("saturation_clock", _GAP, _GAP.replace(">", ">="))]),
    Fault("I3", "gaps-count-in-part", "Of a long gap max_gap_ms count.", [
        ("saturation_clock", "            elapsed_ms = 0  # nobody looked\n",
         '            elapsed_ms = self._settings["max_gap_ms"]\n')]),
    Fault("I3", "forgiven-by-a-restart", "A restart sets the clock to 0.", [
        ("limit_machines", "        self._clock.value_ms = saved\n", "        pass\n"),
        ("temporal_limit", '        self.saturation.value_ms = saved["clock_ms"]\n', "")]),
    Fault("I3", "sixty-one-seconds", "A second more counts as drained of late.", [
        ("drain_rate", _KEPT, _KEPT.replace("<=", "<"))]),
    Fault("I3", "by-the-seconds-there-were", "The mean is of the seconds in which something was drained.", [
        ("drain_rate", "sum(self._amounts.values()) / _SECONDS",
         "sum(self._amounts.values()) / max(1, len(self._amounts))")]),
    Fault("I3", "drained-for-ever", "What was ever drained counts.", [("drain_rate", _KEPT, "if False]")]),
    Fault("I3", "limited-to-all-that-drained", "The limit begins at what was drained.", [
        ("temporal_limit", _IMPOSED, "limit = self._drained.per_second(now_ms)")]),
    Fault("I3", "limited-to-nothing", "A data source that drained nothing may send nothing.", [
        ("temporal_limit", 'max(self._settings["least_rows_per_second"], limit)', "max(1e-9, limit)")]),
    Fault("I3", "limits-are-whole", "The limit is in whole rows a second.", [
        ("temporal_limit", 'max(self._settings["least_rows_per_second"], limit)',
         'max(self._settings["least_rows_per_second"], limit // 1)')]),
    Fault("I3", "grows-by-addition", "Each healthy minute adds a tenth of what it began with.", [
        ("temporal_limit", _GROWS,
         'first = self.__dict__.setdefault("first", self.rows_per_second)\n'
         '            self.rows_per_second += first * (self._settings["growth"] - 1) * (minutes - before)')]),
    Fault("I3", "grows-with-every-second", "The limit grows between whole minutes.", [
        ("temporal_limit", _GROWS, 'self.rows_per_second *= self._settings["growth"] ** (elapsed_ms / _MINUTE_MS)')]),
    Fault("I3", "never-grows", "The limit stays as it began.", [("temporal_limit", _GROWS, "pass")]),
    Fault("I3", "lifted-a-minute-late", "It takes one healthy minute more.", [
        ("temporal_limit", _MINUTES, _MINUTES.replace(">=", ">"))]),
    Fault("I3", "lifted-and-still-full", "Lifting leaves the clock where it is.", [
        ("temporal_limit", "        self.saturation.reset()\n", "")]),
    Fault("I3", "healthy-minutes-add-up", "What is saturated in between leaves the healthy minutes.", [
        ("temporal_limit", _ANEW, "")]),
    Fault("I3", "whole-minutes-stay", "Only the minute that was broken off begins anew.", [
        ("temporal_limit", _ANEW, _ANEW.replace("= 0", "-= self._healthy_ms % _MINUTE_MS"))]),
    Fault("I3", "healthy-as-the-later-one-says", "Time that ends in a healthy observation is healthy.", [
        ("temporal_limit", _HEALTHY, _HEALTHY.replace("was_saturated", "is_saturated")),
        ("temporal_limit", _ANEW, _ANEW.replace("was_saturated or ", ""))]),
    Fault("I3", "falls-when-saturated", "Saturated again, the limit is set anew.", [
        ("temporal_limit", _ANEW, f"{_ANEW}            self._impose(now_ms)\n")]),
    Fault("I3", "nothing-ahead", "Nobody may run ahead.", [
        ("temporal_limit", 'paid_until_ms - now_ms - self._settings["burst_ms"]', "paid_until_ms - now_ms")]),
    Fault("I3", "a-refusal-costs", "Who asks in vain pays for it.", [
        ("temporal_limit", "            return retry_after_ms\n",
         "            self._paid_until_ms = paid_until_ms + rows * 1_000 / self.rows_per_second\n"
         "            return retry_after_ms\n")]),
    Fault("I3", "large-batches-are-free", "A batch costs as much as one second's rows at most.", [
        ("temporal_limit", "paid_until_ms + rows * 1_000 / self.rows_per_second",
         "paid_until_ms + min(1_000, rows * 1_000 / self.rows_per_second)")]),
    Fault("I3", "large-batches-are-refused", "A batch of more than a second's rows is refused.", [
        ("temporal_limit", "        if retry_after_ms >= TOLERANCE_MS:\n",
         "        if rows > self.rows_per_second:\n            return 1_000\n"
         "        if retry_after_ms >= TOLERANCE_MS:\n")]),
    Fault("I3", "retry-after-to-the-nearest", "Retry-After is rounded to the nearest second.", [
        ("retry_after", _ROUNDED, "max(1, round(ms / 1_000))")]),
    Fault("I3", "retry-after-rounded-down", "Retry-After is rounded down.", [
        ("retry_after", _ROUNDED, "max(1, int(ms // 1_000))")]),
    Fault("I3", "a-debt-outlives-its-limit", "What ran ahead of an earlier limit counts under the next.", [
        ("temporal_limit", "        self._paid_until_ms = now_ms\n", "")]),
    Fault("I3", "lifted-by-a-restart", "A restart lifts the limit.", [
        ("temporal_limit", '        self.rows_per_second = saved["rows_per_second"]\n', "")]),
    Fault("I3", "a-restart-begins-the-minutes-anew", "A restart forgets the healthy minutes.", [
        ("temporal_limit", '        self._healthy_ms = saved["healthy_ms"]\n', "")]),

    Fault("I5", "one-more-than-the-burst", "One more than the burst may be spent at once.", [
        ("quota", "self._window_ms = self._burst * self._interval_ms",
         "self._window_ms = (self._burst + 1) * self._interval_ms")]),
    Fault("I5", "refused-at-the-moment", "Who comes at the stated moment is a millisecond early.", [
        ("quota", _ASKED, _ASKED.replace("now_ms,", "now_ms - 1,"))]),
    Fault("I5", "a-refused-one-costs", "A refused request takes a unit.", [
        ("quota", "        if wait_ms > 0:\n",
         "        if wait_ms > 0:\n            self._spent_until_ms[key] = spent_until_ms + self._interval_ms\n")]),
    Fault("I5", "saves-up-for-ever", "A rest saves up more than the burst.", [
        ("quota", "spent_until_ms = max(now_ms, known_ms)", "spent_until_ms = known_ms")]),
    Fault("I5", "fixed-windows", "All of a quota comes back at once.", [
        ("quota", _WAIT,
         "(spent_until_ms + cost * self._interval_ms - now_ms > self._window_ms) * (spent_until_ms - now_ms)")]),
    Fault("I5", "by-token-alone", "A token has one quota for all data sources.", [
        ("quota", "key = (token, source)", 'key = (token, "")')]),
    Fault("I5", "by-source-alone", "A data source has one quota for all tokens.", [
        ("quota", "key = (token, source)", 'key = ("", source)')]),
    Fault("I5", "every-request-costs-one", "A request costs 1, whatever its rows.", [
        ("quota", _NEXT, "next_ms = spent_until_ms + self._interval_ms")]),
    Fault("I5", "a-wait-for-what-never-fits", "A wait is stated to a request that is larger than the burst.", [
        ("quota", "None if cost > self._burst else wait_ms", "wait_ms")]),
    Fault("I5", "whole-milliseconds", "The interval of a unit is whole milliseconds.", [
        ("quota", 'self._interval_ms = 1_000 / settings["rate_per_second"]',
         'self._interval_ms = round(1_000 / settings["rate_per_second"])')]),
    Fault("I5", "keys-without-bound", "Every name that somebody makes up has a quota of its own.", [
        ("quota", "return len(self._spent_until_ms) < self._most_keys", "return True")]),
    Fault("I5", "others-are-free", "Who finds no place has no bound.", [
        ("quota", "            self._others_until_ms = next_ms\n", "            pass\n")]),
    Fault("I5", "debts-are-forgotten", "The oldest key gives its place up with its debt.", [
        ("quota", "            if spent_until_ms > now_ms:\n",
         "            if spent_until_ms > now_ms and len(self._spent_until_ms) + 1 < self._most_keys:\n")]),
    Fault("I5", "nothing-is-forgotten", "A key whose quota is whole keeps its place.", [
        ("quota", "            if spent_until_ms > now_ms:\n", "            if True:\n")]),
    Fault("I5", "others-save-up", "Those that found no place save up more than the burst.", [
        ("quota", "max(now_ms, known_ms)", "max(now_ms, known_ms) if has_place else known_ms")]),
    Fault("I5", "the-first-are-looked-at", "Who owes keeps its turn, and nobody behind it gives a place up.", [
        ("quota", "                self._spent_until_ms[key] = spent_until_ms  # its turn comes again\n",
         "                self._spent_until_ms = {key: spent_until_ms, **self._spent_until_ms}\n")]),
    Fault("I5", "an-admitted-one-may-ask-at-once", "Who has spent the last of it is told to ask again at once.", [
        ("quota", "self._wait_ms(now_ms, next_ms, cost)", "0")]),
    Fault("I5", "fractions-are-early", "What a fraction adds makes the stated moment too early.", [
        ("quota", "if wait_ms > TOLERANCE_MS else 0", "if wait_ms > 0 else 0")]),
    Fault("I5", "fractions-are-spent", "What a fraction adds takes a whole unit from what is left.", [
        ("quota", "(self._window_ms - reset_ms + TOLERANCE_MS)", "(self._window_ms - reset_ms)")]),
    Fault("I5", "fractions-are-seconds", "What a fraction adds makes a second more of a wait.", [
        ("retry_after", _ROUNDED, _ROUNDED.replace("(ms - TOLERANCE_MS)", "ms"))]),
    Fault("I5", "wait-of-no-second", "A short wait is stated as 0 seconds.", [
        ("retry_after", _ROUNDED, _ROUNDED.replace("max(1", "max(0"))]),
    Fault("I5", "never-fits-the-bound", "No wait is stated to a request of exactly the bound.", [
        ("backlog_bounds", "None if size > most", "None if size >= most")]),
    Fault("I5", "never-fits-the-burst", "No wait is stated to a request of exactly the burst.", [
        ("quota", "None if cost > self._burst", "None if cost >= self._burst")]),
    Fault("I5", "headers-rounded-down", "The headers' seconds are rounded down.", [
        ("retry_after", _ROUNDED, "max(1, int(ms // 1_000))")]),
    Fault("I5", "next-is-when-all-is-back", "With nothing left the header states when all of it is back.", [
        ("quota", "decision.reset_ms if decision.remaining > 0 or retry_after_ms is None else retry_after_ms",
         "decision.reset_ms")]),
    Fault("I5", "bytes-at-the-bound", "Exactly as many bytes as the bound are refused.", [
        ("backlog_bounds", _BYTES, _BYTES.replace(">", ">="))]),
    Fault("I5", "the-request-does-not-count", "Only the bytes that wait already count.", [
        ("backlog_bounds", _BYTES, "if backlog.bytes > most:")]),
    Fault("I5", "age-at-the-bound", "An event of exactly the greatest age is too old.", [
        ("backlog_bounds", _AGE, _AGE.replace("oldest_ms >", "oldest_ms >="))]),
    Fault("I5", "no-bound-of-age", "Events may be as old as they like.", [("backlog_bounds", _AGE, "if False:")]),
    Fault("I5", "refused-for-all", "Whoever is over a bound is answered 503.", [
        ("backlog_bounds", '"source", 429', '"source", 503')]),
    Fault("I5", "all-together-first", "The bounds of all together count first.", [
        ("backlog_bounds", _SCOPES, '(("total", 503, total), ("source", 429, source), ("tenant", 429, tenant))')]),
    Fault("I5", "its-tenant-first", "A tenant's bounds count before those of its data source.", [
        ("backlog_bounds", _SCOPES, '(("tenant", 429, tenant), ("source", 429, source), ("total", 503, total))')]),
    Fault("I5", "its-tenant-last", "A tenant's bounds count after those of all together.", [
        ("backlog_bounds", _SCOPES, '(("source", 429, source), ("total", 503, total), ("tenant", 429, tenant))')]),
    Fault("I5", "no-bound-of-a-tenant", "One tenant may have all that may wait.", [
        ("backlog_bounds", "if backlog is None:", 'if backlog is None or scope == "tenant":')]),
    Fault("I5", "a-tenant-is-all", "Whose tenant has too much is answered 503.", [
        ("backlog_bounds", '"tenant", 429', '"tenant", 503')]),
    Fault("I5", "a-tenant-ages", "A tenant has a bound of age.", [
        ("backlog_bounds", _AGE, 'if backlog.oldest_ms > self._settings[f"max_{name}_age_ms"]:')]),
    Fault("I5", "pieces-at-the-bound", "Exactly as many pieces as the bound are refused.", [
        ("backlog_bounds", _PIECES, _PIECES.replace(">", ">="))]),
    Fault("I5", "no-bound-of-pieces", "Pieces may be as many as they like.", [("backlog_bounds", _PIECES, "if False:")]),
    Fault("I5", "pieces-of-the-request-alone", "Only the pieces that come count.", [
        ("backlog_bounds", _PIECES, "if pieces > most_pieces:")]),
    Fault("I5", "pieces-that-never-fit", "A wait is stated to a request of more pieces than the bound.", [
        ("backlog_bounds", "if pieces > most_pieces:", "if False:")]),
    Fault("I5", "until-all-pieces-are-drained", "What is too many by a piece waits until everything is drained.", [
        ("backlog_bounds", "too_many * backlog.bytes / backlog.pieces", "backlog.bytes")]),
    Fault("I5", "until-all-is-drained", "What is too large by a byte waits until everything is drained.", [
        ("backlog_bounds", "self._until_drained(too_much, backlog)", "self._until_drained(backlog.bytes, backlog)")]),
    Fault("I5", "drained-without-bound", "A wait may be longer than max_retry_after_ms.", [
        ("backlog_bounds", "min(most_ms, size * 1_000 / backlog.drained_per_second)",
         "size * 1_000 / backlog.drained_per_second")]),
    Fault("I5", "nothing-drains-nothing-stated", "Where nothing drains no wait is stated.", [
        ("backlog_bounds", "            return most_ms\n", "            return None\n")]),
    Fault("I5", "a-wait-for-a-bound-that-is-smaller", "A wait is stated to a request that is larger than the bound.", [
        ("backlog_bounds", "None if size > most else ", "")]),
]
