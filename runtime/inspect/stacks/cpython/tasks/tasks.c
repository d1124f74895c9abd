/* js_python_tasks: the tasks of asyncio, as JSON. */
#include <stdlib.h>
#include <string.h>

#include "stacks/cpython/frame.h"
#include "stacks/cpython/tasks/generator.h"
#include "stacks/cpython/tasks/greenlets.h"
#include "stacks/cpython/tasks/task_circles.h"
#include "stacks/cpython/tasks/task_graph.h"
#include "stacks/python.h"

enum { MAX_TEXT = 48 << 20 /* bytes of text beyond which no more tasks are written */ };

static const char *const states[] = {"ready", "ready", "running", "waiting"};

typedef struct task_text {
    const js_task_graph *graph;
    js_text *out;
    size_t edge; /* the next edge to the node that is being written */
    unsigned shown;
    size_t left_out;
} task_text;

static void put_string(js_text *out, const char *text)
{
    js_text_json_string(out, text, strlen(text));
}

static void put_or_null(js_text *out, const char *why)
{
    if (why) {
        put_string(out, why);
    } else {
        js_text_put(out, "null");
    }
}

static void put_flag(js_text *out, const char *key, bool flag)
{
    js_text_put(out, key);
    js_text_put(out, flag ? "true" : "false");
}

static void put_place(const js_python_code *code, int32_t line, uint64_t address, js_text *out)
{
    js_text_printf(out, "{%s, \"line\": ", code->json);
    js_text_printf(out, line == JS_NO_LINE ? "null" : "%d", (int)line);
    js_text_printf(out, ", \"address\": %llu}", (unsigned long long)address);
}

/* Write the sentence that says what a node does, without the owner of a lock. */
static void put_does(const task_text *self, const js_task_node *node, const js_task_node *awaited)
{
    js_text text;
    js_text_init(&text, 0);
    if (node->state == JS_TASK_RUNNING) {
        js_text_put(&text, "runs");
    } else if (node->state != JS_TASK_WAITING) {
        js_text_put(&text, "is ready to run");
    } else if (awaited && !node->holder) {
        js_text_printf(&text, "waits for task '%s'", awaited->task.name);
    } else if (node->wait.words) {
        js_text_printf(&text, "waits for %s", node->wait.words);
    } else if (node->is_gathering) {
        js_text_printf(&text, "waits for gather() of %zu", node->awaited);
    } else {
        js_text_put(&text, "waits for a future");
    }
    js_text_put(self->out, ", \"does\": ");
    js_text_json_string(self->out, text.data, text.length);
    js_text_deinit(&text);
}

/* Write what a node waits for: the task, and how that one holds its lock. */
static void put_waits(const task_text *self, const js_task_node *node, const js_task_node *awaited)
{
    const js_task_graph *graph = self->graph;
    const js_python_code *code;
    bool is_task = awaited && !node->holder;
    const char *kind = is_task              ? "task"
                       : node->wait.kind    ? node->wait.kind
                       : node->is_gathering ? "gather"
                                            : "future";
    if (node->state != JS_TASK_WAITING) {
        js_text_put(self->out, ", \"waits\": null");
        return;
    }
    js_text_put(self->out, ", \"waits\": {\"for\": ");
    put_string(self->out, kind);
    js_text_put(self->out, ", \"task\": ");
    put_or_null(self->out, awaited ? awaited->task.name : NULL);
    put_flag(self->out, ", \"is_itself\": ", awaited == node);
    put_flag(self->out, ", \"is_free\": ", node->is_free);
    put_flag(self->out, ", \"timed\": ", node->is_timed);
    put_flag(self->out, ", \"certain\": ", !node->holder || node->holder->is_certain);
    js_text_put(self->out, ", \"frame\": ");
    size_t length = self->out->length;
    if (node->holder) {
        const js_python_frame *frame = &graph->frames.items[node->holder->frame];
        if (js_python_find_code(graph->classes.python, frame->code, &code) == JS_OK) {
            put_place(code, node->holder->statement.line, frame->address, self->out);
        }
    }
    js_text_put(self->out, self->out->length == length ? "null}" : "}");
}

/* Write a frame. *is_first: none was written before it. */
static int put_frame(js_python *python, const js_python_frame *frame, bool *is_first, js_text *out)
{
    const js_python_code *code;
    int status = js_python_find_code(python, frame->code, &code);
    if (status || code->internal) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    int32_t line = js_python_line_of(python, code, frame->instruction);
    js_text_put(out, *is_first ? "" : ", ");
    put_place(code, line, frame->address, out);
    *is_first = false;
    return JS_OK;
}

static int put_frames(const task_text *self, const js_task_node *node)
{
    const js_task_graph *graph = self->graph;
    bool is_first = true;
    int status = JS_OK;
    js_text_put(self->out, ", \"frames\": [");
    for (size_t i = node->count; i-- > 0 && status == JS_OK;) {
        status =
            put_frame(graph->classes.python, &graph->frames.items[node->first + i], &is_first, self->out);
    }
    js_text_put(self->out, "]");
    return status;
}

static void put_awaited_by(task_text *self, size_t index)
{
    const js_task_graph *graph = self->graph;
    bool is_first = true;
    js_text_put(self->out, ", \"awaited_by\": [");
    for (; self->edge < graph->nedges && graph->edges[self->edge].awaited == index; self->edge++) {
        const js_task_edge *edge = &graph->edges[self->edge];
        if (!edge->is_lock) {
            js_text_put(self->out, is_first ? "" : ", ");
            put_string(self->out, graph->nodes[edge->waiting].task.name);
            is_first = false;
        }
    }
    js_text_put(self->out, "]");
}

/* Return the one task that a node waits for, or that holds its lock; NULL: none is known. */
static const js_task_node *find_awaited(const js_task_graph *graph, const js_task_node *node)
{
    uint32_t place;
    uint64_t task = node->wait.tasks == JS_WAIT_ONE ? node->wait.object : node->task.waiter;
    return node->holder                                                ? &graph->nodes[node->holder->node]
           : task && js_address_map_find(&graph->places, task, &place) ? &graph->nodes[place]
                                                                       : NULL;
}

static int put_node(task_text *self, size_t index)
{
    const js_task_node *node = &self->graph->nodes[index];
    const js_python_thread *thread = node->thread;
    js_text_printf(self->out,
                   "%s{\"native_id\": %llu, \"pthread\": %llu, \"name\": ", self->shown++ ? ", " : "",
                   (unsigned long long)(thread ? thread->native_id : 0),
                   (unsigned long long)(thread ? thread->pthread : 0));
    put_string(self->out, node->task.name);
    js_text_printf(self->out, ", \"state\": \"%s\"", states[node->state]);
    const js_task_node *awaited = find_awaited(self->graph, node);
    put_does(self, node, awaited);
    put_waits(self, node, awaited);
    int status = put_frames(self, node);
    put_awaited_by(self, index);
    js_text_put(self->out, ", \"why\": ");
    put_or_null(self->out, node->why);
    js_text_put(self->out, "}");
    return status ? status : self->out->status;
}

/* ---- the tasks of all interpreters ---- */

enum { MAX_INTERPRETERS = 64 };

struct js_python_tasks {
    js_python_threads_list threads;
    js_task_graph graphs[MAX_INTERPRETERS];
    size_t count;
    js_python *python;
    js_greenlets greenlets; /* greenlets of the interpreter that the first thread belongs to */
    const char *why;        /* why tasks may be missing; NULL: none is */
};

/* Read the tasks of one interpreter. */
static int read_interpreter(js_python_tasks *tasks, js_python *python, uint64_t interpreter,
                            uint64_t deadline)
{
    if (tasks->count == MAX_INTERPRETERS) {
        tasks->why = "there are too many interpreters";
        return JS_OK;
    }
    js_task_graph *graph = &tasks->graphs[tasks->count++];
    int status = js_task_graph_init(graph, python, &tasks->threads, interpreter, deadline);
    tasks->why = graph->why ? graph->why : tasks->why;
    if (status && status != JS_ENOTFOUND && status != JS_ENOMEM) {
        tasks->why = js_strerror(status);
    }
    return status == JS_ENOMEM ? status : JS_OK;
}

int js_python_tasks_create(js_python *python, uint64_t deadline, js_python_tasks **out)
{
    js_python_tasks *tasks = calloc(1, sizeof *tasks);
    *out = NULL;
    if (!tasks) {
        return JS_ENOMEM;
    }
    tasks->python = python;
    js_memory_reset(&python->memory);
    int status = js_python_list_threads(python, &tasks->threads);
    for (size_t i = 0; i < tasks->threads.count && status == JS_OK; i++) {
        const js_python_thread *thread = &tasks->threads.threads[i];
        if (i == 0 || thread->interpreter != thread[-1].interpreter) {
            status = read_interpreter(tasks, python, thread->interpreter, deadline);
        }
    }
    if (status == JS_OK && tasks->threads.count) {
        status =
            js_greenlets_init(&tasks->greenlets, python, tasks->threads.threads[0].interpreter, deadline);
    }
    if (status) {
        js_python_tasks_destroy(tasks);
        return status;
    }
    *out = tasks;
    return JS_OK;
}

void js_python_tasks_destroy(js_python_tasks *tasks)
{
    for (size_t i = 0; tasks && i < tasks->count; i++) {
        js_task_graph_deinit(&tasks->graphs[i]);
    }
    if (tasks) {
        js_greenlets_deinit(&tasks->greenlets);
        js_python_threads_list_deinit(&tasks->threads);
    }
    free(tasks);
}

/* Write the tasks of an interpreter, and their circles into `circles`. */
static int put_graph(task_text *self, const js_task_graph *graph, js_text *circles)
{
    size_t before = self->shown;
    bool is_first = circles->length == 0;
    int status = JS_OK;
    self->graph = graph;
    self->edge = 0;
    self->left_out += graph->left_out;
    for (size_t i = 0; i < graph->count && status == JS_OK; i++) {
        if (self->out->length > MAX_TEXT) {
            self->left_out += graph->count - i;
            break;
        }
        status = put_node(self, i);
    }
    return status ? status : js_task_circles_put(graph, self->shown - before, before, &is_first, circles);
}

static int put_greenlets(const js_python_tasks *tasks, js_text *out)
{
    const js_greenlets *greenlets = &tasks->greenlets;
    int status = JS_OK;
    js_text_put(out, ", \"greenlets\": [");
    for (size_t i = 0; i < greenlets->count && out->length < MAX_TEXT && status == JS_OK; i++) {
        const js_greenlet *each = &greenlets->items[i];
        bool is_first = true;
        js_text_printf(out, "%s{\"stack\": %llu, \"frames\": [", i ? ", " : "",
                       (unsigned long long)each->stack);
        for (size_t j = 0; j < each->count && status == JS_OK; j++) {
            status = put_frame(tasks->python, &greenlets->frames.items[each->first + j], &is_first, out);
        }
        js_text_put(out, "], \"why\": ");
        put_or_null(out, each->why);
        js_text_put(out, "}");
    }
    js_text_put(out, "], \"greenlets_why\": ");
    put_or_null(out, greenlets->why);
    return status;
}

static int put_tasks(const js_python_tasks *tasks, js_text *out)
{
    task_text self = {.out = out};
    js_text circles;
    int status = JS_OK;
    js_text_init(&circles, 0);
    js_text_put(out, "{\"tasks\": [");
    for (size_t i = 0; i < tasks->count && status == JS_OK; i++) {
        status = put_graph(&self, &tasks->graphs[i], &circles);
    }
    js_text_put(out, "], \"circles\": [");
    js_text_putn(out, circles.data, circles.length);
    js_text_printf(out, "], \"left_out\": %zu, \"why\": ", self.left_out);
    status = status ? status : circles.status;
    js_text_deinit(&circles);
    put_or_null(out, tasks->why);
    status = status ? status : put_greenlets(tasks, out);
    js_text_put(out, "}");
    return status ? status : out->status;
}

int js_python_tasks_json(const js_python_tasks *tasks, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return js_text_give(&text, put_tasks(tasks, &text), out);
}
