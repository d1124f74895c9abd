"""Write runtime/inspect/values/text/unprintable.h to standard output: the characters from U+0080 on that
str.isprintable refuses."""

from __future__ import annotations

import unicodedata


def ranges() -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for code in range(0x80, 0x110000):
        if not chr(code).isprintable():
            if found and found[-1][1] == code - 1:
                found[-1] = (found[-1][0], code)
            else:
                found.append((code, code))
    return found


def main() -> None:
    lines, line = [], "   "
    for first, last in ranges():
        text = f" {{{first:#x}, {last:#x}}},"
        if len(line) + len(text) > 108:
            lines.append(line)
            line = "   "
        line += text
    print(
        "/* Code points from 0x80 that Python's str.isprintable refuses, as first and last; Unicode "
        f"{unicodedata.unidata_version}, made by\n * tests/oracle/make_unprintable.py. */"
    )
    print("/* clang-format off */\nstatic const uint32_t unprintable[][2] = {")
    print("\n".join([*lines, line]))
    print("};\n/* clang-format on */")


if __name__ == "__main__":
    main()
