/* Reads any bytes as a linkage name and as running text: the result must be JS_OK. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "program/names/names_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    js_name name;
    expect(js_name_init(&name, bytes, size) == JS_OK);
    js_text text;
    js_text_init(&text, 0);
    expect(js_name_signature(&name, &text) == JS_OK);
    expect(text.length == js_plain(name.qualname, strlen(name.qualname), NULL) +
                              js_plain(name.arguments, strlen(name.arguments), NULL));
    js_text_deinit(&text);
    js_text_init(&text, 0);
    expect(js_name_json(&name, &text) == JS_OK);
    js_text_deinit(&text);
    expect(js_name_kind_text(name.kind)[0] != '\0');
    js_name_deinit(&name);

    js_text_init(&text, 0);
    expect(js_names_filter(bytes, size, &text) == JS_OK);
    js_text_deinit(&text);
    return 0;
}
