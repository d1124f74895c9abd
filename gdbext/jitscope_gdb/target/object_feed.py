"""The corrected debug information for GDB: GDB passes each in-memory object that the JIT registers to this module
first."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from typing import TYPE_CHECKING, Any

import gdb
from jitscope_shared.base import native, private_files
from jitscope_shared.functions import outdated

from ..base import console, events, jit_interface, report, symbol_file

if TYPE_CHECKING:
    from .target import Target

_serial = 0
_WITHOUT_MARKERS = ".plain"  # the suffix that runtime/python/jitscope/compiler/linked/plain.py adds
_NONE_BUT_HELD_BACK = 0xFFFFFFFF  # for js_program_write, as first and last


class Object:
    """An in-memory object that was taken."""

    def __init__(self, number: int, entry: jit_interface.Entry | None):
        self.number = number
        self.entry = entry
        self.file: str | None = None


class Feed:
    """The objects of one process, and the files through which GDB sees them."""

    def __init__(self, target: Target):
        self.target = target
        self.objects: dict[int, Object] = {}
        self.files: list[str] = []
        self.untouched = 0  # the number of objects that were left to GDB
        self._pending: list[Object] = []
        self._held_back = False
        self.walked = False  # True if all entries of a walk have come
        # the entries that GDB's present walk over all entries will still give
        self._expected: list[jit_interface.Entry] | None = None
        self._heads: dict[int, jit_interface.Head] = {}
        self._descriptors: list[int] | None = None
        self._hooks: dict[int, list[int]] = {}  # where the target stops to register an object -> its descriptor
        self._listed = False
        self._is_registering = False  # True if the last object was one that the target was registering
        self._seen: set[int] = set()  # addresses of the entries that have come
        self._announcing: set[int] = set()  # descriptors whose objects name their own entry
        self._taken = False  # True if the last object was taken
        self._is_hook_reported = False
        self._is_unwritable_reported = False
        self._is_stop = False  # True if the last object says that the program will stop for its debugger

    # -- one object, from GDB

    def take(self, image: int, size: int) -> bool:
        """Take an object; called for each object while GDB reads it. Return False if GDB is to read it itself."""
        self.target.notice_program()
        entry, is_live = self._identify(image, size)
        if self._is_stop:
            events.emit("stops_announced")
            self._flush_if_due(is_live)
            return True
        number = ctypes.c_uint()
        target = self.target
        outdated.look(target)
        native.library.js_program_set_attaching(target.program, not is_live)
        forgotten = native.fill_text(lambda text: self._add(image, size, text, number), "js_program_add")
        if not self._taken:
            self.untouched += 1
            self._flush_if_due(is_live)
            return False
        target.forget("object")
        self._notice_hook()
        if native.library.js_program_asks_to_stop(target.program):
            events.emit("stops_announced")
        self._drop([int(word) for word in forgotten.split()])
        taken = Object(number.value, entry)
        self.objects[taken.number] = taken
        self._pending.append(taken)
        # If this fails, GDB must not read the object itself: it would show the compiler's unproved values of variables.
        report.quietly(self._flush_if_due)(is_live)
        events.emit("object_taken", target, taken.number)
        return True

    def _notice_hook(self) -> None:
        format = native.library.js_program_newer_hook(self.target.program)
        if format and not self._is_hook_reported:
            self._is_hook_reported = True
            report.warn(
                f"the program's jitscope is newer (format {format}): what it says of variables is read as stock "
                "Numba's; source the program's own jitscope here"
            )

    def _flush_if_due(self, is_live: bool) -> None:
        if is_live:
            self.flush()
        elif not self._expected:
            self.flush(everything=True)
            self.walked = True

    def _add(self, image: int, size: int, text: Any, number: ctypes.c_uint) -> int:
        target = self.target
        status = native.library.js_program_add(target.program, image, size, target.memory, text, ctypes.byref(number))
        self._taken = status == 0
        return 0 if status == native.EUNSUP else status

    def _identify(self, image: int, size: int) -> tuple[jit_interface.Entry | None, bool]:
        """Return the entry of this object, and whether the target is stopped at its registration."""
        announced = self._announced(image, size)
        entry, self._is_registering = self._find_entry(announced, size)
        if entry is not None:
            self._seen.add(entry.address)
        return entry, self._is_registering

    def _find_entry(self, announced: jit_interface.Entry | None, size: int) -> tuple[jit_interface.Entry | None, bool]:
        if not self._expected:
            entry = self._next_registered(size) if self._is_registering else None
            hook = self._registration() if entry is None else None
            if entry is not None or hook is not None:
                self._expected = None
                return announced or entry or self._registered(size, hook), True  # type: ignore[arg-type]
        # GDB walks over all entries: the objects are merged, and written when the last one is here.
        if self._expected is None:
            known = {o.entry.address for o in self.objects.values() if o.entry}
            self._expected = [e for e in self._entries() if e.address not in known]
        if announced is not None:
            self._expected = [entry for entry in self._expected if entry.address != announced.address]
            return announced, False
        for index, entry in enumerate(self._expected):
            if entry.size == size:
                del self._expected[: index + 1]
                return entry, False
        return None, False

    def end_walk(self) -> None:
        """Note that the target runs: if some entries of a walk have not come, they will not come any more."""
        self._expected = None

    def _next_registered(self, size: int) -> jit_interface.Entry | None:
        """Return the entry that the target is registering, after another one, without a question to GDB about the
        frame, which takes longer than all else; None if this is not certain."""
        for address in {each for found in self._hooks.values() for each in found}:
            head = jit_interface.read_head(self.target.inferior, address)
            if head is None or head.action != jit_interface.REGISTERED or head.relevant in self._seen:
                continue
            entry = jit_interface.read_entry(self.target.inferior, head.relevant)
            if entry is not None and entry.size == size:
                self._heads[address] = head
                return entry
        return None

    def _announced(self, image: int, size: int) -> jit_interface.Entry | None:
        """Return the entry that the object itself names, as those of libjitscope.so do; None: it names none."""
        entry, interface, is_stop = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_bool()
        places = map(ctypes.byref, (entry, interface, is_stop))
        found = native.library.js_described_origin(image, size, *places) == 0
        self._is_stop = is_stop.value
        if not found:
            return None
        self._announcing.add(interface.value)
        return jit_interface.read_entry(self.target.inferior, entry.value)

    def _registration(self) -> int | None:
        """Return the pc if the target is stopped to register an object, else None. Known pcs are kept, because looking
        the symbol up for each object would be slow."""
        try:
            pc = int(gdb.parse_and_eval("$pc")) & (1 << 64) - 1  # a cast would make GDB look through all symbols
            if pc not in self._hooks:
                if not jit_interface.symbol_at(pc).startswith(jit_interface.REGISTER):
                    return None
                self._hooks[pc] = jit_interface.find_in_registers(self.target.inferior)
                self._descriptors = self._descriptors if self._listed else None
        except gdb.error:
            return None
        return pc

    def _registered(self, size: int, hook: int) -> jit_interface.Entry | None:
        """Return the entry that the target is registering."""
        inferior = self.target.inferior
        for addresses in (lambda: self._hooks[hook], self.descriptors, self._all_descriptors):
            for address in addresses():
                head = jit_interface.read_head(inferior, address)
                if head is None or head.action != jit_interface.REGISTERED:
                    continue
                entry = jit_interface.read_entry(inferior, head.relevant)
                if entry is not None and entry.size == size:
                    self._heads[address] = head
                    return entry
        return None

    # -- the files

    def flush(self, everything: bool = False) -> None:
        """Give GDB the waiting objects as one file. `everything`: include kernels whose caller is not known yet."""
        self._expected = None
        pending, self._pending = self._pending, []
        numbers = [o.number for o in pending if self.objects.get(o.number) is o]
        if numbers:
            self._write(numbers[0], numbers[-1])
            self._held_back = True
        if everything and self._held_back:
            self._write(_NONE_BUT_HELD_BACK, _NONE_BUT_HELD_BACK)
            self._held_back = False

    def _write(self, first: int, last: int) -> None:
        """Write these objects, and those that were held back until now, as one file for GDB."""
        global _serial
        _serial += 1
        program, written = self.target.program, ""

        def put(path: str) -> None:
            nonlocal written
            name = os.fsencode(path)
            try:
                written = native.fill_text(
                    lambda text: native.library.js_program_write(program, first, last, name, text), "js_program_write"
                )
            except native.NativeError as error:
                if error.status == native.ESYS:
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno())) from None
                raise

        try:
            path = private_files.write(f"jit-{_serial}.o", put)
        except native.NativeError as error:
            if error.status != native.ENOTFOUND:
                raise
            if last != _NONE_BUT_HELD_BACK and self._holds_function(first, last):
                self._write(_NONE_BUT_HELD_BACK, _NONE_BUT_HELD_BACK)
            return  # these objects have nothing that GDB could show, or only kernels whose caller is still to come
        except private_files.Unwritable as error:
            self._say_unwritable(error)
            return
        numbers = list(map(int, written.split()))
        events.emit("file_written", self.target, numbers)
        gdb.execute(f"add-symbol-file {console.quoted(path)}", False, True)
        self.files.append(path)
        for number in numbers:
            if number in self.objects:
                self.objects[number].file = path
        events.emit("objects_changed", min(numbers, default=0))

    def _say_unwritable(self, error: private_files.Unwritable) -> None:
        if not self._is_unwritable_reported:
            self._is_unwritable_reported = True
            report.warn(f"compiled functions are not shown, since their file for GDB cannot be written: {error}")

    def _holds_function(self, first: int, last: int) -> bool:
        """True if these objects have code that may run at once, with debug information to stop by. A function that an
        object has a copy of, such as one that a kernel calls, came before in its own object. Its form without markers,
        in which no breakpoint is set, comes with the kernel."""
        found = native.json_of("js_program_functions", self.target.program, None, 0, 0)
        functions = [each for each in found if each["debug_info"] and each["kind"] == "function"]
        functions = [each for each in functions if not each["name"].endswith(_WITHOUT_MARKERS)]
        before = {each["linkage_name"] for each in functions if each["object"] < first}
        return any(first <= each["object"] <= last and each["linkage_name"] not in before for each in functions)

    def _remove_file(self, path: str) -> None:
        if path in self.files:
            self.files.remove(path)
        with contextlib.suppress(gdb.error):  # the user has removed it
            symbol_file.remove(path)
        private_files.remove(path)

    def _drop(self, numbers: list[int]) -> None:
        """Take objects that are gone out of the files that GDB has read."""
        gone = [self.objects.pop(number) for number in numbers if number in self.objects]
        if not gone:
            return
        self.target.forget("object")
        for path in {o.file for o in gone if o.file}:
            self._remove_file(path)
            rest = sorted(o.number for o in self.objects.values() if o.file == path)
            for first, last in _runs(rest, self.objects):
                for taken in self.objects.values():
                    if first <= taken.number <= last:
                        taken.file = None
                self._write(first, last)

    def clear(self) -> None:
        """Remove all objects when the process is gone: GDB keeps added symbol files, and breakpoints would go into
        unmapped memory."""
        self._pending, self._expected = [], None
        events.emit("objects_cleared", self.target)
        self.forget_descriptors()
        self._announcing.clear()
        self._seen.clear()
        self._is_registering = False
        self._heads.clear()
        self.objects.clear()
        self.untouched = 0
        for path in list(self.files):
            self._remove_file(path)
        self.target.end_process()

    # -- the target's descriptors and entries

    def descriptors(self) -> list[int]:
        """Return the addresses of the known JIT descriptors, without a search."""
        if not self._descriptors:
            seen = {address for found in self._hooks.values() for address in found}
            self._descriptors = sorted(seen) or jit_interface.find_first()
        return self._with_announcing(self._descriptors)

    def _all_descriptors(self) -> list[int]:
        """Return every descriptor; they are searched for once until a library is loaded."""
        if not self._listed:
            self._descriptors = jit_interface.find_all()
            self._listed = bool(self._descriptors)
        return self._with_announcing(self._descriptors or [])

    def _with_announcing(self, found: list[int]) -> list[int]:
        return found + [address for address in self._announcing if address not in found]

    def forget_descriptors(self) -> None:
        self._descriptors, self._listed = None, False
        self._hooks.clear()

    def _entries(self) -> list[jit_interface.Entry]:
        inferior = self.target.inferior
        found: list[jit_interface.Entry] = []
        for address in self._all_descriptors():
            head = jit_interface.read_head(inferior, address)
            if head is not None:
                self._heads[address] = head
                found.extend(jit_interface.walk(inferior, head))
        return found

    def refresh(self) -> None:
        """Give GDB the waiting objects at a stop, and drop those that the target has unregistered."""
        self.flush(everything=True)
        if not self.objects:
            return
        inferior = self.target.inferior
        heads = {address: jit_interface.read_head(inferior, address) for address in self.descriptors()}
        if heads == self._heads:
            return
        present = {(e.address, e.symfile, e.size) for e in self._entries()}
        self._remove(
            [
                o.number
                for o in self.objects.values()
                if o.entry and (o.entry.address, o.entry.symfile, o.entry.size) not in present
            ]
        )

    def unregistered(self, address: int) -> None:
        """Drop the object of the entry (or file) at this address, whose record GDB has dropped because the target has
        unregistered it."""
        inferior = self.target.inferior
        for place in self.descriptors():
            head = jit_interface.read_head(inferior, place)
            if head is None or head.action == jit_interface.REGISTERED:
                continue
            gone = [
                o.number
                for o in self.objects.values()
                if o.entry and head.relevant == o.entry.address and address in (o.entry.address, o.entry.symfile)
            ]
            self._remove(gone)

    def _remove(self, numbers: list[int]) -> None:
        for number in numbers:
            native.library.js_program_remove(self.target.program, number)
        self._drop(numbers)


def _runs(numbers: list[int], present: dict[int, Object]) -> list[tuple[int, int]]:
    """Return these numbers as ranges that contain no other present object."""
    runs: list[tuple[int, int]] = []
    chosen = set(numbers)
    for number in sorted(present):
        if number not in chosen:
            runs.append((-1, -1))
        elif runs and runs[-1][0] >= 0:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return [run for run in runs if run[0] >= 0]


JITED = re.compile(r"<< JIT compiled code at (0x[0-9a-f]+) >>")
