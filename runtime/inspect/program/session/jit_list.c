/* Walks a list of GDB's JIT interface, and says whether it has changed. */
#include "program/session/jit_list.h"

#include <elf.h>

#include <string.h>

enum {
    MAX_ENTRIES = 1000000,
    HASHED_HEAD = 4 << 10,  /* bytes of the fingerprint of a large image: those at its begin */
    HASHED_TAIL = 60 << 10, /* and those at its end */
    REGISTERED = 1,         /* value of action_flag */
    SECTIONS_MAX = 512,     /* section headers of an image */
};

/* ---- fingerprints ---- */

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    uint64_t word;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = hash_word(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return hash_word(hash, word);
}

/* Return the fingerprint of an image of `size` bytes with this begin and end. */
static uint64_t hash_image(const uint8_t *head, const uint8_t *tail, uint64_t size)
{
    uint64_t hash = size <= HASHED_HEAD + HASHED_TAIL
                        ? hash_bytes(size, head, (size_t)size)
                        : hash_bytes(hash_bytes(size, head, HASHED_HEAD), tail, HASHED_TAIL);
    return hash ? hash : 1;
}

uint64_t js_jit_fingerprint(const uint8_t *image, size_t size)
{
    return hash_image(image, size > HASHED_TAIL ? image + size - HASHED_TAIL : image, size);
}

bool js_jit_read_fingerprint(js_bytes *bytes, uint64_t image, uint64_t size, uint64_t *out)
{
    uint8_t buffer[HASHED_HEAD + HASHED_TAIL];
    *out = 0;
    if (size <= sizeof buffer) {
        if (js_bytes_read(bytes, image, buffer, (size_t)size)) {
            return false;
        }
    } else if (image > UINT64_MAX - size || js_bytes_read(bytes, image, buffer, HASHED_HEAD) ||
               js_bytes_read(bytes, image + size - HASHED_TAIL, buffer + HASHED_HEAD, HASHED_TAIL)) {
        return false;
    }
    *out = hash_image(buffer, buffer + HASHED_HEAD, size);
    return true;
}

/* ---- the list ---- */

static bool read_head(js_bytes *bytes, uint64_t address, js_jit_descriptor *out)
{
    return js_bytes_read(bytes, address, out, sizeof *out) == JS_OK && out->version == 1;
}

/* A walk over a list. */
typedef struct walk {
    js_jit_entry_fn visit; /* NULL: nobody is to get the entries */
    void *context;
    uint64_t chain;
} walk;

/* Walk until a cycle (found by Brent's method), an entry that cannot be read, MAX_ENTRIES, or the visitor's
 * refusal. False: there may be entries that the visitor has not got. */
static bool walk_list(js_bytes *bytes, uint64_t first, walk *ctx)
{
    js_jit_entry entry;
    uint64_t kept = 0, address = first;
    size_t count = 0, power = 1;
    for (; address && address != kept; address = entry.next) {
        if (count == MAX_ENTRIES || js_bytes_read(bytes, address, &entry, sizeof entry)) {
            return false;
        }
        ctx->chain = hash_word(hash_word(hash_word(ctx->chain, address), entry.image), entry.size);
        if (ctx->visit && !ctx->visit(ctx->context, address, &entry)) {
            return false;
        }
        if (++count == power) {
            power *= 2;
            kept = address;
        }
    }
    return true;
}

/* Read the first entry and the fingerprint of its image; what cannot be read is 0. */
static void read_first(js_bytes *bytes, uint64_t address, js_jit_entry *entry, uint64_t *fingerprint)
{
    *fingerprint = 0;
    if (js_bytes_read(bytes, address, entry, sizeof *entry)) {
        *entry = (js_jit_entry){0};
    } else {
        js_jit_read_fingerprint(bytes, entry->image, entry->size, fingerprint);
    }
}

void js_jit_list_read(js_bytes *bytes, js_jit_list *list, js_jit_entry_fn visit, void *context)
{
    walk ctx = {visit, context, 0};
    *list = (js_jit_list){.address = list->address};
    list->is_readable = read_head(bytes, list->address, &list->head);
    if (!list->is_readable || !list->head.first) {
        return;
    }
    list->is_cut = !walk_list(bytes, list->head.first, &ctx);
    list->chain = ctx.chain;
    read_first(bytes, list->head.first, &list->first, &list->first_fingerprint);
}

bool js_jit_list_has_same_head(js_bytes *bytes, const js_jit_list *list)
{
    js_jit_descriptor head;
    bool is_readable = read_head(bytes, list->address, &head);
    return is_readable == list->is_readable && (!is_readable || memcmp(&head, &list->head, sizeof head) == 0);
}

/* True if the first entry is the one that was read, with its image. */
static bool has_same_first(js_bytes *bytes, const js_jit_list *list)
{
    js_jit_entry first;
    uint64_t fingerprint;
    if (!list->head.first) {
        return true;
    }
    read_first(bytes, list->head.first, &first, &fingerprint);
    return memcmp(&first, &list->first, sizeof first) == 0 && fingerprint == list->first_fingerprint;
}

bool js_jit_list_is_current(js_bytes *bytes, const js_jit_list *list)
{
    if (!js_jit_list_has_same_head(bytes, list) || (list->is_readable && !has_same_first(bytes, list))) {
        return false;
    }
    if (!list->is_readable || (list->head.action == REGISTERED && list->head.relevant == list->head.first)) {
        return true; /* the last change was the newest object's, and that is still there */
    }
    walk ctx = {0};
    return walk_list(bytes, list->head.first, &ctx) != list->is_cut && ctx.chain == list->chain;
}

bool js_jit_read_range(js_bytes *bytes, const js_jit_entry *entry, uint64_t *lo, uint64_t *hi)
{
    Elf64_Ehdr head;
    Elf64_Shdr sections[SECTIONS_MAX];
    *lo = UINT64_MAX;
    *hi = 0;
    if (entry->size < sizeof head || js_bytes_read(bytes, entry->image, &head, sizeof head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof *sections ||
        head.e_shnum > SECTIONS_MAX || head.e_shoff > entry->size ||
        (uint64_t)head.e_shnum * sizeof *sections > entry->size - head.e_shoff ||
        js_bytes_read(bytes, entry->image + head.e_shoff, sections, head.e_shnum * sizeof *sections)) {
        return false;
    }
    for (unsigned i = 0; i < head.e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];
        bool is_code = (section->sh_flags & SHF_EXECINSTR) && section->sh_addr && section->sh_size &&
                       section->sh_addr + section->sh_size > section->sh_addr;
        if (is_code) {
            *lo = section->sh_addr < *lo ? section->sh_addr : *lo;
            *hi = section->sh_addr + section->sh_size > *hi ? section->sh_addr + section->sh_size : *hi;
        }
    }
    return *lo < *hi;
}
