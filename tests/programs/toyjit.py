"""Another JIT beside Numba: LLVM code that is not Numba's, with its own debug information for toy.lang."""

import ctypes
import os
import signal

import llvmlite.binding as llvm
from numba import njit

TOY = """
define i64 @toy_add(i64 %a, i64 %b) !dbg !4 {
  %c = add i64 %a, %b, !dbg !10
  ret i64 %c, !dbg !11
}
define i64 @toy_twice(i64 %a) !dbg !12 {
  %c = call i64 @toy_add(i64 %a, i64 %a), !dbg !13
  ret i64 %c, !dbg !14
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "toy", isOptimized: false, \
emissionKind: FullDebug, enums: !5)
!1 = !DIFile(filename: "toy.lang", directory: "/toy")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "toy_add", scope: !1, file: !1, line: 3, type: !6, scopeLine: 3, \
spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!5 = !{}
!6 = !DISubroutineType(types: !7)
!7 = !{!8, !8, !8}
!8 = !DIBasicType(name: "toy_int", size: 64, encoding: DW_ATE_signed)
!10 = !DILocation(line: 4, column: 1, scope: !4)
!11 = !DILocation(line: 5, column: 1, scope: !4)
!12 = distinct !DISubprogram(name: "toy_twice", scope: !1, file: !1, line: 8, type: !6, scopeLine: 8, \
spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!13 = !DILocation(line: 9, column: 1, scope: !12)
!14 = !DILocation(line: 10, column: 1, scope: !12)
"""


@njit(debug=True)
def foo(a):
    b = a + 1
    return b  # at: foo


def compiled():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(TOY), machine)
    engine.finalize_object()
    return engine


foo(1)
engine = compiled()
twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("toy_twice"))
print(twice(foo(20)), flush=True)
engine.close()
os.kill(os.getpid(), signal.SIGUSR1)
print(foo(5), flush=True)
