/* Types, and memory at BASE in which values are; include this after cmocka.h. create and destroy are
 * cmocka's. */
#ifndef TESTS_VALUES_FIXTURE_H
#define TESTS_VALUES_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "values/api/render_api.h"

enum { BASE = 0x10000, WORDS = 4096 };

typedef struct fixture {
    js_types *types;
    js_bytes bytes;
    uint64_t memory[WORDS]; /* zeros */
} fixture;

static inline int create(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    js_types_create(&f->types);
    js_bytes_init_buffer(&f->bytes, BASE, f->memory, sizeof f->memory);
    *state = f;
    return 0;
}

/* Create the fixture with these bytes, and no memory after them. */
static inline int create_with(void **state, const void *contents, size_t size)
{
    int status = create(state);
    fixture *f = *state;
    memcpy(f->memory, contents, size);
    js_bytes_deinit(&f->bytes);
    js_bytes_init_buffer(&f->bytes, BASE, f->memory, size);
    return status;
}

static inline int destroy(void **state)
{
    fixture *f = *state;
    js_types_destroy(f->types);
    js_bytes_deinit(&f->bytes);
    free(f);
    return 0;
}
#endif
