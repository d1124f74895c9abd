"""The objects that the JIT has registered, read from the process, and the corrected files through which LLDB sees them
in place of the JIT's own."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import lldb
from jitscope_shared import jit_entries
from jitscope_shared.base import native, private_files
from jitscope_shared.functions import outdated

from . import debuggee as debuggees
from . import report
from .display import value_display

_ALL = 0xFFFFFFFF  # for js_program_write: kernels whose caller is not known, too
_NONE_BUT_HELD_BACK = 0xFFFFFFFF  # for js_program_write, as first and last
_ET_DYN = (3).to_bytes(2, "little")  # e_type of elf(5), at offset 16
_BY_LLDB = "JIT(0x"  # begins the names of modules that LLDB itself makes of registered objects

_serial = 0


class Objects:
    """The objects of one process."""

    def __init__(self, debuggee: debuggees.Debuggee):
        self._debuggee = debuggee
        self._numbers: dict[jit_entries.Entry, int | None] = {}  # None: no JIT that is known here made the object
        self._files: dict[str, list[int]] = {}  # by path of the file that LLDB has: the numbers of its objects
        self._heads: dict[int, jit_entries.Head] = {}
        self._descriptors: list[int] = []
        self._modules = 0  # loaded modules at the last search for descriptors
        self.count = 0  # objects that were taken
        self.untouched = 0  # objects of a JIT that is not known here

    # -- events

    def registered(self) -> None:
        """Take the objects that the program is registering: LLDB has stopped at __jit_debug_register_code."""
        self._take(is_registering=True)

    def refresh(self) -> None:
        """Take the objects that were registered while LLDB did not stop there, as before it attached, drop those that
        are gone, and give LLDB the parallel kernels that were held back until their caller is known."""
        if self._debuggee.target.GetNumModules() != self._modules:
            self._descriptors = []
        heads = {address: self._head(address) for address in self._known_descriptors()}
        if heads != self._heads:
            self._take(is_registering=False)
        self._write(_NONE_BUT_HELD_BACK, _NONE_BUT_HELD_BACK)

    def arriving(self) -> None:
        """Take the objects of a process to which LLDB attaches, or of a core that it opens."""
        self.refresh()
        for path in self._files:  # LLDB 14 has dropped what is not in the process's own list of libraries
            if not self._debuggee.target.FindModule(lldb.SBFileSpec(path)).IsValid():
                self._load(path)

    # -- reading

    def _head(self, address: int) -> jit_entries.Head | None:
        return jit_entries.read_head(self._debuggee.read, address)

    def _known_descriptors(self) -> list[int]:
        if not self._descriptors:
            self._modules = self._debuggee.target.GetNumModules()
            self._descriptors = self._debuggee.addresses_of(jit_entries.DESCRIPTOR)
        return self._descriptors

    def _take(self, is_registering: bool) -> None:
        found: list[jit_entries.Entry] = []
        self._heads = {}
        for address in self._known_descriptors():
            head = self._head(address)
            if head is None:
                continue
            self._heads[address] = head
            if is_registering and head.action == jit_entries.REGISTERED:
                entry = jit_entries.read_entry(self._debuggee.read, head.relevant)
                found += [entry] if entry is not None and _key(entry) not in self._numbers else []
            elif not is_registering:
                found += jit_entries.walk(self._debuggee.read, head)
        if not is_registering:
            self._drop({_key(entry) for entry in found})
        new = [entry for entry in found if _key(entry) not in self._numbers]
        numbers = [number for entry in new if (number := self._add(entry, is_registering)) is not None]
        if numbers:
            self._remove_modules_of_lldb()
            self._debuggee.forget(debuggees.OBJECT)
            if is_registering:
                for number in numbers:
                    self._write(number, number)
            else:
                self._write(min(numbers), _ALL)

    def _add(self, entry: jit_entries.Entry, is_registering: bool) -> int | None:
        """Give the object to the library. Return its number, or None if it is left out."""
        debuggee = self._debuggee
        image = debuggee.read(entry.symfile, entry.size)
        self._numbers[_key(entry)] = None
        if image is None:
            return None
        outdated.look(debuggee)
        native.library.js_program_set_attaching(debuggee.program, not is_registering)
        number, status = ctypes.c_uint(), 0

        def add(forgotten: Any) -> int:
            nonlocal status
            status = native.library.js_program_add(
                debuggee.program, image, len(image), debuggee.memory, forgotten, ctypes.byref(number)
            )
            return 0 if status == native.EUNSUP else status

        try:
            forgotten = native.fill_text(add, "js_program_add")
        except native.NativeError as error:
            report.warn(f"a compiled object is not shown: {error}")
            return None
        if status == native.EUNSUP:
            self.untouched += not _is_stop(image)
            return None
        self._take_out([int(word) for word in forgotten.split()])
        self._numbers[_key(entry)] = number.value
        self.count += 1
        return number.value

    # -- files

    def _write(self, first: int, last: int) -> None:
        """Write these objects, and those that were held back until now, as one file, and give it to LLDB."""
        program, written = self._debuggee.program, ""

        def put(path: str) -> None:
            nonlocal written
            written = native.fill_text(
                lambda text: native.library.js_program_write(program, first, last, os.fsencode(path), text),
                "js_program_write",
            )

        try:
            path = private_files.write(_new_name(), put)
        except native.NativeError as error:
            if error.status != native.ENOTFOUND:
                report.warn(f"compiled functions are not shown: {error}")
            return
        except private_files.Unwritable as error:
            report.warn(f"compiled functions are not shown, since their file cannot be written: {error}")
            return
        self._files[path] = list(map(int, written.split()))
        self._load(path)

    def _load(self, path: str) -> None:
        with open(path, "r+b") as stream:  # LLDB lays out the sections of an object file anew
            stream.seek(16)
            stream.write(_ET_DYN)
        target = self._debuggee.target
        module = target.AddModule(path, None, None)
        if not module.IsValid():
            report.warn(f"LLDB does not read {path}")
            return
        target.SetModuleLoadAddress(module, 0)
        value_display.register(target.GetDebugger(), self._debuggee, module)

    # -- objects that are gone

    def _drop(self, present: set[jit_entries.Entry]) -> None:
        gone = [key for key in self._numbers if key not in present]
        numbers = [number for key in gone if (number := self._numbers.pop(key)) is not None]
        for number in numbers:
            native.library.js_program_remove(self._debuggee.program, number)
        self._take_out(numbers)

    def _take_out(self, numbers: list[int]) -> None:
        """Take objects out of the files that LLDB has; the others of such a file are written anew."""
        self.count -= len(numbers)
        for path in [path for path, held in self._files.items() if set(held) & set(numbers)]:
            rest = [number for number in self._files.pop(path) if number not in numbers]
            module = self._debuggee.target.FindModule(lldb.SBFileSpec(path))
            if module.IsValid():
                self._debuggee.target.RemoveModule(module)
            private_files.remove(path)
            for number in rest:
                self._write(number, number)

    def _remove_modules_of_lldb(self) -> None:
        """Remove the modules that LLDB has made of these objects, as it does before the setting or against it: their
        values are the compiler's unproved ones."""
        target = self._debuggee.target
        taken = {f"{_BY_LLDB}{key.symfile:x})" for key, number in self._numbers.items() if number is not None}
        for module in [each for each in target.module_iter() if os.path.basename(str(each.file)) in taken]:
            target.RemoveModule(module)

    def end(self) -> None:
        """Remove the files of a process that is gone."""
        self._take_out([number for held in self._files.values() for number in held])
        self._numbers.clear()


def _is_stop(image: bytes) -> bool:
    """True for the object by which libjitscope.so says that the program will stop for its debugger."""
    is_stop = ctypes.c_bool()
    unused = ctypes.c_uint64(), ctypes.c_uint64()
    native.library.js_described_origin(image, len(image), *map(ctypes.byref, (*unused, is_stop)))
    return is_stop.value


def _key(entry: jit_entries.Entry) -> jit_entries.Entry:
    return entry._replace(next=0)  # which changes as objects come and go


def _new_name() -> str:
    global _serial
    _serial += 1
    return f"jit-{_serial}.o"


def of(debuggee: debuggees.Debuggee) -> Objects:
    if debuggee.objects is None:
        debuggee.objects = Objects(debuggee)
    return debuggee.objects  # type: ignore[no-any-return]
