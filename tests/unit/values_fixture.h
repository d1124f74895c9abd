/* Types, and memory at BASE that values lie in; include it behind cmocka.h. */
#ifndef TESTS_VALUES_FIXTURE_H
#define TESTS_VALUES_FIXTURE_H

#include <stdlib.h>

#include "values/render_api.h"

enum { BASE = 0x10000, WORDS = 4096 };

typedef struct fixture {
    js_types *types;
    js_bytes bytes;
    uint64_t memory[WORDS]; /* zeros */
} fixture;

static int create(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    js_types_create(&f->types);
    js_bytes_init_buffer(&f->bytes, BASE, f->memory, sizeof f->memory);
    *state = f;
    return 0;
}

static int destroy(void **state)
{
    fixture *f = *state;
    js_types_destroy(f->types);
    js_bytes_deinit(&f->bytes);
    free(f);
    return 0;
}
#endif
