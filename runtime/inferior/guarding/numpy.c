/* Guards what NumPy's default handler makes. Its functions are replaced within the handler, because a handler
 * that is set (PyDataMem_SetHandler) holds for one context only, and threads have contexts of their own. Each
 * function passes on what is not guarded, so that memory is freed by what has made it. */
#include <stdbool.h>
#include <string.h>

#include "guarding/arena.h"
#include "guarding/place.h"

/* From numpy/ndarraytypes.h, 1.22-2.5: PyDataMemAllocator, PyDataMem_Handler. */
typedef struct allocator {
    void *context;
    void *(*malloc)(void *context, size_t size);
    void *(*calloc)(void *context, size_t count, size_t size);
    void *(*realloc)(void *context, void *data, size_t size);
    void (*free)(void *context, void *data, size_t size);
} allocator;

typedef struct handler {
    char name[127];
    uint8_t version;
    allocator functions;
} handler;

static allocator original;

static void *take(size_t size)
{
    jitscope_guard_place made;
    if (!size || !place_is_chosen()) {
        return NULL;
    }
    place_find(&made, true);
    jitscope_guarded *block = arena_take(size, 0, JITSCOPE_GUARD_NUMPY, &made);
    return block ? (void *)(uintptr_t)block->data : NULL;
}

static void give(void *data)
{
    jitscope_guard_place freed;
    place_find(&freed, true);
    arena_give(data, &freed);
}

static void *guarded_malloc(void *context, size_t size)
{
    void *data = take(size);
    return data ? data : original.malloc(context, size);
}

static void *guarded_calloc(void *context, size_t count, size_t size)
{
    size_t all;
    void *data = __builtin_mul_overflow(count, size, &all) ? NULL : take(all);
    return data ? data : original.calloc(context, count, size);
}

static void guarded_free(void *context, void *data, size_t size)
{
    if (arena_holds(data)) {
        give(data);
    } else {
        original.free(context, data, size);
    }
}

/* Unguarded data stays so. Guarded data moves, unless there is no memory. */
static void *guarded_realloc(void *context, void *data, size_t size)
{
    if (!arena_holds(data)) {
        return original.realloc(context, data, size);
    }
    const jitscope_guarded *block = arena_find(data);
    size_t before = block ? block->size : 0;
    void *moved = take(size);
    moved = moved ? moved : original.malloc(context, size);
    if (moved) {
        memcpy(moved, data, before < size ? before : size);
        give(data);
    }
    return moved;
}

int jitscope_guard_numpy(void *of)
{
    handler *numpy = of;
    if (original.free || numpy->version != 1 || strcmp(numpy->name, "default_allocator") != 0) {
        return JITSCOPE_EARG;
    }
    original = numpy->functions;
    __atomic_store_n(&numpy->functions.free, guarded_free, __ATOMIC_SEQ_CST);
    __atomic_store_n(&numpy->functions.realloc, guarded_realloc, __ATOMIC_SEQ_CST);
    __atomic_store_n(&numpy->functions.calloc, guarded_calloc, __ATOMIC_SEQ_CST);
    __atomic_store_n(&numpy->functions.malloc, guarded_malloc, __ATOMIC_SEQ_CST);
    return JITSCOPE_OK;
}
