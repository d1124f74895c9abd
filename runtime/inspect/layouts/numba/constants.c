/* Builds types that have one value, such as functions and dtypes. The program does not keep the value: a
 * variable holds a pointer that is never read, and the name of the type says everything
 * (numba/core/types/functions.py, misc.py). */
#include "bytes/text.h"
#include "layouts/numba/numba.h"

static int keep(const js_build *build, js_span value, js_type *type)
{
    js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_LITERAL, 8);
    type->literal_kind = 'x';
    type->literal = js_build_text(build->types, value);
    return type->literal ? JS_OK : JS_ENOMEM;
}

/* Parse "dtype(float64)", "dtype(datetime64[ns])", "dtype([unichr x 5])". NumPy has names of its own for some
 * of them. */
static int dtype(const js_build *build, js_span inside, js_type *type)
{
    static const struct {
        const char *start, *end, *name;
    } others[] = {{"datetime64", "", "<M8"},
                  {"timedelta64", "", "<m8"},
                  {"[unichr x ", "]", "<U"},
                  {"[char x ", "]", "S"}};
    const char *name = "";
    if (js_span_starts(inside, "Record(")) { /* NumPy writes it by the record, not by its name */
        int status = js_numba_inner(build, inside, (js_span){NULL, 0}, true, &type->target);
        return status ? status : keep(build, build->name, type);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !*name; i++) {
        if (js_span_eat(&inside, others[i].start)) {
            name = others[i].name;
            js_span_eat_end(&inside, *others[i].end ? others[i].end : "[]");
        }
    }
    js_text text;
    js_text_init(&text, 0);
    js_text_printf(&text, "dtype('%s%.*s')", name, (int)inside.size, inside.at);
    int status = text.status ? text.status : keep(build, (js_span){text.data, text.length}, type);
    js_text_deinit(&text);
    return status;
}

int js_numba_constant(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (!js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    if (js_span_eat(&text, "dtype(")) {
        return dtype(build, text, type);
    }
    bool is_dispatcher = js_span_eat(&text, "type(");
    if (is_dispatcher || js_span_eat(&text, "Module(") || js_span_eat(&text, "Function(")) {
        bool says_all =
            is_dispatcher ? js_span_find_outside(text, "(<") < text.size : js_span_starts(text, "<");
        return says_all ? keep(build, text, type) : JS_EUNSUP;
    }
    return JS_EUNSUP;
}
