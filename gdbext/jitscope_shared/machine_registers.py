"""The registers of the machines that compiled code runs on, by their DWARF numbers."""

from __future__ import annotations

# System V ABI x86-64 psABI 1.0, figure 3.36; AArch64 DWARF (aadwarf64), table 4.1.
X86_64 = dict(
    enumerate(
        ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"]
        + [f"r{n}" for n in range(8, 16)]
        + ["rip"]
        + [f"xmm{n}" for n in range(16)]
    )
)
AARCH64 = {
    **{n: f"x{n}" for n in range(31)},
    31: "sp",
    **{64 + n: f"v{n}" for n in range(32)},
}
# Registers that a callee restores; a caller's other registers may hold the callee's values.
PRESERVED = {
    "x86-64": {"rbx", "rbp", "rsp", "r12", "r13", "r14", "r15", "rip"},
    "aarch64": {f"x{n}" for n in range(19, 30)} | {"sp"},
}
