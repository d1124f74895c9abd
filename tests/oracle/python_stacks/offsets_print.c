/* Prints the JSON of struct js_python_offsets for the CPython it is compiled against; no part of the library.
 * The oracle tests compile it against every interpreter's headers and compare with offsets.c:
 *   cc -I$(python3.X -c 'import sysconfig; print(sysconfig.get_path("include"))') offsets_print.c */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <frameobject.h>
#include <structmember.h>

#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#if PY_VERSION_HEX >= 0x030b0000
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#else
#include <internal/pycore_pystate.h>
#endif
#if PY_VERSION_HEX >= 0x030e0000
#include <internal/pycore_interpframe.h>
#endif
#include <stddef.h>
#include <stdio.h>

#define SHOW(name, value) printf("%s\"%s\": %zu", first++ ? ", " : "", name, (size_t)(value))

int main(void)
{
    int first = 0;
    printf("{");
    SHOW("version", PY_VERSION_HEX >> 16);
#ifdef Py_GIL_DISABLED
    SHOW("free_threaded", 1);
    SHOW("gil_enabled", offsetof(struct _gil_runtime_state, enabled));
#else
    SHOW("free_threaded", 0);
    SHOW("gil_enabled", 0);
#endif
#if defined Py_GIL_DISABLED && PY_VERSION_HEX >= 0x030e0000
    SHOW("frame_copy", offsetof(_PyInterpreterFrame, tlbc_index));
    SHOW("code_copies", offsetof(PyCodeObject, co_tlbc));
#else
    SHOW("frame_copy", 0);
    SHOW("code_copies", 0);
#endif
    SHOW("interpreters_head", offsetof(_PyRuntimeState, interpreters.head));
    SHOW("interp_next", offsetof(PyInterpreterState, next));
    SHOW("interp_id", offsetof(PyInterpreterState, id));
#if PY_VERSION_HEX < 0x030b0000
    SHOW("interp_threads", offsetof(PyInterpreterState, tstate_head));
#else
    SHOW("interp_threads", offsetof(PyInterpreterState, threads.head));
#endif
#if PY_VERSION_HEX < 0x030c0000
    SHOW("interp_runtime", offsetof(PyInterpreterState, runtime));
    SHOW("interp_gil", 0);
    SHOW("runtime_gil", offsetof(_PyRuntimeState, ceval.gil));
#else
    SHOW("interp_runtime", 0);
    SHOW("interp_gil", offsetof(PyInterpreterState, ceval.gil));
    SHOW("runtime_gil", 0);
#endif
    SHOW("gil_locked", offsetof(struct _gil_runtime_state, locked));
    SHOW("gil_holder", offsetof(struct _gil_runtime_state, last_holder));
    SHOW("gil_wait", offsetof(struct _gil_runtime_state, cond));

    SHOW("thread_prev", offsetof(PyThreadState, prev));
    SHOW("thread_next", offsetof(PyThreadState, next));
    SHOW("thread_interp", offsetof(PyThreadState, interp));
    SHOW("thread_id", offsetof(PyThreadState, id));
    SHOW("thread_pthread", offsetof(PyThreadState, thread_id));
#if PY_VERSION_HEX >= 0x030b0000
    SHOW("thread_native", offsetof(PyThreadState, native_thread_id));
#else
    SHOW("thread_native", 0);
#endif
#if PY_VERSION_HEX < 0x030b0000
    SHOW("thread_frame", offsetof(PyThreadState, frame));
    SHOW("thread_root_cframe", 0);
    SHOW("cframe_current", 0);
    SHOW("cframe_previous", 0);
    SHOW("frame_size", sizeof(PyFrameObject));
    SHOW("frame_previous", offsetof(PyFrameObject, f_back));
    SHOW("frame_code", offsetof(PyFrameObject, f_code));
    SHOW("frame_instruction", offsetof(PyFrameObject, f_lasti));
    SHOW("frame_owner", 0);
    SHOW("frame_is_entry", 0);
    SHOW("frame_locals", offsetof(PyFrameObject, f_locals));
    SHOW("frame_globals", offsetof(PyFrameObject, f_globals));
    SHOW("frame_slots", offsetof(PyFrameObject, f_localsplus));
#else
#if PY_VERSION_HEX < 0x030d0000
    SHOW("thread_frame", offsetof(PyThreadState, cframe));
    SHOW("thread_root_cframe", offsetof(PyThreadState, root_cframe));
    SHOW("cframe_current", offsetof(_PyCFrame, current_frame));
    SHOW("cframe_previous", offsetof(_PyCFrame, previous));
#else
    SHOW("thread_frame", offsetof(PyThreadState, current_frame));
    SHOW("thread_root_cframe", 0);
    SHOW("cframe_current", 0);
    SHOW("cframe_previous", 0);
#endif
    SHOW("frame_size", offsetof(_PyInterpreterFrame, localsplus));
    SHOW("frame_previous", offsetof(_PyInterpreterFrame, previous));
#if PY_VERSION_HEX < 0x030d0000
    SHOW("frame_code", offsetof(_PyInterpreterFrame, f_code));
    SHOW("frame_instruction", offsetof(_PyInterpreterFrame, prev_instr));
#else
    SHOW("frame_code", offsetof(_PyInterpreterFrame, f_executable));
    SHOW("frame_instruction", offsetof(_PyInterpreterFrame, instr_ptr));
#endif
    SHOW("frame_owner", offsetof(_PyInterpreterFrame, owner));
#if PY_VERSION_HEX < 0x030c0000
    SHOW("frame_is_entry", offsetof(_PyInterpreterFrame, is_entry));
#else
    SHOW("frame_is_entry", 0);
#endif
    SHOW("frame_locals", offsetof(_PyInterpreterFrame, f_locals));
    SHOW("frame_globals", offsetof(_PyInterpreterFrame, f_globals));
    SHOW("frame_slots", offsetof(_PyInterpreterFrame, localsplus));
#endif

    SHOW("code_size", sizeof(PyCodeObject));
    SHOW("code_filename", offsetof(PyCodeObject, co_filename));
    SHOW("code_name", offsetof(PyCodeObject, co_name));
    SHOW("code_firstlineno", offsetof(PyCodeObject, co_firstlineno));
#if PY_VERSION_HEX < 0x030a0000
    SHOW("code_linetable", offsetof(PyCodeObject, co_lnotab));
#else
    SHOW("code_linetable", offsetof(PyCodeObject, co_linetable));
#endif
#if PY_VERSION_HEX < 0x030b0000
    SHOW("code_qualname", 0);
    SHOW("code_code", offsetof(PyCodeObject, co_code));
#else
    SHOW("code_qualname", offsetof(PyCodeObject, co_qualname));
    SHOW("code_code", offsetof(PyCodeObject, co_code_adaptive));
#endif
    SHOW("code_flags", offsetof(PyCodeObject, co_flags));
    SHOW("code_arguments", offsetof(PyCodeObject, co_argcount));
    SHOW("code_keywords", offsetof(PyCodeObject, co_kwonlyargcount));
#if PY_VERSION_HEX < 0x030b0000
    SHOW("code_slot_names", offsetof(PyCodeObject, co_varnames));
    SHOW("code_slot_kinds", 0);
    SHOW("code_cell_names", offsetof(PyCodeObject, co_cellvars));
    SHOW("code_free_names", offsetof(PyCodeObject, co_freevars));
    SHOW("code_first_traced", 0);
#else
    SHOW("code_slot_names", offsetof(PyCodeObject, co_localsplusnames));
    SHOW("code_slot_kinds", offsetof(PyCodeObject, co_localspluskinds));
    SHOW("code_cell_names", 0);
    SHOW("code_free_names", 0);
    SHOW("code_first_traced", offsetof(PyCodeObject, _co_firsttraceable));
#endif

    SHOW("code_names", offsetof(PyCodeObject, co_names));
#if PY_VERSION_HEX < 0x030b0000
    SHOW("code_exceptions", 0);
    SHOW("frame_stack", offsetof(PyFrameObject, f_valuestack));
    SHOW("frame_block_count", offsetof(PyFrameObject, f_iblock));
    SHOW("frame_blocks", offsetof(PyFrameObject, f_blockstack));
#else
    SHOW("code_exceptions", offsetof(PyCodeObject, co_exceptiontable));
    SHOW("frame_stack", 0);
    SHOW("frame_block_count", 0);
    SHOW("frame_blocks", 0);
#endif

#if PY_VERSION_HEX < 0x030a0000
    SHOW("frame_top", offsetof(PyFrameObject, f_stacktop));
#elif PY_VERSION_HEX < 0x030b0000
    SHOW("frame_top", offsetof(PyFrameObject, f_stackdepth));
#elif PY_VERSION_HEX < 0x030e0000
    SHOW("frame_top", offsetof(_PyInterpreterFrame, stacktop));
#else
    SHOW("frame_top", offsetof(_PyInterpreterFrame, stackpointer));
#endif
#if PY_VERSION_HEX < 0x030b0000
    SHOW("generator_frame", offsetof(PyGenObject, gi_frame));
#else
    SHOW("generator_frame", offsetof(PyGenObject, gi_iframe));
#endif
#if PY_VERSION_HEX < 0x030a0000
    SHOW("frame_state", 0);
    SHOW("generator_state", offsetof(PyGenObject, gi_running));
#elif PY_VERSION_HEX < 0x030b0000
    SHOW("frame_state", offsetof(PyFrameObject, f_state));
    SHOW("generator_state", 0);
#else
    SHOW("frame_state", 0);
    SHOW("generator_state", offsetof(PyGenObject, gi_frame_state));
#endif
    SHOW("interp_gc", offsetof(PyInterpreterState, gc));
    SHOW("generator_name", offsetof(PyGenObject, gi_qualname));
#if PY_VERSION_HEX < 0x030c0000
    SHOW("interp_modules", offsetof(PyInterpreterState, modules));
#else
    SHOW("interp_modules", offsetof(PyInterpreterState, imports.modules));
#endif

    SHOW("object_type", offsetof(PyObject, ob_type));
    SHOW("object_size", offsetof(PyVarObject, ob_size));
    SHOW("type_name", offsetof(PyTypeObject, tp_name));
    SHOW("type_members", offsetof(PyTypeObject, tp_members));
    SHOW("bytes_data", offsetof(PyBytesObject, ob_sval));
    SHOW("str_length", offsetof(PyASCIIObject, length));
    SHOW("str_state", offsetof(PyASCIIObject, state));
    SHOW("str_ascii", sizeof(PyASCIIObject));
    SHOW("str_compact", sizeof(PyCompactUnicodeObject));
    PyASCIIObject kind = {0}, compact = {0}, ascii = {0};
    kind.state.kind = 1;
    compact.state.compact = 1;
    ascii.state.ascii = 1;
    SHOW("str_kind_bit", __builtin_ctz(*(unsigned *)(void *)&kind.state));
    SHOW("str_compact_bit", __builtin_ctz(*(unsigned *)(void *)&compact.state));
    SHOW("str_ascii_bit", __builtin_ctz(*(unsigned *)(void *)&ascii.state));
    SHOW("member_size", sizeof(PyMemberDef));
    SHOW("member_offset", offsetof(PyMemberDef, offset));
    printf("}\n");
    return 0;
}
