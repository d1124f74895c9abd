"""Inside GDB: which call of its function each frame is.

An activation has a number.  A function's own frame has it by where the frame ends on the stack, until a breakpoint at
its return address finds the stack that short again: a later call may end at the same place.  What a compiler has put in
line has no frame of its own: one number for each such place of an activation, through which a loop may come more than
once.  No third-party import.
"""

import gdb

DEPTH = 64


class Return(gdb.Breakpoint):
    """Where a frame returns to."""

    def __init__(self, activations, address):
        super().__init__(f"*{address:#x}", type=gdb.BP_BREAKPOINT, internal=True)
        self.silent = True
        self.activations = activations

    def stop(self):
        self.activations.over()
        return False


class Activations:
    """The numbers of the frames under way; of a program, whose file they are of."""

    def __init__(self, program):
        self.file = f"{program}.py"
        self.given = 0
        self.numbers = {}  # by thread, end of the frame and function; of what is in line: by its caller and place
        self.returns = {}

    def end(self):
        for point in self.returns.values():
            point.delete()

    def over(self):
        """Forgets what has returned in the selected thread."""
        thread, top = gdb.selected_thread().num, int(gdb.newest_frame().read_register("sp"))
        self.numbers = {key: n for key, n in self.numbers.items() if key[0] != thread or key[1] > top}

    def frames(self):
        """The program's frames of the selected thread, outermost first, each with its function's line; none where one
        is not known."""
        self.over()
        frame, found = gdb.newest_frame(), []
        while frame is not None and len(found) < DEPTH:
            place = frame.find_sal()
            own = place.symtab is not None and place.symtab.filename.rpartition("/")[2] == self.file
            if own and frame.function() is not None:
                found.append((frame, place.line))
            elif place.symtab is None:
                break
            frame = frame.older()
        result, around = [], (gdb.selected_thread().num, 0)
        for frame, line in reversed(found):
            inline = frame.type() == gdb.INLINE_FRAME
            if not inline:
                end = self.ends(frame)
                if end is None:
                    return []
                around = (gdb.selected_thread().num, end, frame.name())
            else:
                around = (*around, frame.function().symtab.filename, place_of(frame))
            number, declared = self.number(around), frame.function().line
            entry = {"name": frame.name(), "line": line, "declared": declared, "number": number, "inline": inline}
            result.append(entry)
        return result

    def number(self, key):
        if key not in self.numbers:
            self.given += 1
            self.numbers[key] = self.given
        return self.numbers[key]

    def ends(self, frame):
        """Where a frame that is not in line ends: its caller's top."""
        older = frame.older()
        if older is None:
            return None
        if older.pc() not in self.returns:
            self.returns[older.pc()] = Return(self, older.pc())
        return int(older.read_register("sp"))


def place_of(frame):
    """The place of what is in line: where its code begins."""
    block = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    return block.start if block is not None else 0
