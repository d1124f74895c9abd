"""The activation, that is, the call of a function, that each frame is; runs inside GDB, without third-party imports.

An activation has a number. A function's own frame has its number by where the frame ends on the stack, until a
breakpoint at its return address finds the stack that short again, because a later call may end at the same place.
Inlined code has no frame of its own: each such place in an activation has one number, though a loop may come to the
place more than once."""

import gdb

DEPTH = 64


class Return(gdb.Breakpoint):
    """A breakpoint where a frame returns to."""

    def __init__(self, activations, address):
        super().__init__(f"*{address:#x}", type=gdb.BP_BREAKPOINT, internal=True)
        self.silent = True
        self.activations = activations

    def stop(self):
        self.activations.over()
        return False


class Activations:
    """The numbers of the present frames of a program that are in its file."""

    def __init__(self, file):
        self.file = file
        self.given = 0
        self.numbers = {}  # by thread, end of the frame and function; for an inlined call: by its caller and place
        self.returns = {}

    def end(self):
        for point in self.returns.values():
            point.delete()

    def over(self):
        """Forget the activations that have returned in the selected thread."""
        thread, top = gdb.selected_thread().num, int(gdb.newest_frame().read_register("sp"))
        self.numbers = {key: n for key, n in self.numbers.items() if key[0] != thread or key[1] > top}

    def frames(self):
        """Return the program's frames of the selected thread, outermost first, each with its function's line; none if
        one is not known."""
        self.over()
        groups, group, frame = [], [], gdb.newest_frame()
        while frame is not None and len(groups) < DEPTH and frame.find_sal().symtab is not None:
            group.append(frame)
            if frame.type() != gdb.INLINE_FRAME:
                if any(map(self.is_own, group)):
                    groups.append((group, self.ends(frame)))
                group = []
            frame = frame.older()
        if any(end is None for _, end in groups):
            return []
        return [found for group, end in reversed(groups) for found in self.numbered(group, end)]

    def is_own(self, frame):
        return frame.find_sal().symtab.filename.rpartition("/")[2] == self.file and frame.function() is not None

    def numbered(self, group, end):
        """Yield the activations of a frame, and of the calls inlined in it, that are the program's, outermost first."""
        key = (gdb.selected_thread().num, end, group[-1].name())
        for frame in reversed(group):
            inline = frame is not group[-1]
            if inline:
                key = (*key, frame.name(), place_of(frame))
            if self.is_own(frame):
                yield {
                    "name": frame.name(),
                    "line": frame.find_sal().line,
                    "declared": frame.function().line,
                    "number": self.number(key),
                    "inline": inline,
                }

    def number(self, key):
        if key not in self.numbers:
            self.given += 1
            self.numbers[key] = self.given
        return self.numbers[key]

    def ends(self, frame):
        """Return where a frame that is not inlined ends: its caller's top."""
        older = frame.older()
        if older is None:
            return None
        if older.pc() not in self.returns:
            self.returns[older.pc()] = Return(self, older.pc())
        return int(older.read_register("sp"))


def place_of(frame):
    """Return the place of an inlined call: the address where its code begins."""
    block = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    return block.start if block is not None else 0
