/* A library that registers by GDB's JIT interface what no JIT would register: for test_names.py. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next, *previous;
    const void *image;
    uint64_t size;
};

struct {
    uint32_t version, action;
    struct entry *relevant, *first;
} __jit_debug_descriptor = {1, 0, NULL, NULL};

static struct entry entries[5];

void register_all(void)
{
    char *image = calloc(1, 4096);
    memcpy(image, "\177ELF\2\1\1", 7);
    memset(image + 16, 0xff, 4000);
    const struct entry given[5] = {
        {.image = (void *)8, .size = 100},         /* not mapped */
        {.image = image, .size = 4096},            /* an ELF header, and nonsense */
        {.image = "no ELF", .size = 6},            /* too small */
        {.image = image, .size = UINT64_MAX - 64}, /* too large */
        {.image = image, .size = 0},               /* nothing */
    };
    memcpy(entries, given, sizeof given);
    for (int i = 0; i < 5; i++) {
        entries[i].next = &entries[(i + 1) % 5]; /* a circle */
    }
    __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = entries;
    __jit_debug_descriptor.action = 1;
}
