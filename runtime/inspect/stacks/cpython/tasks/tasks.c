/* js_python_tasks: writes the tasks of asyncio as JSON. */
#include <string.h>

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

/* Write the sentence that says what a node does. */
static void put_does(const task_text *self, const js_task_node *node)
{
    const js_task_graph *graph = self->graph;
    uint32_t place;
    js_text text;
    js_text_init(&text, 0);
    if (node->state == JS_TASK_RUNNING) {
        js_text_put(&text, "runs");
    } else if (node->state != JS_TASK_WAITING) {
        js_text_put(&text, "is ready to run");
    } else if (js_address_map_find(&graph->places, node->task.waiter, &place)) {
        js_text_printf(&text, "waits for task '%s'", graph->nodes[place].task.name);
    } else if (node->reason) {
        js_text_printf(&text, "waits for %s", node->reason);
    } else if (node->is_gathering) {
        js_text_printf(&text, "waits for gather() of %zu", node->awaited);
    } else {
        js_text_put(&text, "waits for a future");
    }
    js_text_put(self->out, ", \"does\": ");
    js_text_json_string(self->out, text.data, text.length);
    js_text_deinit(&text);
}

static int put_frames(const task_text *self, const js_task_node *node)
{
    js_python *python = self->graph->classes.python;
    bool is_first = true;
    js_text_put(self->out, ", \"frames\": [");
    for (size_t i = node->count; i-- > 0;) {
        const js_python_frame *frame = &self->graph->frames.items[node->first + i];
        const js_python_code *code;
        int status = js_python_find_code(python, frame->code, &code);
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status || code->internal) {
            continue;
        }
        int32_t line = js_python_line_of(python, code, frame->instruction);
        js_text_printf(self->out, "%s{%s, \"line\": ", is_first ? "" : ", ", code->json);
        js_text_printf(self->out, line == JS_NO_LINE ? "null" : "%d", (int)line);
        js_text_printf(self->out, ", \"address\": %llu}", (unsigned long long)frame->address);
        is_first = false;
    }
    js_text_put(self->out, "]");
    return JS_OK;
}

static void put_awaited_by(task_text *self, size_t index)
{
    const js_task_graph *graph = self->graph;
    bool is_first = true;
    js_text_put(self->out, ", \"awaited_by\": [");
    for (; self->edge < graph->nedges && graph->edges[self->edge].awaited == index; self->edge++) {
        js_text_put(self->out, is_first ? "" : ", ");
        put_string(self->out, graph->nodes[graph->edges[self->edge].waiting].task.name);
        is_first = false;
    }
    js_text_put(self->out, "]");
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
    put_does(self, node);
    int status = put_frames(self, node);
    put_awaited_by(self, index);
    js_text_put(self->out, ", \"why\": ");
    if (node->why) {
        put_string(self->out, node->why);
    } else {
        js_text_put(self->out, "null");
    }
    js_text_put(self->out, "}");
    return status ? status : self->out->status;
}

/* Write the tasks of one interpreter. *why: why some may be missing. */
static int put_interpreter(js_python *python, const js_python_threads_list *threads, uint64_t interpreter,
                           uint64_t deadline, task_text *self, const char **why)
{
    js_task_graph graph;
    int status = js_task_graph_init(&graph, python, threads, interpreter, deadline);
    self->graph = &graph;
    self->edge = 0;
    self->left_out += graph.left_out;
    *why = graph.why ? graph.why : *why;
    for (size_t i = 0; i < graph.count && status == JS_OK; i++) {
        if (self->out->length > MAX_TEXT) {
            self->left_out += graph.count - i;
            break;
        }
        status = put_node(self, i);
    }
    js_task_graph_deinit(&graph);
    if (status && status != JS_ENOTFOUND && status != JS_ENOMEM) {
        *why = js_strerror(status);
        return JS_OK;
    }
    return status == JS_ENOTFOUND ? JS_OK : status;
}

int js_python_tasks(js_python *python, uint64_t deadline, js_text *out)
{
    js_python_threads_list threads;
    task_text self = {.out = out};
    const char *why = NULL;
    js_memory_reset(&python->memory);
    int status = js_python_list_threads(python, &threads);
    if (status) {
        return status;
    }
    js_text_put(out, "{\"tasks\": [");
    for (size_t i = 0; i < threads.count && status == JS_OK; i++) {
        const js_python_thread *thread = &threads.threads[i];
        if (i == 0 || thread->interpreter != thread[-1].interpreter) {
            status = put_interpreter(python, &threads, thread->interpreter, deadline, &self, &why);
        }
    }
    js_text_printf(out, "], \"left_out\": %zu, \"why\": ", self.left_out);
    if (why) {
        put_string(out, why);
    } else {
        js_text_put(out, "null");
    }
    js_text_put(out, "}");
    js_python_threads_list_deinit(&threads);
    return status ? status : out->status;
}

int js_python_tasks_json(js_python *python, uint64_t deadline, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return js_text_give(&text, js_python_tasks(python, deadline, &text), out);
}
