/* stacks/cpython/frame.c: an instruction in a thread's copy of the bytecode (3.14, free-threaded) is given as
 * one of the code object's own bytecode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/frame.h"

enum {
    BASE = 0x10000,
    FRAME = BASE,
    CODE = BASE + 0x200,
    ARRAY = BASE + 0x400,
    COPY = BASE + 0x600, /* the bytecode of the second copy; the third one follows it */
    UNITS = 16,
    SIZE = 0x800,
};

typedef struct target {
    uint8_t memory[SIZE];
    js_bytes bytes;
    js_python python;
} target;

static void put(target *t, uint64_t address, uint64_t word)
{
    memcpy(t->memory + (address - BASE), &word, sizeof word);
}

/* Make a frame of code that has `copies` copies; the first one is its own. */
static void set_up(target *t, uint64_t copies)
{
    *t = (target){.python.offsets = *js_python_offsets_of(JS_PYTHON_3_14, true)};
    const js_python_offsets *o = &t->python.offsets;
    put(t, FRAME + o->frame_code, CODE | 1); /* a tagged reference */
    put(t, CODE + o->object_size, UNITS);
    put(t, CODE + o->code_copies, ARRAY);
    put(t, ARRAY, copies);
    put(t, ARRAY + 8, CODE + o->code_code);
    put(t, ARRAY + 16, COPY);
    put(t, ARRAY + 24, 0); /* a thread that has not run the code */
    put(t, ARRAY + 32, COPY + 2 * UNITS);
    js_bytes_init_buffer(&t->bytes, BASE, t->memory, sizeof t->memory);
    t->python.bytes = t->python.memory.bytes = &t->bytes;
}

/* Return the offset in the code object's bytecode, of an instruction that the frame says is in this copy; or
 * the instruction itself if it is not in the bytecode. */
static uint64_t read(target *t, uint64_t instruction, int32_t copy)
{
    const js_python_offsets *o = &t->python.offsets;
    js_python_frame frame;
    put(t, FRAME + o->frame_instruction, instruction);
    memcpy(t->memory + o->frame_copy, &copy, sizeof copy);
    js_memory_reset(&t->python.memory);
    assert_int_equal(js_python_read_frame(&t->python, FRAME, &frame), JS_OK);
    uint64_t offset = frame.instruction - (CODE + o->code_code);
    return offset < (uint64_t)2 * UNITS ? offset : frame.instruction;
}

static void an_instruction_has_its_place_in_the_original(void **state)
{
    static target t;
    (void)state;
    set_up(&t, 4);
    uint64_t own = CODE + t.python.offsets.code_code;
    assert_int_equal(read(&t, own + 6, 0), 6);
    assert_int_equal(read(&t, COPY, 1), 0);
    assert_int_equal(read(&t, COPY + 2 * UNITS - 2, 1), 2 * UNITS - 2);
    assert_int_equal(read(&t, COPY + 2 * UNITS + 4, 3), 4);
}

static void a_frame_may_be_between_two_copies(void **state)
{
    static target t;
    (void)state;
    set_up(&t, 4);
    assert_int_equal(read(&t, COPY + 2 * UNITS + 4, 1), 4);
    assert_int_equal(read(&t, COPY + 8, 0), 8);
    assert_int_equal(read(&t, COPY + 8, -1), 8);
    assert_int_equal(read(&t, COPY + 8, INT32_MAX), 8);
}

static void an_instruction_outside_of_all_copies_is_kept(void **state)
{
    static target t;
    (void)state;
    set_up(&t, 2);
    assert_int_equal(read(&t, COPY + 2 * UNITS + 4, 3), COPY + 2 * UNITS + 4);
    assert_int_equal(read(&t, 0, 1), 0);
    set_up(&t, UINT64_MAX); /* the array ends with the memory */
    assert_int_equal(read(&t, 8, 1), 8);
    put(&t, CODE + t.python.offsets.object_size, UINT64_MAX);
    assert_int_equal(read(&t, COPY, 1), COPY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_has_its_place_in_the_original),
        cmocka_unit_test(a_frame_may_be_between_two_copies),
        cmocka_unit_test(an_instruction_outside_of_all_copies_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
