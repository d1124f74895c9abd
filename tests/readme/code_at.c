/* Frames of compiled code at addresses of a process: build/code_at PID ADDRESS… */
#include <stdio.h>
#include <stdlib.h>

#include "program/live/names.h"

int main(int argc, char **argv)
{
    js_names *names;
    js_names_frame frames[32];
    int status = js_names_create(argc > 1 ? atoi(argv[1]) : 0, &names);
    if (status == JS_OK) {
        status = js_names_update(names); /* again whenever the process may have compiled more */
    }
    if (status != JS_OK) {
        fprintf(stderr, "%s\n", js_strerror(status));
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        size_t count = js_names_at(names, strtoull(argv[i], NULL, 16), frames, 32);
        for (size_t k = 0; k < count && k < 32; k++) {
            printf("%s %s:%u%s\n", frames[k].name, frames[k].file, frames[k].line,
                   frames[k].is_inlined ? " (inlined)" : "");
        }
    }
    js_names_destroy(names);
    return 0;
}
