"""Runs in GDB, for test_live_names.py: what GDB finds at addresses, as JSON. The addresses are in a file."""

import json

import gdb


def at(address):
    line = gdb.find_pc_line(address)
    block, names = gdb.block_for_pc(address), []
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None:
            names.append(block.function.name)
        block = block.superblock
    return {
        "names": names,
        "line": line.line,
        "file": line.symtab.fullname() if line.symtab else "",
        "symbol": gdb.execute(f"info symbol {address}", to_string=True).strip(),
    }


with open(gdb.convenience_variable("addresses").string()) as stream:
    addresses = json.load(stream)
print(json.dumps([at(address) for address in addresses]))
