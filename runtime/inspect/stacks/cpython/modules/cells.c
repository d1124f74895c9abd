/* Finds IPython's numbers of the cells that have run. */
#include "stacks/cpython/modules/cells.h"

#include <inttypes.h>
#include <string.h>

#include "stacks/cpython/modules/linecache.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"

enum {
    CELLS_MAX = 1 << 16,
    DIGIT = 30,                          /* bits of a digit of an int */
    COMPARED = JS_PYTHON_NAME_LIMIT - 8, /* bytes of a cell that are compared, at most */
};

/* Append one cell; what is not of the known form is left out. */
static int put_cell(js_python *python, uint64_t key, uint64_t value, js_text *out)
{
    char name[JS_PYTHON_NAME_LIMIT + 4];
    js_python_object number;
    uint32_t digits[2] = {0};
    size_t length;
    int status = js_python_read_str(&python->memory, &python->offsets, key, name, &length);
    status = status ? status : js_object_read(python->bytes, value, &number);
    if (status || number.kind != JS_OBJECT_INT || number.is_negative || number.length > 2) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    status = js_memory_read(&python->memory, number.data, digits, number.length * sizeof *digits);
    if (status) {
        return status;
    }
    js_text_put(out, out->length > 1 ? ", " : "");
    js_text_json_string(out, name, length);
    js_text_printf(out, ": %" PRIu64, (uint64_t)digits[1] << DIGIT | digits[0]);
    return out->status;
}

int js_python_put_cells(js_python *python, js_text *out)
{
    /* CachingCompiler._filename_map: IPython/core/compilerop.py, 8.0 to 9.18. The class has its only
     * instance: traitlets/config/configurable.py, SingletonConfigurable.instance(). */
    static const char *const path[] = {"InteractiveShell", "_instance", "compile", "_filename_map"};
    js_python_object of, found;
    uint64_t key, value;
    int status = js_python_find_module(python, "IPython.core.interactiveshell", &of);
    for (size_t i = 0; !status && i < sizeof path / sizeof *path; i++) {
        status = js_python_find_attribute(python, &of, path[i], &found);
        of = found;
    }
    if (!status && of.kind != JS_OBJECT_DICT) {
        status = JS_ENOTFOUND;
    }
    js_text_put(out, "{");
    for (uint64_t slot = 0; !status && slot < of.slots && slot < CELLS_MAX; slot++) {
        status = js_object_item(python->bytes, &of, slot, &key, &value);
        if (!status && key) {
            status = put_cell(python, key, value, out);
        }
    }
    js_text_put(out, "}");
    return status ? status : out->status;
}

static size_t without_newlines(const char *text, size_t length)
{
    while (length && text[length - 1] == '\n') {
        length--;
    }
    return length < COMPARED ? length : COMPARED;
}

int js_python_check_cell(js_python *python, const char *name, uint64_t number)
{
    char ran[JS_PYTHON_NAME_LIMIT + 4];
    js_python_object module, history;
    uint64_t address, unused;
    size_t length;
    /* The list of the texts by their numbers, as they were compiled: HistoryManager.input_hist_parsed
     * (IPython/core/history.py, 8.0 to 9.18). */
    int status = js_python_find_module(python, "__main__", &module);
    status = status ? status : js_python_find_attribute(python, &module, "_ih", &history);
    if (!status && (history.kind != JS_OBJECT_LIST || number >= history.length)) {
        status = JS_ENOTFOUND;
    }
    status = status ? status : js_object_item(python->bytes, &history, number, &address, &unused);
    if (!status) {
        status = js_python_read_str(&python->memory, &python->offsets, address, ran, &length);
    }
    if (status) {
        return status;
    }
    js_text text;
    js_text_init(&text, 0);
    status = js_python_linecache(python, name, &text);
    if (!status) {
        size_t kept = without_newlines(text.data, text.length), size = without_newlines(ran, length);
        status = kept == size && memcmp(text.data, ran, size) == 0 ? JS_OK : JS_ENOTFOUND;
    }
    js_text_deinit(&text);
    return status;
}
