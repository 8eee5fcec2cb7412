"""Retry-After as a number, read too kindly or too strictly: H1, and numbers of any length: H2."""

from __future__ import annotations

from wrong import Fault

_GRAMMAR = r'r"([0-9]+)(?:\.([0-9]+))?"'
_MATCH = '_NUMBER.fullmatch(text.strip(" \\t"))'
_VALUE = 'value.strip(" \\t")'
_RETRY_AFTER = "    number = _number(text)\n    if number is not None:\n        return"
_AS_SECONDS = 'return self.whole * 1_000 + int(self.part[:3].ljust(3, "0")) + self._rest(3)'
_REST = 'return 1 if self.part[place:].strip("0") else 0'
_NO_DATE = "    return None if date_ms is None else _within_longest(date_ms - server_ms)"
_WHOLE = 'whole = match[1].lstrip("0")[:20]'
_WITHIN = "return min(max(ms, 0), LONGEST_MS)"
_LONGEST = "LONGEST_MS = 2**53 - 1"


def _before(words: str) -> tuple:
    """What is tried before the right reading."""
    return ("stated_wait", _RETRY_AFTER, f"    {words}\n{_RETRY_AFTER}")


FAULTS = [
    Fault("H1", "parse-int", "The digits at the begin count, whatever follows: parseInt.", [
        ("stated_wait", _MATCH, _MATCH.replace("fullmatch", "match"))]),
    Fault("H1", "parse-float", "Whatever float() reads counts: 1e3, +5, .5, 1_000, Infinity.", [
        ("stated_wait", "import re\n", "import math\nimport re\n"),
        _before("try:\n        return _within_longest(math.ceil(max(float(text), 0) * 1_000))\n"
                "    except OverflowError:\n        return LONGEST_MS\n    except ValueError:\n        pass")]),
    Fault("H1", "negative-is-zero", "A negative number is 0.", [
        _before('if re.fullmatch("-[0-9]+", text):\n        return 0')]),
    Fault("H1", "negative-is-positive", "A sign before a number is passed over.", [
        ("stated_wait", _GRAMMAR, _GRAMMAR.replace('r"', 'r"[-+]?'))]),
    Fault("H1", "empty-is-zero", "An empty value is 0.", [_before("if not text:\n        return 0")]),
    Fault("H1", "malformed-is-zero", "Whatever is malformed is 0: again at once.", [
        ("stated_wait", _NO_DATE, _NO_DATE.replace("return None", "return 0"))]),
    Fault("H1", "hexadecimal", "0x10 is 16.", [
        _before('if text.startswith("0x"):\n        return int(text, 16) * 1_000')]),
    Fault("H1", "exponent", "1e3 is 1000.", [
        _before('if re.fullmatch("[0-9]+e[0-9]", text):\n        return int(float(text)) * 1_000')]),
    Fault("H1", "unit", "5s is five seconds.", [
        ("stated_wait", _MATCH, '_NUMBER.fullmatch(text.strip(" \\t").removesuffix("s"))')]),
    Fault("H1", "first-of-two", "Of two lines joined the first counts.", [
        ("stated_wait", _MATCH, '_NUMBER.fullmatch(text.split(",")[0].strip(" \\t"))')]),
    Fault("H1", "last-of-two", "Of two lines joined the last counts.", [
        ("stated_wait", _MATCH, '_NUMBER.fullmatch(text.split(",")[-1].strip(" \\t"))')]),
    Fault("H1", "quoted", "A number in quotes counts.", [
        ("stated_wait", _MATCH, "_NUMBER.fullmatch(text.strip(' \\t\"'))")]),
    Fault("H1", "no-whole-part", ".5 is half a second.", [
        ("stated_wait", _GRAMMAR, _GRAMMAR.replace("([0-9]+)(", "([0-9]*)("))]),
    Fault("H1", "no-part-after-the-point", "5. is five seconds.", [
        ("stated_wait", _GRAMMAR, _GRAMMAR.replace("([0-9]+))?", "([0-9]*))?"))]),
    Fault("H1", "decimals-refused", "2.0 is malformed.", [("stated_wait", _GRAMMAR, 'r"([0-9]+)(!)?"')]),
    Fault("H1", "decimals-cut-to-seconds", "1.5 is one second: too early.", [
        ("stated_wait", _AS_SECONDS, "return self.whole * 1_000")]),
    Fault("H1", "decimals-rounded-down", "What is less than a millisecond is cut off.", [
        ("stated_wait", _REST, "return 0")]),
    Fault("H1", "decimals-in-a-double", "Seconds are multiplied in floating point, then rounded up.", [
        ("stated_wait", "import re\n", "import math\nimport re\n"),
        ("stated_wait", _AS_SECONDS, 'return math.ceil(float(f"{self.whole}.{self.part or 0}") * 1_000)')]),
    Fault("H1", "milliseconds", "The number is milliseconds.", [("stated_wait", _AS_SECONDS, "return self.whole")]),
    Fault("H1", "spaces-not-cut-off", "Spaces around the value make it malformed.", [
        ("failure", _VALUE, "value"), ("stated_wait", _MATCH, "_NUMBER.fullmatch(text)")]),
    Fault("H1", "other-spaces-cut-off", "A no-break space is cut off too.", [
        ("failure", _VALUE, "value.strip()"), ("stated_wait", _MATCH, "_NUMBER.fullmatch(text.strip())")]),

    Fault("H2", "overflow-to-negative", "Milliseconds wrap around in 64 bits.", [
        ("stated_wait", _WITHIN, "return max((ms + 2**63) % 2**64 - 2**63, 0)")]),
    Fault("H2", "overflow-of-an-int", "Milliseconds wrap around in 31 bits.", [
        ("stated_wait", _WITHIN, "return max(ms, 0) % 2**31")]),
    Fault("H2", "saturates-at-31-bits", "More than 2^31-1 ms is 2^31-1 ms.", [
        ("stated_wait", _LONGEST, "LONGEST_MS = 2**31 - 1")]),
    Fault("H2", "saturates-one-too-high", "More than 2^53 ms is 2^53 ms.", [
        ("stated_wait", _LONGEST, "LONGEST_MS = 2**53")]),
    Fault("H2", "never-saturates", "A number of any length is told as it is.", [
        ("stated_wait", _WITHIN, "return max(ms, 0)")]),
    Fault("H2", "long-is-malformed", "A number of more than fifteen digits is malformed.", [
        ("stated_wait", _GRAMMAR, _GRAMMAR.replace("([0-9]+)(", "([0-9]{1,15})("))]),
    Fault("H2", "long-is-zero", "A number of more than fifteen digits is 0.", [
        ("stated_wait", _WHOLE, f'{_WHOLE}\n    whole = "" if len(whole) > 15 else whole')]),
    Fault("H2", "long-is-cut-off", "The first ten digits count.", [
        ("stated_wait", _WHOLE, _WHOLE.replace("20", "10"))]),
    Fault("H2", "zeros-fill-it-up", "Zeros at the begin count as digits.", [
        ("stated_wait", _WHOLE, "whole = match[1][:20]")]),
    Fault("H2", "subtracts-before-saturating", "An epoch saturates after the clock is subtracted from it.", [
        ("stated_wait", "return min(self.whole + self._rest(0), LONGEST_MS)", "return self.whole + self._rest(0)")]),
]
