/* Reads any description of a generator's frame, as debug information may give it, with any bytes as that
 * frame, line by line: "TYPE", "f SIZE", "p PART OFFSET SIZE", "v PART OFFSET NAME TYPE", "s INDEX LINE
 * NAMES". After an empty line, its bytes are all of memory, over and over. A second "f" begins another frame
 * of that type. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "contents.h"
#include "values/api/render_api.h"
#include "values/base/value.h"

enum { BYTES_MAX = 32 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The texts stay where they are until all lines are read. */
static void read_line(js_types *types, js_generator_frame *frame, char *line)
{
    unsigned long long part = 0, offset = 0, size = 0;
    int end = 0;
    if (sscanf(line, "p %1llu %llu %llu", &part, &offset, &size) == 3) {
        js_generator_part *into = part ? &frame->state : &frame->arguments;
        into->offset = offset;
        into->size = size;
    } else if (sscanf(line, "v %1llu %llu %n", &part, &offset, &end) == 2 && end) {
        js_generator_part *into = part ? &frame->state : &frame->arguments;
        char *name = strtok(line + end, " "), *type = strtok(NULL, "");
        if (into->nvalues < JS_GENERATOR_VALUES && name) {
            js_member *value = &into->values[into->nvalues];
            *value = (js_member){.name = name, .offset = offset, .role = JS_ROLE_ELEMENT};
            into->nvalues += js_types_get_data(types, type ? type : "", &value->type) == JS_OK;
        }
    } else if (frame->nstops < JS_GENERATOR_STOPS) {
        js_generator_stop *stop = &frame->stops[frame->nstops];
        if (sscanf(line, "s %u %u%n", &stop->index, &stop->line, &end) == 2 && end) {
            stop->kept = line + end + strspn(line + end, " ");
            frame->nstops++;
        }
    }
}

static void show(js_types *types, const char *name, const contents *all, const uint8_t *data, size_t size)
{
    const js_type *type;
    js_bytes bytes;
    if (js_types_get(types, name, NULL, &type) || type->size >= 1 << 20) {
        return;
    }
    uint8_t *variable = calloc(1, type->size + 1);
    memcpy(variable, all->at, all->size < type->size ? all->size : type->size);
    js_bytes_init_callback(&bytes, memory, (void *)(uintptr_t)all);
    js_render_options options = bound_options(data, size);
    for (int as_json = 0; as_json < 2; as_json++) {
        char *text = NULL;
        bound_start(&bytes, data, size);
        js_api_render(types, &bytes, name, NULL, variable, type->size, NULL, &options, as_json, &text, NULL);
        js_free(text);
        bound_check(&bytes, BYTES_MAX, CALLS);
    }
    js_bytes_deinit(&bytes);
    free(variable);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 2), *next = text;
    js_generator_frame *frame = calloc(1, sizeof *frame);
    js_types *types;
    if (size == 0 || js_types_create(&types)) {
        free(text);
        free(frame);
        return 0;
    }
    memcpy(text, data, size);
    char *name = strsep(&next, "\n");
    for (char *line; next && *next != '\n' && (line = strsep(&next, "\n"));) {
        unsigned long long whole;
        if (sscanf(line, "f %llu", &whole) == 1) {
            if (frame->size) {
                js_types_set_frame(types, name, frame);
            }
            memset(frame, 0, sizeof *frame);
            frame->size = whole;
        } else {
            read_line(types, frame, line);
        }
    }
    js_types_set_frame(types, name, frame);
    const char *rest = next ? next : text + size;
    contents all = {rest, (size_t)(text + size - rest)};
    show(types, name, &all, data, size);
    js_types_destroy(types);
    free(frame);
    free(text);
    return 0;
}
