/* Source: Modules/_asynciomodule.c of CPython 3.9 to 3.15, which no header declares. 3.14 and later have a
 * table of their own, Py_AsyncioModuleDebugOffsets, in the section .AsyncioDebug of the file that has the
 * module. The rows are checked by tests/stacks/tasks/test_random_tasks.py with each interpreter of the
 * machine. */
#include "stacks/cpython/tasks/asyncio_layout.h"

#include <stddef.h>

#include "stacks/cpython/interpreter.h"

enum {
    TYPE_BASICSIZE = 32,
    TYPE_DEALLOC = 48,
    DECLARED = 13,         /* words of the table */
    BEHIND_CODE = 1 << 18, /* bytes behind the code of an extension module in which its data begin */
    AROUND = 1 << 19, /* bytes before and behind _PyRuntime, when the interpreter has the module built in */
    STATE = 1 << 20,  /* most bytes of the structures that the table has offsets of */
};

static const js_asyncio_layout rows[] = {
    {.version = JS_PYTHON_3_9,
     .size = 184,
     .loop = 16,
     .state = 80,
     .waiter = 144,
     .coroutine = 152,
     .name = 160},
    {.version = JS_PYTHON_3_10,
     .size = 192,
     .loop = 16,
     .state = 88,
     .waiter = 152,
     .coroutine = 160,
     .name = 168},
    {.version = JS_PYTHON_3_11,
     .size = 176,
     .loop = 16,
     .state = 88,
     .waiter = 128,
     .coroutine = 136,
     .name = 144},
    {.version = JS_PYTHON_3_12,
     .size = 176,
     .loop = 16,
     .state = 88,
     .waiter = 128,
     .coroutine = 136,
     .name = 144},
    {.version = JS_PYTHON_3_13,
     .size = 144,
     .loop = 16,
     .state = 96,
     .waiter = 112,
     .coroutine = 120,
     .name = 128},
};

/* The table of 3.14 and 3.15, in this order. */
typedef struct declared {
    uint64_t task_size, task_name, task_awaited_by, task_is_task, task_awaited_by_is_set, task_coro,
        task_node;
    uint64_t interpreter_size, interpreter_tasks;
    uint64_t thread_size, thread_running_loop, thread_running_task, thread_tasks;
} declared;

static bool is_table(const declared *table, uint64_t size)
{
    return table->task_size == size && table->task_coro == table->task_name - 8 &&
           table->task_name + 8 <= size && table->task_node + 16 <= size && table->task_node % 8 == 0 &&
           table->task_is_task + 1 == table->task_awaited_by_is_set && table->task_is_task < size &&
           table->task_is_task > 24 && table->interpreter_size < STATE && table->thread_size < STATE &&
           table->interpreter_tasks + 16 <= table->interpreter_size &&
           table->thread_tasks + 16 <= table->thread_size && table->interpreter_tasks % 8 == 0 &&
           table->thread_tasks % 8 == 0 && table->thread_running_task == table->thread_running_loop + 8;
}

/* Search memory for the table. */
static int search(js_python *python, uint64_t start, uint64_t end, uint64_t size, declared *out)
{
    _Static_assert(sizeof *out == DECLARED * sizeof(uint64_t), "the table has no gaps");
    uint64_t words[JS_MEMORY_PAGE / 8];
    for (uint64_t page = start & ~(uint64_t)(JS_MEMORY_PAGE - 1); page < end; page += JS_MEMORY_PAGE) {
        if (js_bytes_read(python->bytes, page, words, sizeof words)) {
            continue;
        }
        for (size_t i = 0; i < JS_MEMORY_PAGE / 8; i++) {
            if (words[i] == size && js_bytes_read(python->bytes, page + i * 8, out, sizeof *out) == JS_OK &&
                is_table(out, size)) {
                return JS_OK;
            }
        }
    }
    return JS_ENOTFOUND;
}

static int find_declared(js_python *python, uint64_t task, uint64_t size, js_asyncio_layout *out)
{
    uint64_t code;
    declared table;
    int status = js_memory_read_word(&python->memory, js_python_member(python, task, TYPE_DEALLOC), &code);
    status = status ? status : search(python, code, code + BEHIND_CODE, size, &table);
    if (status == JS_ENOTFOUND) {
        status = search(python, python->runtime - AROUND, python->runtime + AROUND, size, &table);
    }
    if (status) {
        return status == JS_ENOTFOUND ? JS_EUNSUP : status;
    }
    *out = (js_asyncio_layout){.version = python->offsets.version,
                               .size = (uint32_t)size,
                               .loop = python->offsets.object_size,
                               .state = (uint32_t)table.task_is_task - 4,
                               .waiter = (uint32_t)table.task_coro - 8,
                               .coroutine = (uint32_t)table.task_coro,
                               .name = (uint32_t)table.task_name,
                               .node = (uint32_t)table.task_node,
                               .thread_tasks = (uint32_t)table.thread_tasks,
                               .interpreter_tasks = (uint32_t)table.interpreter_tasks};
    return JS_OK;
}

/* Return the layout in a build where the head of an object is larger. */
static js_asyncio_layout shifted(const js_asyncio_layout *row, uint32_t shift)
{
    js_asyncio_layout layout = *row;
    layout.size += shift;
    layout.loop += shift;
    layout.state += shift;
    layout.waiter += shift;
    layout.coroutine += shift;
    layout.name += shift;
    return layout;
}

int js_asyncio_layout_find(js_python *python, uint64_t task, js_asyncio_layout *out)
{
    uint64_t size;
    uint32_t shift = (uint32_t)js_python_member(python, 0, 0);
    int status = js_memory_read_word(&python->memory, js_python_member(python, task, TYPE_BASICSIZE), &size);
    if (status || size > STATE) {
        return status ? status : JS_EBAD;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].version == python->offsets.version && rows[i].size + shift == size) {
            *out = shifted(&rows[i], shift);
            return JS_OK;
        }
    }
    return python->offsets.version >= JS_PYTHON_3_14 ? find_declared(python, task, size, out) : JS_EUNSUP;
}
