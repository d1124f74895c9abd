/* Reads the stack of values of a frame where the bytecode proves that a value exists. A `with` statement
 * keeps the bound method __exit__ there, from the return of __enter__() to the call of __exit__(); an `async
 * with` statement keeps __aexit__ from the end of the coroutine of __aenter__() on. The live
 * depth of the stack is in no member of the frame, and values above it are stale: so the depth is taken from
 * what an exception would do. Source: Python/compile.c (compiler_with), Python/ceval.c, Python/bytecodes.c,
 * Objects/frameobject.c (PyFrame_BlockSetup), Include/cpython/frameobject.h (PyTryBlock) of CPython 3.9 to
 * 3.15. */
#include "stacks/cpython/locks/with_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/exception_table.h"
#include "stacks/cpython/object.h"

enum {
    MAX_TABLE = 1 << 20, /* bytes of an exception table */
    MAX_HANDLERS = 128,  /* nested handlers of one frame */
    MAX_CODE = 1 << 20,  /* bytes of bytecode that are searched for the line of a statement */
    MAX_DEPTH = 4096,    /* values of a stack */
    MAX_BLOCKS = 20,     /* CO_MAXBLOCKS, <= 3.10 */
    BLOCK = 12,          /* PyTryBlock {int b_type, b_handler, b_level} */
    SETUP_FINALLY = 122, /* 3.9, 3.10 */
    SETUP_WITH = 143,
    SETUP_ASYNC_WITH = 154,
    EXTENDED_ARG = 144,
    WITH_EXCEPT_START = 49, /* 3.11, 3.12 */
    WITH_EXCEPT_START_3_13 = 44,
    WITH_EXCEPT_START_3_14 = 43,
    WITH_EXCEPT_START_3_15 = 41,
    METHOD_SELF = 24,       /* PyCFunctionObject.m_self, PyMethodObject.im_self */
    STACK_REFERENCE_TAG = 3 /* pycore_stackref.h 3.14: Py_TAG_BITS; all bits set: no reference */
};

typedef struct with_search {
    js_python *python;
    const js_python_frame *frame;
    const js_python_code *code;
    uint64_t stack; /* address of its first value */
    js_with_block *out;
    size_t room, count;
} with_search;

/* ---- the values ---- */

static int read_value(const with_search *self, uint64_t index, uint64_t *out)
{
    int status = js_memory_read_word(&self->python->memory, self->stack + index * 8, out);
    if (status == JS_OK && self->python->offsets.version >= JS_PYTHON_3_14) {
        *out =
            (*out & STACK_REFERENCE_TAG) == STACK_REFERENCE_TAG ? 0 : *out & ~(uint64_t)STACK_REFERENCE_TAG;
    }
    return status;
}

/* Find the object that a bound method is of; *out 0: the value is no bound method. */
static int find_bound(const with_search *self, uint64_t method, uint64_t *out)
{
    js_python_object object;
    int status = js_object_read(self->python->bytes, method, &object);
    bool is_bound = status == JS_OK && (strcmp(object.class_name, "builtin_function_or_method") == 0 ||
                                        strcmp(object.class_name, "builtin_method") == 0 ||
                                        strcmp(object.class_name, "method") == 0);
    *out = 0;
    return is_bound ? js_memory_read_word(&self->python->memory, js_object_member(&object, METHOD_SELF), out)
                    : status;
}

/* Add the statement whose __exit__ is the topmost of `depth` values. Since 3.14 these are two values: a
 * function and the object that it is called for, or a bound method and nothing. */
static int add(with_search *self, uint64_t depth, int32_t line)
{
    bool is_pair = self->python->offsets.version >= JS_PYTHON_3_14;
    uint64_t value, manager = 0;
    if (depth < 1u + is_pair || depth > MAX_DEPTH) {
        return JS_EBAD;
    }
    int status = read_value(self, depth - 1, &value);
    if (status == JS_OK && is_pair && value) {
        manager = value;
    } else {
        status = status || !is_pair ? status : read_value(self, depth - 2, &value);
        status = status ? status : find_bound(self, value, &manager);
    }
    if (status || !manager) {
        return status;
    }
    if (self->count == self->room) {
        return JS_ELIMIT;
    }
    js_with_block *block = &self->out[self->count++];
    block->line = line;
    return js_object_read(self->python->bytes, manager, &block->manager);
}

/* ---- since 3.11: the exception table ---- */

/* True if the handler at `target` is that of a `with` statement: it begins with PUSH_EXC_INFO, which tracing
 * may have replaced, and WITH_EXCEPT_START. */
static bool is_with(const with_search *self, uint64_t target)
{
    uint32_t version = self->python->offsets.version;
    uint8_t opcode, wanted = version >= JS_PYTHON_3_15   ? WITH_EXCEPT_START_3_15
                             : version == JS_PYTHON_3_14 ? WITH_EXCEPT_START_3_14
                             : version == JS_PYTHON_3_13 ? WITH_EXCEPT_START_3_13
                                                         : WITH_EXCEPT_START;
    return target + 4 <= self->code->size &&
           js_memory_read(&self->python->memory, self->code->start + target + 2, &opcode, 1) == JS_OK &&
           opcode == wanted;
}

/* Follow the handlers outward: each is in the range of the one that its own exceptions go to. */
static int follow_handlers(with_search *self, const uint8_t *table, size_t size)
{
    uint64_t offset = self->frame->instruction - self->code->start;
    js_exception_entry entry;
    unsigned steps = 0;
    while (js_exception_entry_find(table, size, offset, &entry)) {
        if (steps++ == MAX_HANDLERS || entry.target >= self->code->size) {
            return JS_EBAD;
        }
        if (is_with(self, entry.target)) {
            int status = add(self, entry.depth, js_lines_find(&self->code->lines, entry.target));
            if (status) {
                return status;
            }
        }
        offset = entry.target;
    }
    return JS_OK;
}

static int find_by_table(with_search *self)
{
    const js_python_slots *slots;
    uint8_t *table;
    size_t size;
    uint64_t address;
    js_python *python = self->python;
    if (self->frame->instruction < self->code->start ||
        self->frame->instruction - self->code->start >= self->code->size) {
        return JS_OK; /* before the first instruction */
    }
    int status =
        js_memory_read_word(&python->memory, self->frame->code + python->offsets.code_exceptions, &address);
    status = status
                 ? status
                 : js_python_read_bytes(&python->memory, &python->offsets, address, MAX_TABLE, &table, &size);
    if (status || !size) {
        if (status == JS_OK) {
            free(table);
        }
        return status;
    }
    status = js_python_find_slots(python, self->frame->code, &slots);
    if (status == JS_OK) {
        self->stack = self->frame->address + python->offsets.frame_slots + 8 * (uint64_t)slots->places;
        status = js_python_find_code(python, self->frame->code, &self->code);
        status = status ? status : follow_handlers(self, table, size);
    }
    free(table);
    return status;
}

/* ---- up to 3.10: the blocks of the frame ---- */

/* Find the line of the SETUP_WITH or SETUP_ASYNC_WITH whose handler this is. False: the handler is of no
 * `with`. Offsets are in bytes in 3.9 and in code units in 3.10. */
static bool find_setup(const with_search *self, const uint8_t *code, size_t size, uint64_t handler,
                       int32_t *line)
{
    uint64_t unit = self->python->offsets.version == JS_PYTHON_3_10 ? 2 : 1, argument = 0;
    for (size_t at = 0; at + 2 <= size; at += 2) {
        argument = argument << 8 | code[at + 1];
        if (code[at] == EXTENDED_ARG) {
            continue;
        }
        bool is_setup = code[at] == SETUP_WITH || code[at] == SETUP_ASYNC_WITH;
        if (is_setup && at + 2 + argument * unit == handler * unit) {
            *line = js_lines_find(&self->code->lines, at);
            return true;
        }
        argument = 0;
    }
    return false;
}

static int find_by_blocks(with_search *self)
{
    js_python *python = self->python;
    uint64_t bytecode, at = self->frame->address;
    uint8_t *code;
    size_t size;
    int32_t count, block[3], line;
    int status = js_memory_read_int(&python->memory, at + python->offsets.frame_block_count, &count);
    if (status || count <= 0) {
        return status;
    }
    status = js_memory_read_word(&python->memory, at + python->offsets.frame_stack, &self->stack);
    status = status ? status
                    : js_memory_read_word(&python->memory, self->frame->code + python->offsets.code_code,
                                          &bytecode);
    status = status ? status
             : count > MAX_BLOCKS
                 ? JS_EBAD
                 : js_python_read_bytes(&python->memory, &python->offsets, bytecode, MAX_CODE, &code, &size);
    if (status) {
        return status;
    }
    while (count-- > 0 && status == JS_OK) {
        status = js_memory_read(&python->memory, at + python->offsets.frame_blocks + (uint64_t)count * BLOCK,
                                block, BLOCK);
        if (status == JS_OK && block[0] == SETUP_FINALLY && block[1] >= 0 && block[2] >= 0 &&
            find_setup(self, code, size, (uint64_t)block[1], &line)) {
            status = add(self, (uint64_t)block[2], line);
        }
    }
    free(code);
    return status;
}

int js_with_blocks_find(js_python *python, const js_python_frame *frame, js_with_block *out, size_t room,
                        size_t *count)
{
    with_search self = {.python = python, .frame = frame, .out = out, .room = room};
    *count = 0;
    int status = js_python_find_code(python, frame->code, &self.code);
    if (status == JS_OK) {
        status = python->offsets.version >= JS_PYTHON_3_11 ? find_by_table(&self) : find_by_blocks(&self);
    }
    *count = status ? 0 : self.count;
    return status;
}
