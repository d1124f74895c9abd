/* Finds where calls from compiled code may be on a thread's stack. A call leaves its return address there, so
 * a stack without such an address has no frame of compiled code, and need not be unwound. */
#include <string.h>

#include "program/model/object.h"
#include "program/parallel/parallel.h"

enum { PAGE = 4096, PIECE = 16 * PAGE, STACK_MAX = 64 << 20 };

typedef struct range {
    uint64_t lo, hi;
} range;

static range code_of(const js_program *program)
{
    range all = {UINT64_MAX, 0};
    for (size_t i = 0; i < program->nobjects; i++) {
        const js_object *object = program->objects[i];
        if (object && object->lo < object->hi) {
            all.lo = object->lo < all.lo ? object->lo : all.lo;
            all.hi = object->hi > all.hi ? object->hi : all.hi;
        }
    }
    return all;
}

/* Return the function that the word is a return address in, or NULL. The address follows the call, so it may
 * be the first byte after the function. */
static const js_function *returns_to(const js_program *program, const range *code, uint64_t word)
{
    return word > code->lo && word <= code->hi ? js_program_function(program, word - 1) : NULL;
}

/* Read the next piece of memory, or one page if not all of it can be read. Returns the bytes read; 0: none.
 */
static size_t read_piece(js_bytes *memory, uint64_t address, uint64_t limit, uint8_t *into)
{
    size_t size = PIECE - address % PAGE;
    if (limit - address < size) {
        size = (size_t)(limit - address);
    }
    if (!js_bytes_read(memory, address, into, size)) {
        return size;
    }
    size = PAGE - address % PAGE;
    if (limit - address < size) {
        size = (size_t)(limit - address);
    }
    return js_bytes_read(memory, address, into, size) ? 0 : size;
}

int js_program_return_to(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit,
                         js_function_test_fn is_meant, void *context, uint64_t *last)
{
    uint8_t piece[PIECE];
    range code = code_of(program);
    uint64_t at = sp & ~(uint64_t)7, found = 0;
    bool ends = false;
    while (at < limit && at - sp < STACK_MAX && !ends) {
        size_t size = read_piece(memory, at, limit, piece);
        ends = size < 8;
        for (size_t i = 0; i + 8 <= size; i += 8) {
            uint64_t word;
            memcpy(&word, piece + i, 8);
            const js_function *function = returns_to(program, &code, word);
            if (function && (!is_meant || is_meant(context, function))) {
                found = at + i;
            }
        }
        at += size;
    }
    if (at < limit) {
        return JS_ELIMIT;
    }
    *last = found;
    return found ? JS_OK : JS_ENOTFOUND;
}

int js_program_last_return(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit, uint64_t *last)
{
    return js_program_return_to(program, memory, sp, limit, NULL, NULL, last);
}
