/* Checks a condition without values: parses it, and collects its names. */
#include "expressions/api/condition.h"

#include <string.h>

#include "expressions/front/tree.h"
#include "expressions/functions/calls.h"
#include "expressions/functions/collections.h"
#include "expressions/functions/methods.h"
#include "expressions/functions/numpy.h"
#include "expressions/functions/texts.h"
#include "expressions/lazy/evaluation.h"

typedef struct checking {
    js_text names; /* the names as JSON strings, with commas between them */
    const char *seen[JS_TREE_ITEMS];
    size_t nseen;
    js_text *why;
} checking;

static bool is_module(const char *name)
{
    return strcmp(name, "np") == 0 || strcmp(name, "numpy") == 0 || strcmp(name, "math") == 0;
}

static int add_name(checking *c, const char *name)
{
    for (size_t i = 0; i < c->nseen; i++) {
        if (strcmp(c->seen[i], name) == 0) {
            return JS_OK;
        }
    }
    if (c->nseen == JS_TREE_ITEMS) {
        js_text_printf(c->why, "SyntaxError: more than %d names are in one expression", JS_TREE_ITEMS);
        return JS_EBAD;
    }
    js_text_put(&c->names, c->nseen ? ", " : "");
    js_text_json_string(&c->names, name, strlen(name));
    c->seen[c->nseen++] = name;
    return JS_OK;
}

static bool is_method(const char *name)
{
    return js_array_has_method(name) || js_text_has_method(name) || js_is_collection_method(name);
}

/* Check the function that a call names: one of Python, NumPy or math, or a method. */
static int check_called(checking *c, const js_node *node)
{
    if (node->kind == JS_NODE_NAME && !js_is_function(node->text)) {
        js_text_printf(c->why, "%s() is not known here: a condition calls no function of the program",
                       node->text);
        return JS_EUNSUP;
    }
    if (node->kind != JS_NODE_ATTRIBUTE) {
        return JS_OK;
    }
    const js_node *of = node->items[0];
    bool has_module = of->kind == JS_NODE_NAME && is_module(of->text);
    const char *module = has_module ? strcmp(of->text, "math") == 0 ? "math" : "numpy" : NULL;
    bool is_shared =
        js_is_function(node->text) && strncmp(node->text, "is", 2) == 0; /* isnan, isinf, isfinite */
    if (module ? !is_shared && !js_module_has(module, node->text) : !is_method(node->text)) {
        js_text_printf(c->why, "%s%s%s() is not known here: a condition calls no function of the program",
                       module ? of->text : "", module ? "." : "", node->text);
        return JS_EUNSUP;
    }
    return JS_OK;
}

/* True for `range(…)` after the last `in` of a comparison: its arguments are needed, but no function is
 * called. */
static bool is_looked_into(const js_node *node, size_t i)
{
    return node->kind == JS_NODE_COMPARE && i && i + 1 == node->count &&
           (node->operators[i - 1] == JS_IN || node->operators[i - 1] == JS_NOT_IN) &&
           js_tree_is_range(node->items[i]);
}

static int check(checking *c, const js_node *node);

static int check_items(checking *c, const js_node *node, size_t first)
{
    int status = JS_OK;
    for (size_t i = first; i < node->count && status == JS_OK; i++) {
        const js_node *item = node->items[i];
        if (item) {
            status = is_looked_into(node, i) ? check_items(c, item, 1) : check(c, item);
        }
    }
    return status;
}

static int check(checking *c, const js_node *node)
{
    int status = node->kind == JS_NODE_CALL ? check_called(c, node->items[0]) : JS_OK;
    if (node->kind == JS_NODE_NAME) {
        return is_module(node->text) || js_is_function(node->text) ? JS_OK : add_name(c, node->text);
    }
    return status ? status : check_items(c, node, 0);
}

int js_condition_check(const char *text, char **out)
{
    js_arena arena;
    js_text json, why;
    const js_node *root;
    size_t at = SIZE_MAX;
    checking c = {.why = &why};
    js_text_init(&json, 0);
    js_text_init(&why, 0);
    js_text_init(&c.names, 0);
    js_arena_init(&arena, JS_EXPRESSION_MEMORY);
    int status = js_tree_parse(&arena, text, &root, &why, &at);
    status = status ? status : check(&c, root);
    if (status && !why.length) {
        js_text_put(&why, js_strerror(status));
    }
    js_text_put(&json, "{\"names\": [");
    js_text_put(&json, status || !c.names.length ? "" : c.names.data);
    js_text_put(&json, "], \"error\": ");
    if (status) {
        js_text_json_string(&json, why.data ? why.data : "", why.length);
    } else {
        js_text_put(&json, "null");
    }
    if (status && at != SIZE_MAX) {
        js_text_printf(&json, ", \"offset\": %zu}", at);
    } else {
        js_text_put(&json, ", \"offset\": null}");
    }
    int failed = c.names.status ? c.names.status : why.status;
    js_arena_deinit(&arena);
    js_text_deinit(&c.names);
    js_text_deinit(&why);
    return js_text_give(&json, failed, out);
}
