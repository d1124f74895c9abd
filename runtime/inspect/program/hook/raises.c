/* Finds raising markers and traps: a `nop` of its own kind each. Code of the same line before it brings its
 * arguments into registers (runtime/python/jitscope/compiler/base/emit.py, raising_marker and trap_marker).
 */
#include <elf.h>
#include <string.h>

#include "program/hook/hook.h"
#include "program/model/object.h"

enum { RAISE_REACH = 64 /* bytes of code for the arguments, at most */ };

static const uint8_t x86_64[][5] = {{0x0f, 0x1f, 0x44, 0x00, 0x6a},  /* nopl 0x6a(%rax,%rax) */
                                    {0x0f, 0x1f, 0x44, 0x00, 0x6b}}; /* nopl 0x6b(%rax,%rax) */
static const uint8_t aarch64[][4] = {{0x5f, 0x2d, 0x03, 0xd5},       /* hint #0x6a */
                                     {0x7f, 0x2d, 0x03, 0xd5}};      /* hint #0x6b */
static const char *const names[] = {JS_HOOK_RAISE, "jitscope.trap"};
enum { KINDS = sizeof names / sizeof *names };

/* Return the index in `names` of the instruction at the address; KINDS: it is another one. */
static size_t kind_at(const js_function *function, uint64_t address)
{
    bool is_x86 = function->object->machine == EM_X86_64;
    size_t size = is_x86 ? sizeof *x86_64 : sizeof *aarch64, kind = 0;
    const uint8_t *code = function->code + (address - function->lo);
    while (kind < KINDS && (address + size > function->hi ||
                            memcmp(code, is_x86 ? x86_64[kind] : aarch64[kind], size) != 0)) {
        kind++;
    }
    return kind;
}

uint64_t js_hook_raise_address(const js_function *function, const js_row *row)
{
    size_t step = function->object->machine == EM_X86_64 ? 1 : 4;
    if (!function->code || row->address < function->lo) {
        return 0;
    }
    for (size_t at = 0; at < RAISE_REACH && row->address + at < function->hi; at += step) {
        if (kind_at(function, row->address + at) < KINDS) {
            return row->address + at;
        }
    }
    return 0;
}

const char *js_hook_raise_name(const js_function *function, uint64_t address)
{
    size_t kind = function->code && address >= function->lo ? kind_at(function, address) : 0;
    return names[kind < KINDS ? kind : 0];
}
