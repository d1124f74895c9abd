/* Writes the DIE and the locations of one variable. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/write/write.h"

uint64_t js_write_ranges(js_writer *writer, const uint64_t *ranges, size_t count)
{
    uint64_t offset = writer->ranges.size;
    for (size_t i = 0; i < 2 * count; i++) {
        js_output_uint(&writer->ranges, ranges[i], 8);
    }
    js_output_uint(&writer->ranges, 0, 8);
    js_output_uint(&writer->ranges, 0, 8);
    return offset;
}

static bool span_is_of(const js_range_state *span, const js_type *type)
{
    return span->state == JS_STATE_EXACT && span->size && span->size <= UINT16_MAX && span->version &&
           span->version->type == type;
}

int js_write_variable(js_writer *writer, uint32_t file, const js_function *function, const js_local *local,
                      const js_variable *version, bool is_argument)
{
    static const enum js_abbrev kinds[2][3] = {{ABBREV_VARIABLE, ABBREV_VARIABLE_AT, ABBREV_VARIABLE_LIST},
                                               {ABBREV_ARGUMENT, ABBREV_ARGUMENT_AT, ABBREV_ARGUMENT_LIST}};
    const js_range_state *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < local->nspans; i++) {
        if (span_is_of(&local->spans[i], version->type) && ++count == 1) {
            first = &local->spans[i];
        }
    }
    bool whole = count == 1 && first->lo == function->lo && first->hi == function->hi;
    js_output *info = &writer->info;
    js_output_uleb(info, kinds[is_argument][count == 0 ? 0 : whole ? 1 : 2]);
    js_output_string(info, local->name);
    js_output_uleb(info, file);
    js_output_uleb(info, version->line);
    size_t type_at = info->size;
    js_output_uint(info, 0, 4);
    int status = JS_OK;
    if (whole) {
        status = js_write_expr(writer, version->type, function->build.has_homes, first->expr, first->size,
                               &writer->expr);
        js_output_uleb(info, writer->expr.size);
        js_output_bytes(info, writer->expr.data, writer->expr.size);
    } else if (count) {
        js_output_uint(info, writer->loc.size, 4);
        for (size_t i = 0; !status && i < local->nspans; i++) {
            const js_range_state *span = &local->spans[i];
            if (!span_is_of(span, version->type)) {
                continue;
            }
            status = js_write_expr(writer, version->type, function->build.has_homes, span->expr, span->size,
                                   &writer->expr);
            if (writer->expr.size > UINT16_MAX) {
                continue;
            }
            js_output_uint(&writer->loc, span->lo, 8);
            js_output_uint(&writer->loc, span->hi, 8);
            js_output_uint(&writer->loc, writer->expr.size, 2);
            js_output_bytes(&writer->loc, writer->expr.data, writer->expr.size);
        }
        js_output_uint(&writer->loc, 0, 8);
        js_output_uint(&writer->loc, 0, 8);
    }
    uint32_t type = 0;
    if (!status) {
        status =
            js_write_variable_type(writer, version->type, &type); /* it was written before the function */
    }
    js_output_patch(info, type_at, type, 4);
    return status;
}
