/* Guards what compiled code asks of Numba's runtime. Compiled code calls these functions under the runtime's
 * names. A MemInfo names the allocator that frees it, so that it does not matter who does. */
#include <stdbool.h>
#include <string.h>

#include "guarding/arena.h"
#include "guarding/place.h"

typedef void (*dtor_function)(void *data, size_t size, void *info);

/* From numba/core/runtime/nrt.cpp and nrt_external.h, 0.55-0.68. */
typedef struct meminfo {
    size_t refct;
    dtor_function dtor;
    void *dtor_info;
    void *data;
    size_t size;
    void *external_allocator;
} meminfo;

typedef struct external_allocator {
    void *(*malloc)(size_t size, void *data);
    void *(*realloc)(void *memory, size_t size, void *data);
    void (*free)(void *memory, void *data);
    void *data;
} external_allocator;

enum {
    HEAD = 64,
    FRESH = 0xCB,
    PROBE = 40
}; /* bytes for the MemInfo; the runtime's filling; a trial's size */

/* jitscope_guard_nrt, by what its functions take. */
typedef struct functions {
    void *(*alloc)(size_t size);
    void *(*alloc_safe)(size_t size);
    void *(*alloc_dtor)(size_t size, dtor_function dtor);
    void *(*alloc_dtor_safe)(size_t size, dtor_function dtor);
    void *(*alloc_aligned)(size_t size, unsigned align);
    void *(*alloc_safe_aligned)(size_t size, unsigned align);
    void *(*alloc_safe_aligned_external)(size_t size, unsigned align, void *allocator);
    void (*release)(void *meminfo);
} functions;
_Static_assert(sizeof(functions) == sizeof(jitscope_guard_nrt), "a function is missing");

static functions original;
static __thread void *taken __attribute__((tls_model("initial-exec"))); /* what the runtime gets next */

static void *take(size_t size, void *data)
{
    (void)size;
    (void)data;
    return taken;
}

static void *refuse(void *memory, size_t size, void *data)
{
    (void)memory;
    (void)size;
    (void)data;
    return NULL; /* the runtime does not call it */
}

static void give(void *memory, void *data)
{
    jitscope_guard_place freed;
    (void)data;
    place_find(&freed, false);
    arena_give(memory, &freed);
}

static external_allocator guarding = {take, refuse, give, NULL};

static void run_dtor(void *data, size_t size, void *info)
{
    ((dtor_function)info)(data, size, NULL); /* as nrt_internal_custom_dtor does */
}

/* Let the runtime make a MemInfo of no size at the block's start, so that its statistics count it. */
static meminfo *make(jitscope_guarded *block)
{
    taken = (void *)(uintptr_t)block->start;
    meminfo *mi = original.alloc_safe_aligned_external(0, 1, &guarding);
    taken = NULL;
    return mi;
}

/* Return a MemInfo, or NULL: the caller calls the runtime's own function. */
static void *guarded(size_t size, uint32_t kind, dtor_function dtor, bool is_filled)
{
    jitscope_guard_place made;
    bool is_wanted = size || kind == JITSCOPE_GUARD_NRT; /* an array may have no elements */
    if (!is_wanted || !place_is_in_chosen_statement()) {
        return NULL;
    }
    place_find(&made, false);
    jitscope_guarded *block = arena_take(size, HEAD, kind, &made);
    if (!block) {
        return NULL;
    }
    meminfo *mi = make(block);
    mi->data = (void *)(uintptr_t)block->data;
    mi->size = size;
    mi->dtor = dtor ? run_dtor : NULL;
    mi->dtor_info = (void *)dtor;
    if (is_filled) {
        memset(mi->data, FRESH, size);
    }
    return mi;
}

static void *alloc(size_t size)
{
    void *mi = guarded(size, JITSCOPE_GUARD_OBJECT, NULL, false);
    return mi ? mi : original.alloc(size);
}

static void *alloc_safe(size_t size)
{
    void *mi = guarded(size, JITSCOPE_GUARD_OBJECT, NULL, true);
    return mi ? mi : original.alloc_safe(size);
}

static void *alloc_dtor(size_t size, dtor_function dtor)
{
    void *mi = guarded(size, JITSCOPE_GUARD_OBJECT, dtor, false);
    return mi ? mi : original.alloc_dtor(size, dtor);
}

static void *alloc_dtor_safe(size_t size, dtor_function dtor)
{
    void *mi = guarded(size, JITSCOPE_GUARD_OBJECT, dtor, true);
    return mi ? mi : original.alloc_dtor_safe(size, dtor);
}

static void *alloc_aligned(size_t size, unsigned align)
{
    void *mi = guarded(size, JITSCOPE_GUARD_NRT, NULL, false);
    return mi ? mi : original.alloc_aligned(size, align);
}

static void *alloc_safe_aligned(size_t size, unsigned align)
{
    void *mi = guarded(size, JITSCOPE_GUARD_NRT, NULL, true);
    return mi ? mi : original.alloc_safe_aligned(size, align);
}

/* True if the runtime's MemInfo is laid out as above. */
static bool is_known(void)
{
    jitscope_guard_place made = {0};
    jitscope_guarded *block = arena_take(PROBE, HEAD, JITSCOPE_GUARD_NRT, &made);
    if (!block) {
        return false;
    }
    uint8_t after[HEAD - sizeof(meminfo)], *start = (uint8_t *)(uintptr_t)block->start;
    memset(start, 0, HEAD);
    memset(after, 0, sizeof after);
    meminfo *mi = make(block);
    bool is = (uint8_t *)mi == start && mi->refct == 1 && mi->data == start + sizeof *mi && mi->size == 0 &&
              mi->external_allocator == &guarding && memcmp(start + sizeof *mi, after, sizeof after) == 0;
    if (is) {
        original.release(mi);
        is = arena_find(start) == NULL;
    }
    return is;
}

int jitscope_guard_numba(jitscope_guard_nrt *of)
{
    memcpy(&original, of, sizeof original);
    if (!is_known()) {
        return JITSCOPE_EARG;
    }
    functions guarding_ones = {.alloc = alloc,
                               .alloc_safe = alloc_safe,
                               .alloc_dtor = alloc_dtor,
                               .alloc_dtor_safe = alloc_dtor_safe,
                               .alloc_aligned = alloc_aligned,
                               .alloc_safe_aligned = alloc_safe_aligned,
                               .alloc_safe_aligned_external = original.alloc_safe_aligned_external,
                               .release = original.release};
    memcpy(of, &guarding_ones, sizeof guarding_ones);
    return JITSCOPE_OK;
}
