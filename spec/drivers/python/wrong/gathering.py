"""What is gathered, and what owners are told: I1, I7 and I8."""

from __future__ import annotations

from wrong import Fault

_DUE = "if gathered.due_ms <= now_ms]"
_FULL = 'if gathered.rows >= self._settings["max_rows"] or gathered.bytes >= self._settings["max_bytes"]:'
_BEGINS = "        if source not in self._gathered:\n"
_SAME = "        if before == state:\n"
_GONE = "after + 1 >= oldest"
_INTERVAL = "self._gathered[source] = _Gathered(now_ms + self._interval_of(source))"

FAULTS = [
    Fault("I1", "gathered-a-moment-too-long", "What is due at this very moment waits.", [
        ("gatherer", _DUE, _DUE.replace("<=", "<"))]),
    Fault("I1", "each-event-puts-it-off", "Each event begins the interval anew.", [
        ("gatherer", "        gathered = self._gathered[source]\n",
         "        gathered = self._gathered[source]\n        gathered.due_ms = now_ms + self._interval_of(source)\n")]),
    Fault("I1", "one-row-too-many", "As many rows as the most still wait.", [
        ("gatherer", _FULL, _FULL.replace('>= self._settings["max_rows"]', '> self._settings["max_rows"]'))]),
    Fault("I1", "one-byte-too-many", "As many bytes as the most still wait.", [
        ("gatherer", _FULL, _FULL.replace('>= self._settings["max_bytes"]', '> self._settings["max_bytes"]'))]),
    Fault("I1", "rows-by-partition", "The rows of one partition count, not those of all.", [
        ("gatherer", "        self.rows += 1\n",
         "        self.rows = max(map(len, (rows for rows, _ in self.partitions.values())))\n")]),
    Fault("I1", "partitions-together", "All partitions are one insert.", [
        ("gatherer", "self.partitions.setdefault(partition, ", 'self.partitions.setdefault("p", ')]),
    Fault("I1", "due-in-the-order-of-names", "What is due comes in the order of names, not of time.", [
        ("gatherer", "key=lambda each: each[0]", "key=lambda each: each[1]")]),
    Fault("I1", "one-interval-for-all", "A data source that begins takes up the interval of another.", [
        ("gatherer", _INTERVAL,
         "self._gathered[source] = _Gathered(self.next_due_ms() or now_ms + self._interval_of(source))")]),
    Fault("I1", "size-leaves-the-interval", "What comes after a flush by size is due with the old interval.", [
        ("gatherer", _INTERVAL,
         'self._gathered[source] = _Gathered(self.__dict__.setdefault("was", {}).setdefault(source, '
         "now_ms + self._interval_of(source)))")]),
    Fault("I1", "flushes-only-what-is-due", "Nothing is written before its time, whoever asks.", [
        ("gatherer", "for source in list(self._gathered) for", "for source in [] for")]),

    Fault("I7", "told-again-while-it-stays", "Each report of a state is a notice.", [
        ("notices", _SAME, "        if before == state == FLOWING:\n")]),
    Fault("I7", "recovery-is-not-told", "A recovery is no notice.", [
        ("notices", _SAME, _SAME.replace("state:", "state or state == FLOWING:"))]),
    Fault("I7", "well-from-the-beginning", "Who was never ill is told to be well.", [
        ("notices", _SAME, "        if before == state and source in self._states:\n"),
        ("notices", "del self._states[source]", "self._states.pop(source, None)")]),
    Fault("I7", "one-state-for-all", "Data sources share a state.", [
        ("notices", "self._states.get(source, (FLOWING, reason))", 'self._states.get("", (FLOWING, reason))'),
        ("notices", "del self._states[source]", 'del self._states[""]'),
        ("notices", "self._states[source] = (state, reason)", 'self._states[""] = (state, reason)')]),
    Fault("I7", "recovers-for-its-own-reason", "A recovery does not say from what.", [
        ("notices", "reason, until_ms = why, None", "until_ms = None")]),
    Fault("I7", "until-from-nought", "Until when is how long.", [
        ("notices", "None if for_ms is None else now_ms + for_ms", "for_ms")]),
    Fault("I7", "unknown-ends-at-once", "An end that nobody knows is now.", [
        ("notices", "None if for_ms is None else now_ms + for_ms", "now_ms + (for_ms or 0)")]),
    Fault("I7", "numbered-from-nought", "The first notice has the number 0.", [
        ("notices", "        notice = Notice(self._last_id, ", "        notice = Notice(self._last_id - 1, ")]),
    Fault("I7", "numbers-of-what-is-kept", "Notices are numbered as they are kept.", [
        ("notices", "        self._last_id += 1\n", "        self._last_id = len(self._kept) + 1\n")]),
    Fault("I7", "the-first-are-kept", "The first notices are kept, not the last.", [
        ("notices", "        self._kept.append(notice)\n",
         "        if len(self._kept) < self._kept.maxlen:\n            self._kept.append(notice)\n")]),
    Fault("I7", "from-a-number-on", "A list after a number has the notice of that number too.", [
        ("notices", "if notice.id > after]", "if notice.id >= after]")]),
    Fault("I7", "always-whole", "That some of a list is gone is not said.", [("notices", _GONE, "True")]),
    Fault("I7", "gone-by-one", "A list that begins with the oldest that is kept is called torn.", [
        ("notices", _GONE, "after >= oldest")]),
    Fault("I7", "kept-and-not-told", "Who listens is told nothing.", [
        ("notices", "        self._listener(notice)\n", "")]),

    Fault("I8", "a-size-for-all", "Rows of all data sources count together.", [
        ("gatherer", "        if gathered.rows >= ",
         "        if sum(each.rows for each in self._gathered.values()) >= "),
        ("gatherer", "            return self.flush(source)\n", "            return self.flush_all()\n")]),
    Fault("I8", "size-flushes-all", "Who has gathered much has everybody's events written.", [
        ("gatherer", "            return self.flush(source)\n", "            return self.flush_all()\n")]),
    Fault("I8", "one-breaker-for-all", "One breaker stands for all data sources.", [
        ("keyed_breaker", "self._breakers[key] = self._breakers.pop(key, None)",
         'key = ""\n        self._breakers[key] = self._breakers.pop(key, None)'),
        ("keyed_breaker", "self._breakers.get(key)", 'self._breakers.get("")')]),
    Fault("I8", "one-open-holds-all", "Where one breaker is open nobody flushes.", [
        ("keyed_breaker", "        return self.read(key).may_flush(now_ms, node)",
         '        return all(each.state == "closed" for each in self._breakers.values())')]),
]
