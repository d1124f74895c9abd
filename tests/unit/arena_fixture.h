/* An arena for each test; include this after cmocka.h. */
#ifndef TESTS_ARENA_FIXTURE_H
#define TESTS_ARENA_FIXTURE_H

#include "bytes/arena.h"

static js_arena arena;

static int set_up(void **state)
{
    (void)state;
    js_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&arena);
    return 0;
}
#endif
