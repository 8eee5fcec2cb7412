"""The `RateLimit` header: a structured list, or the pairs of an earlier draft (H4)."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

# Names are strings or tokens, values any bare item of RFC 9651 §3.3, but that a number may have as
# many digits as one of H1.
_STRING = r'"(?:[ !#-\[\]-~]|\\["\\])*"'
_TOKEN = r"[A-Za-z*][A-Za-z0-9!#$%&'*+\-.^_`|~:/]*"
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_OTHERS = r':[A-Za-z0-9+/=]*:|\?[01]|@-?[0-9]{1,15}|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"'
_KEY = r"[a-z*][a-z0-9_\-.*]*"
_PARAMETER = re.compile(f"; *({_KEY})(?:=({_STRING}|{_TOKEN}|{_OTHERS}|{_NUMBER}))?")
_NAME = re.compile(f"{_STRING}|{_TOKEN}")
_COMMA = re.compile(r"[ \t]*,[ \t]*")

# What is left, or None where that was not sent; and the text of the reset.
Reset = Tuple[Optional[str], str]


def _members(text: str) -> Optional[List[Dict[str, str]]]:
    """The parameters of each member of the list, or None where one is malformed."""
    members = []
    at = 0
    while True:
        name = _NAME.match(text, at)
        if name is None:
            return None
        at = name.end()
        parameters: Dict[str, str] = {}
        while parameter := _PARAMETER.match(text, at):
            at = parameter.end()
            # RFC 9651 §3.1.2: of several with one key the last counts, none is `true`.
            parameters[parameter[1]] = parameter[2] or "?1"
        members.append(parameters)
        if at == len(text):
            return members
        comma = _COMMA.match(text, at)
        if comma is None:
            return None
        at = comma.end()


def _pairs(text: str) -> Dict[str, str]:
    """The older form; a part that is no pair is passed over, and of several the first counts."""
    pairs: Dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.strip(" \t").partition("=")
        if equals:
            pairs.setdefault(key, value)
    return pairs


def resets(text: str) -> List[Reset]:
    """Each reset in the field with its count of what is left; neither is checked yet."""
    members = _members(text)
    if members is not None:
        return [(member["r"], member["t"]) for member in members if "r" in member and "t" in member]
    pairs = _pairs(text)
    if "reset" not in pairs:
        return []
    return [(pairs.get("remaining"), pairs["reset"])]
