/* Reads the variables of kernels that wait for each other, from the registers that the program has recorded,
 * without an unwinder. */
#include <string.h>

#include "bytes/pages.h"
#include "program/parallel/parallel.h"
#include "program/queries/queries.h"

/* DWARF's numbers of jitscope_waiting's registers (System V ABI x86-64 psABI 1.0, figure 3.36). */
enum { RSP = 7, RIP = 16 };
static const unsigned char kept[] = {3, 6, 12, 13, 14, 15};

static int register_of(void *context, unsigned number, void *buffer, size_t capacity)
{
    const js_waiting *waiting = context;
    const uint64_t *found = number == RSP ? &waiting->sp : number == RIP ? &waiting->pc : NULL;
    for (size_t i = 0; !found && i < sizeof kept; i++) {
        if (kept[i] == number) {
            found = &waiting->kept[i];
        }
    }
    if (!found || capacity < sizeof *found) {
        return JS_ENOTFOUND;
    }
    memcpy(buffer, found, sizeof *found);
    return sizeof *found;
}

static int put_waiting(js_text *out, js_program *program, const js_waiting *waiting, js_bytes *memory,
                       const js_render_options *options)
{
    js_waiting own = *waiting;
    const js_frame frame = {.pc = waiting->pc,
                            .is_caller = 1,
                            .cfa = waiting->cfa,
                            .registers = register_of,
                            .context = &own,
                            .memory = memory};
    char *region = NULL, *variables = NULL;
    uint64_t caller = 0;
    int status = js_bytes_read_word(memory, waiting->cfa - sizeof caller, &caller);
    if (status || caller != waiting->caller || js_program_chunk(program, &frame, &region)) {
        js_text_put(out, "null");
        return JS_OK;
    }
    status = js_program_locals(program, &frame, 0, 0, options, &variables);
    js_text_put(out, "{\"region\": ");
    js_text_put(out, region);
    js_text_put(out, ", \"variables\": ");
    js_text_put(out, status ? "null" : variables);
    js_text_put(out, "}");
    js_free(region);
    js_free(variables);
    return status == JS_ENOTFOUND ? JS_OK : status;
}

int js_program_waiting(js_program *program, const js_waiting *waiting, size_t count, js_bytes *memory,
                       const js_render_options *options, char **out)
{
    js_text text;
    js_pages pages;
    *out = NULL;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    int status = js_pages_init(&pages, memory);
    for (size_t i = 0; !status && i < count; i++) {
        js_text_put(&text, i ? ", " : "");
        status = put_waiting(&text, program, &waiting[i], &pages.bytes, options);
    }
    js_pages_deinit(&pages);
    js_text_put(&text, "]");
    return js_text_give(&text, status, out);
}
