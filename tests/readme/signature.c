/* Linkage names as their source: build/signature NAME… */
#include <stdio.h>
#include <string.h>

#include "program/names/names.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        js_name name;
        int status = js_name_init(&name, argv[i], strlen(argv[i]));
        if (status < 0) {
            fprintf(stderr, "%s: %s\n", argv[i], js_strerror(status));
            return 1;
        }
        js_text text;
        js_text_init(&text, 0);
        js_name_signature(&name, &text);
        printf("%s: %s\n", js_name_kind_text(name.kind), text.status == JS_OK ? text.data : "");
        js_text_deinit(&text);
        js_name_deinit(&name);
    }
    return 0;
}
