#include "stacks/cpython/place.h"

#include "stacks/cpython/frame.h"

enum { MAX_CALLERS = 64 /* frames outward that are looked at for one of Python code */ };

bool js_place_find(js_python *python, uint64_t address, js_python_frame *frame, const js_python_code **code)
{
    for (unsigned i = 0; i < MAX_CALLERS && address; i++, address = frame->previous) {
        if (js_python_read_frame(python, address, frame)) {
            return false;
        }
        if (frame->shim) {
            continue;
        }
        if (js_python_find_code(python, frame->code, code)) {
            return false;
        }
        if (!(*code)->internal) {
            return true;
        }
    }
    return false;
}

void js_place_put(js_python *python, const js_python_frame *frame, const js_python_code *code, int32_t line,
                  js_text *out)
{
    line = line == JS_NO_LINE ? js_python_line_of(python, code, frame->instruction) : line;
    js_text_put(out, "{");
    js_text_putn(out, code->json, code->json_length);
    if (line == JS_NO_LINE) {
        js_text_put(out, ", \"line\": null}");
    } else {
        js_text_printf(out, ", \"line\": %d}", line);
    }
}
