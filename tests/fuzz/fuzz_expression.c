/* Evaluates any expression over variables with any contents: "<expression>\n<contents>". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array_reports/array_report.h"
#include "bound.h"
#include "expressions/api/expression_api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const types[] = {
    "array(float64, 2d, A)",
    "array(int8, 1d, C)",
    "unicode_type",
    "Tuple(unicode_type, int64)",
    "OptionalType(int64)",
    "readonly bytes(uint8, 1d, C)",
    "array(complex64, 3d, A)",
    "array(Record(x[type=int32;offset=0],y[type=float64;offset=8];16;False), 1d, C)",
    "array(bool, 1d, A)",
    "[unichr x 4]",
    "uint64",
    "datetime64[D]",
};
enum {
    COUNT = sizeof types / sizeof types[0],
    CONTENTS = 256,
    POLLS = 4,
    BYTES_MAX = 1 << 30,
    READS_MAX = 1 << 26
};

static int memory(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    memset(buffer, (int)(address & 3), size);
    return address >> 40 ? JS_EFAULT : JS_OK;
}

/* What goes through more than a million elements is given up, as with Ctrl-C. */
static int poll(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return ++*(unsigned *)context > POLLS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a", "b", "s", "t", "o", "y", "c", "r", "m", "u", "n", "d"};
    const uint8_t *stop = memchr(data, '\n', size);
    size_t length = stop ? (size_t)(stop - data) : size;
    char *expression = calloc(1, length + 1);
    memcpy(expression, data, length);
    uint8_t contents[CONTENTS] = {0};
    size_t left = size - length;
    memcpy(contents, data + length, left < CONTENTS ? left : CONTENTS);
    js_api_variable variables[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        variables[i] = (js_api_variable){names[i], types[i], contents + i, CONTENTS - COUNT};
    }
    js_types *table;
    js_bytes bytes;
    unsigned polls = 0;
    char *text = NULL;
    js_bytes_init_callback(&bytes, memory, NULL);
    if (js_types_create(&table) == JS_OK) {
        js_api_evaluate(table, &bytes, variables, COUNT, expression, NULL, poll, &polls, &text);
        js_free(text);
        js_array_request request = {
            .where = expression, .other = expression, .columns = 8, .rows = 4, .limit = 5, .members = 1};
        bound_check(&bytes, BYTES_MAX, READS_MAX);
        bound_start(&bytes, data, size);
        polls = 0;
        js_api_array(table, &bytes, variables, COUNT, expression, &request, NULL, poll, &polls, &text);
        js_free(text);
        bound_check(&bytes, BYTES_MAX, READS_MAX);
        js_types_destroy(table);
    }
    js_bytes_deinit(&bytes);
    free(expression);
    return 0;
}
