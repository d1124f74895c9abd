/* Registers functions: jitscope_function_register and jitscope_function_unregister. */
#include <elf.h>
#include <stddef.h>

#include "registration/descriptor.h"

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

enum {
    LOCATION_SIZE = 32,
    VARIABLE_SIZE = 40,
    LINE_SIZE = 24,
    CODE_MAX = 64 << 20
}; /* sizes in the first version of the header; most bytes of code */

static bool is_sound(const jitscope_function *function)
{
    return function->name && *function->name && function->low < function->high &&
           function->high - function->low <= CODE_MAX && function->unwind <= JITSCOPE_UNWIND_EH_FRAME &&
           (function->unwind != JITSCOPE_UNWIND_EH_FRAME ||
            (function->eh_frame && function->eh_frame_size)) &&
           (!function->nvariables || (function->variables && function->variable_size >= VARIABLE_SIZE)) &&
           (!function->nlines || (function->lines && function->line_size >= LINE_SIZE));
}

static int put_variable(block *b, const jitscope_variable *variable, jitscope_variable_record *out)
{
    size_t size = variable->location_size ? variable->location_size : LOCATION_SIZE;
    if (!variable->name || !*variable->name || size < LOCATION_SIZE ||
        (variable->nlocations && !variable->locations)) {
        return JITSCOPE_EARG;
    }
    *out = (jitscope_variable_record){.line = variable->line, .flags = variable->flags};
    int status = layout_find(variable->type, &out->layout);
    if (status || !out->layout) {
        return JITSCOPE_EARG;
    }
    out->name = block_text(b, variable->name);
    out->locations = block_list(b, variable->nlocations, sizeof(jitscope_location));
    for (uint32_t i = 0; i < out->locations.count && !b->status; i++) {
        passed_entry(variable->locations, i, size, block_entry(b, out->locations, i),
                     sizeof(jitscope_location));
    }
    return b->status;
}

static int put_variables(block *b, const jitscope_function *function, jitscope_function_record *record)
{
    int status = JITSCOPE_OK;
    record->variables = block_list(b, function->nvariables, sizeof(jitscope_variable_record));
    for (uint32_t i = 0; i < record->variables.count && !status; i++) {
        jitscope_variable variable;
        jitscope_variable_record out;
        passed_entry(function->variables, i, function->variable_size, &variable, sizeof variable);
        status = put_variable(b, &variable, &out);
        if (!status) {
            memcpy(block_entry(b, record->variables, i), &out, sizeof out);
        }
    }
    return status;
}

static int put_lines(block *b, const jitscope_function *function, jitscope_function_record *record)
{
    const char *last_file = NULL;
    uint32_t last_text = 0;
    uint64_t last = function->low;
    record->lines = block_list(b, function->nlines, sizeof(jitscope_line_record));
    for (uint32_t i = 0; i < record->lines.count && !b->status; i++) {
        jitscope_line line;
        passed_entry(function->lines, i, function->line_size, &line, sizeof line);
        if (line.address < last || line.address >= function->high) {
            return JITSCOPE_EARG;
        }
        last = line.address;
        if (line.file != last_file) {
            last_file = line.file;
            last_text = block_text(b, line.file);
        }
        const jitscope_line_record out = {
            .address = line.address, .file = last_text, .line = line.line, .flags = line.flags};
        if (!b->status) {
            memcpy(block_entry(b, record->lines, i), &out, sizeof out);
        }
    }
    return b->status;
}

static int function_build(block *b, const jitscope_function *function)
{
    jitscope_function_record record = {.version = JITSCOPE_VERSION,
                                       .size = sizeof record,
                                       .kind = function->kind,
                                       .machine = MACHINE,
                                       .low = function->low,
                                       .high = function->high,
                                       .line = function->line,
                                       .unwind = function->unwind};
    record.name = block_text(b, function->name);
    record.linkage_name = block_text(b, function->linkage_name);
    record.signature = block_text(b, function->signature);
    record.file = block_text(b, function->file);
    record.directory = block_text(b, function->directory);
    int status = layout_find(function->result, &record.result);
    if (!status) {
        status = put_variables(b, function, &record);
    }
    if (!status) {
        status = put_lines(b, function, &record);
    }
    if (!status && function->unwind == JITSCOPE_UNWIND_EH_FRAME) {
        if (function->eh_frame_size > JITSCOPE_BLOCK_MAX) {
            return JITSCOPE_ELIMIT;
        }
        record.eh_frame_address = (uint64_t)(uintptr_t)function->eh_frame;
        record.eh_frame = (jitscope_list){block_bytes(b, function->eh_frame, function->eh_frame_size),
                                          (uint32_t)function->eh_frame_size, 1};
    }
    return status ? status : block_finish(b, &record, sizeof record);
}

static int function_register(const jitscope_function *function, uint64_t *handle)
{
    block b;
    block_init(&b, sizeof(jitscope_function_record));
    int status = function_build(&b, function);
    if (status) {
        block_deinit(&b);
        return status;
    }
    const jitscope_function_record *record = (const jitscope_function_record *)b.data;
    status = table_publish(&__jitscope_descriptor.functions, b.data, b.size, handle);
    if (!status && (status = announce(record, *handle))) {
        table_withdraw(&__jitscope_descriptor.functions, *handle);
    }
    return status;
}

int jitscope_function_register(const jitscope_function *passed, uint64_t *handle)
{
    jitscope_function function;
    if (!handle ||
        !passed_structure(passed, offsetof(jitscope_function, line_size) + 4, &function, sizeof function) ||
        !is_sound(&function)) {
        return JITSCOPE_EARG;
    }
    tables_lock();
    int status = layouts_ready();
    if (!status) {
        status = function_register(&function, handle);
    }
    tables_unlock();
    return status;
}

int jitscope_function_unregister(uint64_t handle)
{
    tables_lock();
    int status = table_record(&__jitscope_descriptor.functions, handle) ? JITSCOPE_OK : JITSCOPE_ENOTFOUND;
    if (!status) {
        announce_end(handle);
        status = table_withdraw(&__jitscope_descriptor.functions, handle);
    }
    tables_unlock();
    return status;
}
