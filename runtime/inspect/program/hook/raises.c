/* Finds raising markers: a `nop` of its own kind. Code of the same line before it brings its arguments into
 * registers (runtime/python/jitscope/compiler/base/emit.py, raising_marker). */
#include <elf.h>
#include <string.h>

#include "program/hook/hook.h"
#include "program/model/object.h"

enum { RAISE_REACH = 64 /* bytes of code for the arguments, at most */ };

static const uint8_t x86_64[] = {0x0f, 0x1f, 0x44, 0x00, 0x6a}; /* nopl 0x6a(%rax,%rax) */
static const uint8_t aarch64[] = {0x5f, 0x2d, 0x03, 0xd5};      /* hint #0x6a */

uint64_t js_hook_raise_address(const js_function *function, const js_row *row)
{
    bool is_x86 = function->object->machine == EM_X86_64;
    const uint8_t *wanted = is_x86 ? x86_64 : aarch64;
    size_t size = is_x86 ? sizeof x86_64 : sizeof aarch64, step = is_x86 ? 1 : 4;
    if (!function->code || row->address < function->lo) {
        return 0;
    }
    for (size_t at = 0; at < RAISE_REACH && row->address + at + size <= function->hi; at += step) {
        if (memcmp(function->code + (row->address - function->lo) + at, wanted, size) == 0) {
            return row->address + at;
        }
    }
    return 0;
}
