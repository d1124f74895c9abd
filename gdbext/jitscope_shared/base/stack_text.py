"""The text of stacks, for `jit bt` in GDB and for `jitscope stack` on the shell. Plain Python, usable outside of GDB;
frames are dictionaries of docs/schema/bt.json or docs/schema/stack.json."""

from __future__ import annotations

from collections import Counter
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .escaping import plain

SHOWN = 3  # calls of a function that are shown before others are folded
FEWEST = 100  # frames that are worth folding
PART = "this worker's own part"  # the value of a reduction variable in the body of a parallel loop

_LONGEST_CYCLE = 8  # functions that call each other in turn, at most
_NO_FRAMES = ("region", "folded")  # kinds of entries that stand among the frames

Frame = Dict[str, Any]


def numbered(frames: List[Frame]) -> List[Frame]:
    """Return the frames with "index", their number; headings among them have none."""
    found, number = [], 0
    for frame in frames:
        if frame["kind"] == "region":
            found.append(frame)
        else:
            found.append({**frame, "index": number})
            number += 1
    return found


def folded(frames: Sequence[Frame]) -> Iterator[Frame]:
    """Yield the frames. Of functions that call themselves or each other very often, the first calls and the last are
    given, and an entry of the kind "folded" for those between them."""
    keys = [(frame["kind"], frame.get("name"), frame.get("file")) for frame in frames]
    at = 0
    while at < len(frames):
        period, end = _repeated(keys, at)
        first, last = at + SHOWN * period, end - period
        if last - first < FEWEST:
            yield frames[at]
            at += 1
            continue
        yield from frames[at:first]
        yield folded_entry(Counter(frame["name"] for frame in frames[first:last]))
        yield from frames[last:end]
        at = end


def python_entry(entry: Frame, level: Optional[int]) -> Frame:
    """Return the entry of a frame of js_python_frames_json. `level`: the debugger's number of the frame that runs
    it."""
    return {
        "kind": "python",
        "name": entry.get("qualname") or entry["function"] or "?",
        "file": entry["file"],
        "line": entry["line"],
        "frame": None,
        "evaluation": level,
        "address": entry["address"],
        "arguments": [],  # the front end completes it
    }


def folded_entry(counts: Counter[str]) -> Frame:
    """Return the entry for frames that are not shown: their functions, and the number of frames of each."""
    functions = [{"name": name, "count": count} for name, count in counts.most_common()]
    return {"kind": "folded", "count": sum(counts.values()), "functions": functions}


def _repeated(keys: List[Tuple[Any, ...]], start: int) -> Tuple[int, int]:
    """Return how many functions call each other in turn from there on, and where that ends; the shortest such cycle."""
    for period in range(1, _LONGEST_CYCLE + 1) if keys[start][0] not in _NO_FRAMES else ():
        end = start + period
        while end < len(keys) and keys[end] == keys[end - period]:
            end += 1
        if end - start >= FEWEST:
            return period, end
    return 1, start + 1


def heading(thread: int) -> str:
    """Return the line above the frames of the thread that has started a parallel region."""
    return f"--- region started by thread {thread} ---"


def lines(entry: Frame, arguments: Optional[str] = None, mark: str = "") -> List[str]:
    """Return the lines of a numbered frame, a heading or a folded entry. `arguments`: the text between the brackets, if
    it is to be shorter than the arguments are; `mark`: what the frame's line ends with."""
    if entry["kind"] == "region":
        return [heading(entry["thread"] if "thread" in entry else entry["native_id"])]
    if entry["kind"] == "folded":
        return [f"… {_more(entry['functions'])}"]
    line = f"#{entry['index']:<2} {plain(entry['name'])}"
    if "arguments" in entry:
        line += f" ({argument_list(entry['arguments']) if arguments is None else arguments})"
    for variable in entry.get("loop", []):
        line += f", {plain(variable['name'])} = {plain(variable['text'])}"
    if entry["file"]:
        line += f" at {plain(entry['file'])}" + (f":{entry['line']}" if entry["line"] else "")
    elif entry.get("library"):
        line += f" from {plain(entry['library'])}"
    if entry.get("chunk"):
        loop = f" of the loop at line {entry['loop_line']}" if entry["loop_line"] else ""
        line += f", iterations {ranges(entry['chunk'])}{loop}"
    line += " [py]" if entry["kind"] == "python" else ""
    line += f" [found by {entry['found_by']}]" if "found_by" in entry else ""
    found = [each for each in entry.get("arguments", ()) if "passed" in each] + entry.get("locals", [])
    return [line + mark, *(f"        {text}" for text in variables(found))]


def argument_list(arguments: List[Dict[str, Any]]) -> str:
    """Return all arguments with their values."""
    return ", ".join(f"{plain(each['name'])}={plain(each['text'])}" for each in arguments)


def variables(found: List[Dict[str, Any]]) -> List[str]:
    """Return a line for each variable; names that a module defines or imports are only counted."""
    shown = [_variable(entry) for entry in found if not entry.get("definition")]
    count = len(found) - len(shown)
    if count:
        shown.append(f"({count} function{'s' * (count > 1)}, class{'es' * (count > 1)} or module{'s' * (count > 1)})")
    return shown


def _variable(entry: Dict[str, Any]) -> str:
    line = f"{plain(entry['name'])} = {plain(entry['text'])}"
    if "version" in entry:
        notes = [plain(entry["type"])]
        if entry.get("version_line"):
            notes.append(f"line {entry['version_line']}")
        if entry.get("current"):
            notes.append("current")
        return f"{line}  [{', '.join(notes)}]"
    if entry.get("passed"):
        return f"{line} (passed as {plain(entry['passed'])})"
    return f"{line}  [{PART}]" if entry.get("part") else line


def ranges(chunk: List[List[int]]) -> str:
    """Return the iterations that a worker was given, of each dimension, such as `0..24`."""
    return ", ".join(f"{first}..{last}" for first, last in chunk)


def _more(functions: List[Dict[str, Any]]) -> str:
    """Return the number of frames that are not shown, such as `87,336 more frames of walk`."""
    first, *others = functions
    text = f"{first['count']:,} more frame{'s' * (first['count'] > 1)} of {plain(first['name'])}"
    texts = [text, *(f"{each['count']:,} of {plain(each['name'])}" for each in others)]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
