"""Options that are not checked: R17."""

from __future__ import annotations

from wrong import Fault

_TYPES = "if type(value) not in (int, float) or not abs(value) <= MOST:"
_WHOLE = "return int(value) if value == int(value) else None"
_NULL = "if value is None and name in _MAY_BE_NULL:"
_REFUSED = "if number is None or number < least:"
_LEAST = "least = _LEAST[name]"
_STATUSES = "statuses = [integer(item) for item in value] if isinstance(value, (list, tuple)) else [None]"
_IN_RANGE = "if any(status is None or not 100 <= status <= 599 for status in statuses):"
_HINTS = "if not isinstance(value, (list, tuple)) or any(item not in HINTS for item in value):"
_BOOLEAN = "if type(value) is not bool:"
_CHECKED = "return replace(base, **{name: _checked(name, value) for name, value in given.items()})"
_UNKNOWN = "    known = "

FAULTS = [
    Fault("R17", "negative-clamped", "A negative number is raised to the least value.", [
        ("policy", _REFUSED,
         "if number is not None and number < 0:\n        number = least\n    if number is None or number < least:")]),
    Fault("R17", "zero-accepted", "0 is accepted where the least value is 1.", [("policy", _LEAST, "least = 0")]),
    Fault("R17", "zero-refused", "0 is refused where it is the least value.", [
        ("policy", _LEAST, "least = max(_LEAST[name], 1)")]),
    Fault("R17", "fraction-cut", "A fraction is cut to an integer.", [("policy", _WHOLE, "return int(value)")]),
    Fault("R17", "string-read", "A number in a string is read.", [
        ("policy", _TYPES,
         f"if isinstance(value, str) and value.isdigit():\n        value = int(value)\n    {_TYPES}")]),
    Fault("R17", "boolean-is-a-number", "true is taken for 1.", [
        ("policy", _TYPES, "if not isinstance(value, (int, float)) or not abs(value) <= MOST:")]),
    Fault("R17", "list-of-one-read", "A list of one number is read as that number.", [
        ("policy", _TYPES,
         f"if isinstance(value, list) and len(value) == 1:\n        value = value[0]\n    {_TYPES}")]),
    Fault("R17", "null-is-the-default", "null stands for the default in every field.", [
        ("policy", _CHECKED, "return replace(base, **{name: _checked(name, value) for name, value in given.items()"
         " if value is not None or name in _MAY_BE_NULL})")]),
    Fault("R17", "null-refused", "null is refused where it means none.", [("policy", _NULL, "if False:")]),
    Fault("R17", "unbounded", "An integer beyond 2^53-1 is accepted.", [
        ("policy", "not abs(value) <= MOST:", "value != value:")]),
    Fault("R17", "largest-refused", "2^53-1 is refused.", [("policy", "abs(value) <= MOST", "abs(value) < MOST")]),
    Fault("R17", "timeouts-unchecked", "attempt_timeout_ms and body_idle_ms are not checked.", [
        ("policy", _LEAST,
         f'if name in ("attempt_timeout_ms", "body_idle_ms"):\n        return number\n    {_LEAST}')]),
    Fault("R17", "unused-unchecked", "What only a throttle budget uses is not checked without one.", [
        ("policy", _LEAST, f'if name.startswith("trans"):\n        return number or 0\n    {_LEAST}')]),
    Fault("R17", "status-out-of-range", "Any integer is a status.", [
        ("policy", _IN_RANGE, "if any(status is None for status in statuses):")]),
    Fault("R17", "status-edges-refused", "100 and 599 are no statuses.", [
        ("policy", "100 <= status <= 599", "100 < status < 599")]),
    Fault("R17", "status-alone", "One status stands for a list of one.", [
        ("policy", _STATUSES, f"value = value if isinstance(value, (list, tuple)) else [value]\n    {_STATUSES}")]),
    Fault("R17", "status-in-a-string", "A status in a string is read.", [
        ("policy", _STATUSES,
         _STATUSES.replace("integer(item)", "integer(int(item) if isinstance(item, str) else item)"))]),
    Fault("R17", "unknown-hint-dropped", "An unknown name in hints is dropped.", [
        ("policy", _HINTS, "value = [item for item in value if item in HINTS] if isinstance(value, list) else value\n"
         "    if not isinstance(value, (list, tuple)):")]),
    Fault("R17", "hint-alone", "One name stands for a list of one.", [
        ("policy", _HINTS, f"value = [value] if isinstance(value, str) else value\n    {_HINTS}")]),
    Fault("R17", "switch-by-truth", "Any value is taken for true or false.", [
        ("policy", _BOOLEAN, "value = bool(value)\n        if False:")]),
    Fault("R17", "unknown-field-dropped", "An unknown field is dropped.", [
        ("policy", _UNKNOWN, f"    return None\n{_UNKNOWN}"),
        ("policy", _CHECKED, "checked = {name: _checked(name, value) for name, value in given.items()}\n"
         "    return replace(base, **{name: value for name, value in checked.items() if hasattr(base, name)})")]),
    Fault("R17", "first-field-checked", "Only the first field is checked.", [
        ("policy", _CHECKED, "first, *others = given or [None]\n    return replace(base, **{name: _checked(name, value)"
         " if name == first else value for name, value in given.items()})")]),
]
