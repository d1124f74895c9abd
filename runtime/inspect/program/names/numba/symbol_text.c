/* Writes the fields of a name one after the other. */
#include "program/names/numba/symbol_text.h"

#include "program/names/numba/escape.h"
#include "program/names/numba/flags.h"
#include "program/names/numba/print_types.h"

static void put_parts(js_sink *sink, const js_linkage_symbol *symbol, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        if (i > first) {
            js_sink_put_char(sink, '.');
        }
        js_escape_put_name(sink, symbol->parts[i], symbol->mark);
    }
    js_sink_put_char(sink, '\0');
}

/* Replace the type of a generator, which begins at `start`, by the arguments that it was called with: "int64
   generator(func=<function gen at 0x…>, args=(int64,), has_finalizer=True)" (types/functions.py, Generator).
   The whole text must fit the sink. */
static void keep_generator_arguments(js_sink *sink, size_t start)
{
    static const char ARGUMENTS[] = ", args=(", END[] = "), has_finalizer=";
    if (sink->length > sink->capacity) {
        return;
    }
    const char *text = sink->data + start;
    size_t length = sink->length - start;
    const char *from = memmem(text, length, ARGUMENTS, sizeof ARGUMENTS - 1);
    if (!from) {
        return;
    }
    from += sizeof ARGUMENTS - 1;
    const char *to = memmem(from, (size_t)(text + length - from), END, sizeof END - 1);
    if (!to) {
        return;
    }
    size_t count = (size_t)(to - from);
    if (count && from[count - 1] == ',') {
        count--;
    }
    memmove(sink->data + start, from, count);
    sink->length = start + count;
}

static bool put_types(js_sink *sink, const js_linkage_symbol *symbol, js_name_fields *fields)
{
    js_type_count count = {0};
    js_span types = symbol->types;
    bool generator = symbol->kind == JS_NAME_GENERATOR_NEXT || symbol->kind == JS_NAME_GENERATOR_FINALIZE;
    fields->used = symbol->used;
    if (symbol->types_form != JS_TYPES_ABSENT) {
        js_sink_put_char(sink, '(');
        size_t start = sink->length;
        if (symbol->types_form == JS_TYPES_CXX) {
            js_numba_types_put_cxx(sink, types, symbol->mark, &count);
        } else {
            if (!js_numba_types_put(sink, &types, symbol->mark, &count)) {
                return false;
            }
            fields->used += symbol->types.size - types.size;
        }
        if (generator) {
            keep_generator_arguments(sink, start);
        }
        js_sink_put_char(sink, ')');
    }
    js_sink_put_char(sink, '\0');
    /* object mode has no flags; without arguments, their absence alone shows it in 0.55 and later */
    bool is_known = count.arguments > 0 || (symbol->uid.size && symbol->mark == '_');
    memcpy(fields->records, count.records, sizeof fields->records);
    fields->nrecords = count.nrecords;
    fields->is_object_mode = is_known && !symbol->flags.size && count.objects == count.arguments;
    return true;
}

/* Put the whole type of a generator, for its own code. */
static void put_generator(js_sink *sink, const js_linkage_symbol *symbol)
{
    js_type_count count = {0};
    js_span types = symbol->types;
    if (symbol->kind == JS_NAME_GENERATOR_NEXT && symbol->types_form == JS_TYPES_MANGLED) {
        js_numba_types_put(sink, &types, symbol->mark, &count);
    }
    js_sink_put_char(sink, '\0');
}

bool js_symbol_put(js_sink *sink, const js_linkage_symbol *symbol, js_name_fields *fields)
{
    fields->module = sink->length;
    put_parts(sink, symbol, 0, symbol->module_count);
    fields->qualname = sink->length;
    put_parts(sink, symbol, symbol->module_count, symbol->part_count);
    fields->arguments = sink->length;
    if (!put_types(sink, symbol, fields)) {
        return false;
    }
    fields->generator = sink->length;
    put_generator(sink, symbol);
    fields->uid = sink->length;
    js_sink_putn(sink, symbol->uid.at, symbol->uid.size);
    js_sink_put_char(sink, '\0');
    fields->flags = sink->length;
    js_numba_flags_put(sink, symbol->flags);
    js_sink_put_char(sink, '\0');
    return true;
}
