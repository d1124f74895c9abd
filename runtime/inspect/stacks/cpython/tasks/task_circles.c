/* A depth-first search. A node on the path that is met again closes a circle. */
#include "stacks/cpython/tasks/task_circles.h"

#include <stdlib.h>
#include <string.h>

enum { NEW, ON_PATH, DONE };

typedef struct circle_search {
    const js_task_graph *graph;
    js_task_edge *edges; /* by the waiting one */
    size_t *next, *end;  /* for each node: those of its edges that were not followed */
    size_t *path, depth;
    uint8_t *seen;
    size_t shown, before;
    bool *is_first;
    js_text *out;
} circle_search;

static int by_waiting(const void *one, const void *other)
{
    const js_task_edge *a = one, *b = other;
    return a->waiting != b->waiting ? (a->waiting < b->waiting ? -1 : 1)
                                    : (a->awaited > b->awaited) - (a->awaited < b->awaited);
}

/* Sort the edges by the waiting node, and note where those of each node are. */
static void arrange(circle_search *self)
{
    const js_task_graph *graph = self->graph;
    size_t edge = 0;
    memcpy(self->edges, graph->edges, graph->nedges * sizeof *self->edges);
    qsort(self->edges, graph->nedges, sizeof *self->edges, by_waiting);
    for (size_t i = 0; i < graph->count; i++) {
        self->next[i] = edge;
        while (edge < graph->nedges && self->edges[edge].waiting == i) {
            edge++;
        }
        const js_task_node *node = &graph->nodes[i];
        bool may_end = node->wait.tasks == JS_WAIT_SEVERAL || node->is_timed;
        self->end[i] = may_end ? self->next[i] : edge;
    }
}

/* Write the circle that the path closes with this node. */
static void put_circle(const circle_search *self, size_t node)
{
    size_t from = self->depth;
    while (from > 0 && self->path[--from] != node) {
    }
    js_text_put(self->out, *self->is_first ? "[" : ", [");
    *self->is_first = false;
    for (size_t i = from; i < self->depth; i++) {
        js_text_printf(self->out, "%s%zu", i > from ? ", " : "", self->path[i] + self->before);
    }
    js_text_put(self->out, "]");
}

static void push(circle_search *self, size_t node)
{
    self->seen[node] = ON_PATH;
    self->path[self->depth++] = node;
}

static void search_from(circle_search *self, size_t first)
{
    push(self, first);
    while (self->depth) {
        size_t node = self->path[self->depth - 1];
        if (self->next[node] == self->end[node]) {
            self->seen[node] = DONE;
            self->depth--;
            continue;
        }
        size_t other = self->edges[self->next[node]++].awaited;
        if (other < self->shown && self->seen[other] == ON_PATH) {
            put_circle(self, other);
        } else if (other < self->shown && self->seen[other] == NEW) {
            push(self, other);
        }
    }
}

int js_task_circles_put(const js_task_graph *graph, size_t shown, size_t before, bool *is_first, js_text *out)
{
    circle_search self = {.graph = graph, .shown = shown, .before = before, .is_first = is_first, .out = out};
    self.edges = calloc(graph->nedges + 1, sizeof *self.edges);
    self.next = calloc(graph->count + 1, sizeof *self.next);
    self.end = calloc(graph->count + 1, sizeof *self.end);
    self.path = calloc(graph->count + 1, sizeof *self.path);
    self.seen = calloc(graph->count + 1, sizeof *self.seen);
    bool has_memory = self.edges && self.next && self.end && self.path && self.seen;
    if (has_memory && graph->nedges) {
        arrange(&self);
        for (size_t i = 0; i < shown; i++) {
            if (self.seen[i] == NEW) {
                search_from(&self, i);
            }
        }
    }
    free(self.edges);
    free(self.next);
    free(self.end);
    free(self.path);
    free(self.seen);
    return has_memory ? JS_OK : JS_ENOMEM;
}
