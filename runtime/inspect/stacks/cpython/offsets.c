/* The offsets of each minor version. They were made by compiling tests/oracle/python_stacks/offsets_print.c
 * against the headers of CPython 3.9.18, 3.10.13, 3.11.7, 3.12.1, 3.13.0, 3.14.10, 3.15.0, and with
 * Py_GIL_DISABLED of 3.13.5, 3.14.8 (Include/cpython/{code,pystate,frameobject,unicodeobject}.h,
 * Include/internal/pycore_{interp,runtime,gil,frame}.h); tests/oracle/test_python_stacks.py does so again for
 * every interpreter of the machine. */
#include "stacks/cpython/offsets.h"

#include <stddef.h>

static const js_python_offsets rows[] = {
    {
        /* CPython 3.9.18, x86-64 */
        .version = 0x309,      .interpreters_head = 32, .interp_next = 0,         .interp_id = 24,
        .interp_threads = 8,   .interp_runtime = 16,    .interp_gil = 0,          .runtime_gil = 352,
        .gil_locked = 16,      .gil_holder = 8,         .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,   .thread_id = 256,        .thread_pthread = 176,    .thread_native = 0,
        .thread_frame = 24,    .thread_root_cframe = 0, .cframe_current = 0,      .cframe_previous = 0,
        .frame_size = 368,     .frame_previous = 24,    .frame_code = 32,         .frame_instruction = 104,
        .frame_owner = 0,      .frame_is_entry = 0,     .code_size = 176,         .code_filename = 104,
        .code_name = 112,      .code_firstlineno = 40,  .code_linetable = 120,    .code_qualname = 0,
        .code_code = 48,       .object_type = 8,        .object_size = 16,        .type_name = 24,
        .type_members = 240,   .bytes_data = 32,        .str_length = 16,         .str_state = 32,
        .str_ascii = 48,       .str_compact = 72,       .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,    .member_size = 40,       .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 56,    .frame_globals = 48,     .frame_slots = 360,       .code_flags = 36,
        .code_arguments = 16,  .code_keywords = 24,     .code_slot_names = 72,    .code_slot_kinds = 0,
        .code_cell_names = 88, .code_free_names = 80,   .code_first_traced = 0,   .code_names = 64,
        .code_exceptions = 0,  .frame_stack = 64,       .frame_block_count = 112, .frame_blocks = 120,
    },
    {
        /* CPython 3.10.13, x86-64 */
        .version = 0x30a,      .interpreters_head = 32, .interp_next = 0,         .interp_id = 24,
        .interp_threads = 8,   .interp_runtime = 16,    .interp_gil = 0,          .runtime_gil = 352,
        .gil_locked = 16,      .gil_holder = 8,         .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,   .thread_id = 256,        .thread_pthread = 176,    .thread_native = 0,
        .thread_frame = 24,    .thread_root_cframe = 0, .cframe_current = 0,      .cframe_previous = 0,
        .frame_size = 360,     .frame_previous = 24,    .frame_code = 32,         .frame_instruction = 96,
        .frame_owner = 0,      .frame_is_entry = 0,     .code_size = 176,         .code_filename = 104,
        .code_name = 112,      .code_firstlineno = 40,  .code_linetable = 120,    .code_qualname = 0,
        .code_code = 48,       .object_type = 8,        .object_size = 16,        .type_name = 24,
        .type_members = 240,   .bytes_data = 32,        .str_length = 16,         .str_state = 32,
        .str_ascii = 48,       .str_compact = 72,       .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,    .member_size = 40,       .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 56,    .frame_globals = 48,     .frame_slots = 352,       .code_flags = 36,
        .code_arguments = 16,  .code_keywords = 24,     .code_slot_names = 72,    .code_slot_kinds = 0,
        .code_cell_names = 88, .code_free_names = 80,   .code_first_traced = 0,   .code_names = 64,
        .code_exceptions = 0,  .frame_stack = 64,       .frame_block_count = 104, .frame_blocks = 112,
    },
    {
        /* CPython 3.11.7, x86-64 */
        .version = 0x30b,      .interpreters_head = 40,   .interp_next = 0,         .interp_id = 48,
        .interp_threads = 16,  .interp_runtime = 40,      .interp_gil = 0,          .runtime_gil = 360,
        .gil_locked = 16,      .gil_holder = 8,           .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,   .thread_id = 240,          .thread_pthread = 152,    .thread_native = 160,
        .thread_frame = 56,    .thread_root_cframe = 336, .cframe_current = 8,      .cframe_previous = 16,
        .frame_size = 72,      .frame_previous = 48,      .frame_code = 32,         .frame_instruction = 56,
        .frame_owner = 69,     .frame_is_entry = 68,      .code_size = 192,         .code_filename = 112,
        .code_name = 120,      .code_firstlineno = 72,    .code_linetable = 136,    .code_qualname = 128,
        .code_code = 184,      .object_type = 8,          .object_size = 16,        .type_name = 24,
        .type_members = 240,   .bytes_data = 32,          .str_length = 16,         .str_state = 32,
        .str_ascii = 48,       .str_compact = 72,         .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,    .member_size = 40,         .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 24,    .frame_globals = 8,        .frame_slots = 72,        .code_flags = 48,
        .code_arguments = 56,  .code_keywords = 64,       .code_slot_names = 96,    .code_slot_kinds = 104,
        .code_cell_names = 0,  .code_free_names = 0,      .code_first_traced = 168, .code_names = 32,
        .code_exceptions = 40, .frame_stack = 0,          .frame_block_count = 0,   .frame_blocks = 0,
    },
    {
        /* CPython 3.12.1, x86-64 */
        .version = 0x30c,      .interpreters_head = 40,   .interp_next = 0,         .interp_id = 8,
        .interp_threads = 72,  .interp_runtime = 0,       .interp_gil = 384,        .runtime_gil = 0,
        .gil_locked = 16,      .gil_holder = 8,           .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,   .thread_id = 224,          .thread_pthread = 136,    .thread_native = 144,
        .thread_frame = 56,    .thread_root_cframe = 272, .cframe_current = 0,      .cframe_previous = 8,
        .frame_size = 72,      .frame_previous = 8,       .frame_code = 0,          .frame_instruction = 56,
        .frame_owner = 70,     .frame_is_entry = 0,       .code_size = 200,         .code_filename = 112,
        .code_name = 120,      .code_firstlineno = 68,    .code_linetable = 136,    .code_qualname = 128,
        .code_code = 192,      .object_type = 8,          .object_size = 16,        .type_name = 24,
        .type_members = 240,   .bytes_data = 32,          .str_length = 16,         .str_state = 32,
        .str_ascii = 40,       .str_compact = 56,         .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,    .member_size = 40,         .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 40,    .frame_globals = 24,       .frame_slots = 72,        .code_flags = 48,
        .code_arguments = 52,  .code_keywords = 60,       .code_slot_names = 96,    .code_slot_kinds = 104,
        .code_cell_names = 0,  .code_free_names = 0,      .code_first_traced = 176, .code_names = 32,
        .code_exceptions = 40, .frame_stack = 0,          .frame_block_count = 0,   .frame_blocks = 0,
    },
    {
        /* CPython 3.13.0, x86-64 */
        .version = 0x30d,       .interpreters_head = 632, .interp_next = 7264,      .interp_id = 7272,
        .interp_threads = 7344, .interp_runtime = 0,      .interp_gil = 16,         .runtime_gil = 0,
        .gil_locked = 16,       .gil_holder = 8,          .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,    .thread_id = 224,         .thread_pthread = 152,    .thread_native = 160,
        .thread_frame = 72,     .thread_root_cframe = 0,  .cframe_current = 0,      .cframe_previous = 0,
        .frame_size = 72,       .frame_previous = 8,      .frame_code = 0,          .frame_instruction = 56,
        .frame_owner = 70,      .frame_is_entry = 0,      .code_size = 208,         .code_filename = 112,
        .code_name = 120,       .code_firstlineno = 68,   .code_linetable = 136,    .code_qualname = 128,
        .code_code = 200,       .object_type = 8,         .object_size = 16,        .type_name = 24,
        .type_members = 240,    .bytes_data = 32,         .str_length = 16,         .str_state = 32,
        .str_ascii = 40,        .str_compact = 56,        .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,     .member_size = 40,        .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 40,     .frame_globals = 24,      .frame_slots = 72,        .code_flags = 48,
        .code_arguments = 52,   .code_keywords = 60,      .code_slot_names = 96,    .code_slot_kinds = 104,
        .code_cell_names = 0,   .code_free_names = 0,     .code_first_traced = 184, .code_names = 32,
        .code_exceptions = 40,  .frame_stack = 0,         .frame_block_count = 0,   .frame_blocks = 0,
    },
    {
        /* CPython 3.14.10, x86-64 */
        .version = 0x30e,       .interpreters_head = 808, .interp_next = 7272,      .interp_id = 7280,
        .interp_threads = 7344, .interp_runtime = 0,      .interp_gil = 16,         .runtime_gil = 0,
        .gil_locked = 16,       .gil_holder = 8,          .thread_prev = 0,         .thread_next = 8,
        .thread_interp = 16,    .thread_id = 224,         .thread_pthread = 152,    .thread_native = 160,
        .thread_frame = 72,     .thread_root_cframe = 0,  .cframe_current = 0,      .cframe_previous = 0,
        .frame_size = 80,       .frame_previous = 8,      .frame_code = 0,          .frame_instruction = 56,
        .frame_owner = 74,      .frame_is_entry = 0,      .code_size = 216,         .code_filename = 112,
        .code_name = 120,       .code_firstlineno = 68,   .code_linetable = 136,    .code_qualname = 128,
        .code_code = 208,       .object_type = 8,         .object_size = 16,        .type_name = 24,
        .type_members = 240,    .bytes_data = 32,         .str_length = 16,         .str_state = 32,
        .str_ascii = 40,        .str_compact = 56,        .str_kind_bit = 2,        .str_compact_bit = 5,
        .str_ascii_bit = 6,     .member_size = 40,        .member_offset = 16,      .gil_wait = 32,
        .frame_locals = 40,     .frame_globals = 24,      .frame_slots = 80,        .code_flags = 48,
        .code_arguments = 52,   .code_keywords = 60,      .code_slot_names = 96,    .code_slot_kinds = 104,
        .code_cell_names = 0,   .code_free_names = 0,     .code_first_traced = 192, .code_names = 32,
        .code_exceptions = 40,  .frame_stack = 0,         .frame_block_count = 0,   .frame_blocks = 0,
    },
    {
        /* CPython 3.15.0, x86-64 */
        .version = 0x30f,         .interpreters_head = 936, .interp_next = 7264,     .interp_id = 7272,
        .interp_threads = 7336,   .interp_runtime = 0,      .interp_gil = 16,        .runtime_gil = 0,
        .gil_locked = 16,         .gil_holder = 8,          .gil_wait = 32,          .thread_prev = 0,
        .thread_next = 8,         .thread_interp = 16,      .thread_id = 248,        .thread_pthread = 176,
        .thread_native = 184,     .thread_frame = 72,       .thread_root_cframe = 0, .cframe_current = 0,
        .cframe_previous = 0,     .frame_size = 80,         .frame_previous = 8,     .frame_code = 0,
        .frame_instruction = 56,  .frame_owner = 74,        .frame_is_entry = 0,     .frame_locals = 40,
        .frame_globals = 24,      .frame_slots = 80,        .code_size = 216,        .code_filename = 112,
        .code_name = 120,         .code_firstlineno = 68,   .code_linetable = 136,   .code_qualname = 128,
        .code_code = 208,         .code_flags = 48,         .code_arguments = 52,    .code_keywords = 60,
        .code_slot_names = 96,    .code_slot_kinds = 104,   .code_cell_names = 0,    .code_free_names = 0,
        .code_first_traced = 192, .code_names = 32,         .code_exceptions = 40,   .frame_stack = 0,
        .frame_block_count = 0,   .frame_blocks = 0,        .object_type = 8,        .object_size = 16,
        .type_name = 24,          .type_members = 240,      .bytes_data = 32,        .str_length = 16,
        .str_state = 32,          .str_ascii = 40,          .str_compact = 56,       .str_kind_bit = 2,
        .str_compact_bit = 5,     .str_ascii_bit = 6,       .member_size = 40,       .member_offset = 16,
    },
    {
        /* CPython 3.13.5, x86-64, free-threaded */
        .version = 0x30d,         .interpreters_head = 632, .interp_next = 7264,     .interp_id = 7272,
        .interp_threads = 7344,   .interp_runtime = 0,      .interp_gil = 16,        .runtime_gil = 0,
        .gil_locked = 24,         .gil_holder = 16,         .gil_wait = 40,          .thread_prev = 0,
        .thread_next = 8,         .thread_interp = 16,      .thread_id = 224,        .thread_pthread = 152,
        .thread_native = 160,     .thread_frame = 72,       .thread_root_cframe = 0, .cframe_current = 0,
        .cframe_previous = 0,     .frame_size = 72,         .frame_previous = 8,     .frame_code = 0,
        .frame_instruction = 56,  .frame_owner = 70,        .frame_is_entry = 0,     .frame_locals = 40,
        .frame_globals = 24,      .frame_slots = 72,        .code_size = 224,        .code_filename = 128,
        .code_name = 136,         .code_firstlineno = 84,   .code_linetable = 152,   .code_qualname = 144,
        .code_code = 216,         .code_flags = 64,         .code_arguments = 68,    .code_keywords = 76,
        .code_slot_names = 112,   .code_slot_kinds = 120,   .code_cell_names = 0,    .code_free_names = 0,
        .code_first_traced = 200, .code_names = 48,         .code_exceptions = 56,   .frame_stack = 0,
        .frame_block_count = 0,   .frame_blocks = 0,        .object_type = 24,       .object_size = 32,
        .type_name = 40,          .type_members = 256,      .bytes_data = 48,        .str_length = 32,
        .str_state = 48,          .str_ascii = 56,          .str_compact = 72,       .str_kind_bit = 2,
        .str_compact_bit = 5,     .str_ascii_bit = 6,       .member_size = 40,       .member_offset = 16,
        .free_threaded = 1,       .gil_enabled = 0,         .frame_copy = 0,         .code_copies = 0,
    },
    {
        /* CPython 3.14.8, x86-64, free-threaded */
        .version = 0x30e,         .interpreters_head = 808, .interp_next = 7272,     .interp_id = 7280,
        .interp_threads = 7344,   .interp_runtime = 0,      .interp_gil = 16,        .runtime_gil = 0,
        .gil_locked = 24,         .gil_holder = 16,         .gil_wait = 40,          .thread_prev = 0,
        .thread_next = 8,         .thread_interp = 16,      .thread_id = 224,        .thread_pthread = 152,
        .thread_native = 160,     .thread_frame = 72,       .thread_root_cframe = 0, .cframe_current = 0,
        .cframe_previous = 0,     .frame_size = 80,         .frame_previous = 8,     .frame_code = 0,
        .frame_instruction = 56,  .frame_owner = 78,        .frame_is_entry = 0,     .frame_locals = 40,
        .frame_globals = 24,      .frame_slots = 80,        .code_size = 240,        .code_filename = 128,
        .code_name = 136,         .code_firstlineno = 84,   .code_linetable = 152,   .code_qualname = 144,
        .code_code = 232,         .code_flags = 64,         .code_arguments = 68,    .code_keywords = 76,
        .code_slot_names = 112,   .code_slot_kinds = 120,   .code_cell_names = 0,    .code_free_names = 0,
        .code_first_traced = 208, .code_names = 48,         .code_exceptions = 56,   .frame_stack = 0,
        .frame_block_count = 0,   .frame_blocks = 0,        .object_type = 24,       .object_size = 32,
        .type_name = 40,          .type_members = 256,      .bytes_data = 48,        .str_length = 32,
        .str_state = 48,          .str_ascii = 56,          .str_compact = 72,       .str_kind_bit = 8,
        .str_compact_bit = 11,    .str_ascii_bit = 12,      .member_size = 40,       .member_offset = 16,
        .free_threaded = 1,       .gil_enabled = 0,         .frame_copy = 72,        .code_copies = 224,
    },
};

const js_python_offsets *js_python_offsets_of(uint32_t minor, bool is_free_threaded)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].version == minor && rows[i].free_threaded == is_free_threaded) {
            return &rows[i];
        }
    }
    return NULL;
}
