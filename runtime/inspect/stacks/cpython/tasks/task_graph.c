/* Reads the tasks of an interpreter, and finds which await each other. */
#include "stacks/cpython/tasks/task_graph.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/tasks/deadline.h"

enum { MAX_EDGES = 1 << 20, TIMED = 8 /* tasks between two looks at the clock */ };

/* Give the thread whose identifier the loop has, which it has while it runs. */
static const js_python_thread *thread_of(js_task_graph *graph, const js_python_threads_list *threads,
                                         uint64_t loop)
{
    js_bytes *bytes = graph->classes.python->bytes;
    js_python_object object, number;
    uint32_t digits[3] = {0};
    if (js_object_read(bytes, loop, &object) || object.kind != JS_OBJECT_INSTANCE ||
        js_object_read(bytes, js_object_attribute(bytes, &object, "_thread_id"), &number) ||
        number.kind != JS_OBJECT_INT || number.length > 3 ||
        js_bytes_read(bytes, number.data, digits, number.length * 4)) {
        return NULL;
    }
    uint64_t id = (uint64_t)digits[2] << 60 | (uint64_t)digits[1] << 30 | digits[0];
    for (size_t i = 0; id && i < threads->count; i++) {
        if (threads->threads[i].pthread == id) {
            return &threads->threads[i];
        }
    }
    return NULL;
}

/* Tell what the task does, from its frames and from the future that it waits for. */
static void describe(js_task_graph *graph, js_task_node *node, const js_chain_end *end)
{
    bool is_done = false;
    js_python *python = graph->classes.python;
    const js_python_frame *frames = graph->frames.items + node->first;
    if (end->running) {
        node->state = JS_TASK_RUNNING;
        return;
    }
    int status = node->task.waiter ? js_future_is_done(&graph->classes, node->task.waiter, &is_done) : JS_OK;
    node->state = node->task.waiter && (status || !is_done) ? JS_TASK_WAITING : JS_TASK_READY;
    if (node->state == JS_TASK_WAITING) {
        js_wait_find(python, frames, node->count, &node->wait);
    }
}

static int add_node(js_task_graph *graph, const js_python_threads_list *threads, const js_task *task,
                    uint64_t *loop, const js_python_thread **of_loop)
{
    js_chain_end end;
    js_task_node *grown = js_vector_reserve(graph->nodes, &graph->capacity, graph->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    graph->nodes = grown;
    js_task_node *node = &grown[graph->count++];
    *node = (js_task_node){.task = *task, .first = graph->frames.count};
    if (*loop != task->loop) { /* neighbours mostly have one loop */
        *loop = task->loop;
        *of_loop = thread_of(graph, threads, task->loop);
    }
    node->thread = *of_loop;
    int status = js_chain_follow(&graph->classes, task->coroutine, &graph->frames, &end);
    if (status == JS_OK && end.running) {
        const js_python_thread *thread;
        status = js_chain_follow_running(&graph->classes, threads, end.running, &graph->frames, &thread);
        end.why = status ? "the thread that runs it is not found" : end.why;
        node->thread = thread ? thread : node->thread;
        status = status == JS_ENOMEM ? status : JS_OK;
    }
    node->count = graph->frames.count - node->first;
    for (size_t i = node->first; i < graph->frames.count;
         i++) { /* later the target may not be read any more */
        const js_python_code *code;
        js_python_find_code(graph->classes.python, graph->frames.items[i].code, &code);
    }
    node->why = end.why;
    describe(graph, node, &end);
    return status;
}

static int read_nodes(js_task_graph *graph, const js_task_list *list, const js_python_threads_list *threads,
                      uint64_t deadline)
{
    uint64_t loop = 0;
    const js_python_thread *thread = NULL;
    int status = JS_OK;
    for (size_t i = 0; i < list->count && status == JS_OK; i++) {
        js_task task;
        if (i % TIMED == 0 && js_deadline_is_over(deadline)) {
            graph->left_out = list->count - i;
            break;
        }
        status = js_task_read(&graph->classes, list->items[i], &task);
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status) {
            graph->why = graph->why ? graph->why : "a task cannot be read";
            status = JS_OK;
        } else if (task.is_done) {
            js_task_deinit(&task);
        } else {
            status = add_node(graph, threads, &task, &loop, &thread);
        }
    }
    return status;
}

static int by_thread_and_name(const void *one, const void *other)
{
    const js_task_node *a = one, *b = other;
    uint64_t first = a->thread ? a->thread->id : UINT64_MAX, second = b->thread ? b->thread->id : UINT64_MAX;
    int order = first != second ? (first < second ? -1 : 1) : strverscmp(a->task.name, b->task.name);
    return order ? order : a->task.address < b->task.address ? -1 : a->task.address > b->task.address;
}

/* ---- which tasks await each other ---- */

typedef struct edge_search {
    js_task_graph *graph;
    uint32_t waiting;
    size_t members;
} edge_search;

static int append_edge(js_task_graph *graph, js_task_edge edge)
{
    if (graph->nedges == MAX_EDGES) {
        return JS_OK;
    }
    js_task_edge *grown =
        js_vector_reserve(graph->edges, &graph->edge_capacity, graph->nedges + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    graph->edges = grown;
    grown[graph->nedges++] = edge;
    return JS_OK;
}

static int add_edge(void *context, uint64_t address)
{
    edge_search *self = context;
    uint32_t awaited;
    self->members++;
    return js_address_map_find(&self->graph->places, address, &awaited)
               ? append_edge(self->graph, (js_task_edge){self->waiting, awaited, false})
               : JS_OK;
}

/* Add the tasks that a node waits for: one, those of gather(), those of a TaskGroup, or those of wait(); and
 * the one that holds its lock. */
static int add_edges(js_task_graph *graph, uint32_t index)
{
    js_task_node *node = &graph->nodes[index];
    js_python *python = graph->classes.python;
    js_async_classes *classes = &graph->classes;
    edge_search search = {graph, index, 0};
    js_python_object object;
    if (node->state != JS_TASK_WAITING) {
        return JS_OK;
    }
    js_async_kind kind = js_async_kind_of(classes, node->task.waiter);
    int status = JS_OK;
    if (kind == JS_ASYNC_TASK || kind == JS_ASYNC_PYTHON_TASK) {
        status = add_edge(&search, node->task.waiter);
    } else if (js_object_read(python->bytes, node->task.waiter, &object) == JS_OK &&
               js_async_is_gathering(&object)) {
        uint64_t children = js_object_attribute(python->bytes, &object, "_children");
        status = js_task_members(classes, children, add_edge, &search);
        node->is_gathering = status == JS_OK;
        node->awaited = search.members;
    }
    if (status == JS_OK && node->holder) {
        status = append_edge(graph, (js_task_edge){index, (uint32_t)node->holder->node, true});
    }
    if (status == JS_OK && node->wait.tasks == JS_WAIT_ONE) {
        bool is_direct = node->wait.object == node->task.waiter; /* >= 3.12, or without a time */
        node->is_timed |= !is_direct;
        status = is_direct ? JS_OK : add_edge(&search, node->wait.object);
    } else if (status == JS_OK && node->wait.tasks != JS_WAIT_NOT) {
        uint64_t of = node->wait.object;
        if (node->wait.tasks == JS_WAIT_TASK_GROUP) {
            of = js_object_read(python->bytes, of, &object)
                     ? 0
                     : js_object_attribute(python->bytes, &object, "_tasks");
        }
        status = js_task_members(classes, of, add_edge, &search);
    }
    return status == JS_ENOMEM ? status : JS_OK;
}

static int by_awaited(const void *one, const void *other)
{
    const js_task_edge *a = one, *b = other;
    return a->awaited != b->awaited ? (a->awaited < b->awaited ? -1 : 1)
                                    : (a->waiting > b->waiting) - (a->waiting < b->waiting);
}

static int connect(js_task_graph *graph, uint64_t deadline)
{
    qsort(graph->nodes, graph->count, sizeof *graph->nodes, by_thread_and_name);
    int status = js_task_locks_find(graph, deadline);
    for (size_t i = 0; i < graph->count && status >= 0; i++) {
        status = js_address_map_add(&graph->places, graph->nodes[i].task.address, (uint32_t)i);
    }
    for (size_t i = 0; i < graph->count && status >= 0; i++) {
        if (i % TIMED == 0 && js_deadline_is_over(deadline)) {
            break;
        }
        status = add_edges(graph, (uint32_t)i);
    }
    qsort(graph->edges, graph->nedges, sizeof *graph->edges, by_awaited);
    return status < 0 ? status : JS_OK;
}

int js_task_graph_init(js_task_graph *graph, js_python *python, const js_python_threads_list *threads,
                       uint64_t interpreter, uint64_t deadline)
{
    js_task_list list = {0};
    *graph = (js_task_graph){0};
    int status = js_async_classes_init(&graph->classes, python, interpreter);
    status = status ? status : js_task_list_init(&list, &graph->classes, threads);
    graph->why = list.why;
    status = status ? status : read_nodes(graph, &list, threads, deadline);
    js_task_list_deinit(&list);
    return status ? status : connect(graph, deadline);
}

void js_task_graph_deinit(js_task_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        js_task_deinit(&graph->nodes[i].task);
    }
    free(graph->nodes);
    free(graph->edges);
    free(graph->locks);
    free(graph->frames.items);
    js_address_map_deinit(&graph->places);
    js_async_classes_deinit(&graph->classes);
    *graph = (js_task_graph){0};
}
