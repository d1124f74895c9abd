/* Compares a file on disk with the page that a core holds of the file that was mapped. */
#include <string.h>

#include "bytes/core/contents.h"

/* Find the build-id in notes. */
static void find_in_notes(const uint8_t *notes, size_t size, js_core_build_id *out)
{
    for (size_t at = 0; size - at >= sizeof(Elf64_Nhdr);) {
        Elf64_Nhdr head;
        memcpy(&head, notes + at, sizeof head);
        at += sizeof head;
        size_t name = ((size_t)head.n_namesz + 3) / 4 * 4, content = ((size_t)head.n_descsz + 3) / 4 * 4;
        if (name > size - at || head.n_descsz > size - at - name) {
            return;
        }
        bool is_gnu = head.n_namesz == 4 && memcmp(notes + at, "GNU", 4) == 0;
        if (is_gnu && head.n_type == NT_GNU_BUILD_ID && head.n_descsz <= BUILD_ID_MAX) {
            memcpy(out->bytes, notes + at + name, head.n_descsz);
            out->size = head.n_descsz;
            return;
        }
        if (content > size - at - name) {
            return;
        }
        at += name + content;
    }
}

/* Find the build-id in the first `size` bytes of a file. */
static void find_build_id(const uint8_t *head, size_t size, js_core_build_id *out)
{
    Elf64_Ehdr header;
    out->size = 0;
    if (size < sizeof header) {
        return;
    }
    memcpy(&header, head, sizeof header);
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > size) {
        return;
    }
    size_t room = (size - header.e_phoff) / sizeof(Elf64_Phdr);
    for (size_t i = 0; i < header.e_phnum && i < room && out->size == 0; i++) {
        Elf64_Phdr part;
        memcpy(&part, head + header.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_NOTE && part.p_offset <= size && part.p_filesz <= size - part.p_offset) {
            find_in_notes(head + part.p_offset, part.p_filesz, out);
        }
    }
}

/* Read the page of a file's beginning, as far as the core holds it. Returns the number of bytes; 0: too few,
 * or they may have been written. */
static size_t read_mapped_head(js_core *core, const js_core_mapping *first, uint8_t *page)
{
    uint64_t next;
    const js_core_segment *segment = js_core_segment_at(core, first->start, &next);
    uint64_t held = segment ? js_core_held(core, segment, first->start) : 0;
    held = held < first->end - first->start ? held : first->end - first->start;
    size_t size = held < PAGE ? (size_t)held : PAGE;
    bool is_readable =
        size >= sizeof(Elf64_Ehdr) && !segment->is_writable &&
        js_core_read_file(core, segment->offset + (first->start - segment->start), page, size) == JS_OK;
    return is_readable ? size : 0;
}

js_core_reason js_core_compare_heads(js_core *core, const js_core_mapping *first, int fd)
{
    uint8_t mapped[PAGE], now[PAGE];
    size_t size = read_mapped_head(core, first, mapped);
    if (!size) {
        return JS_CORE_UNPROVEN;
    }
    memset(now, 0, sizeof now); /* as the kernel fills the page of a short file */
    for (size_t some = size; some && js_core_pread(fd, 0, now, some); some /= 2) {
        memset(now, 0, sizeof now);
    }
    js_core_build_id before, after;
    find_build_id(mapped, size, &before);
    find_build_id(now, size, &after);
    bool is_same = before.size && after.size
                       ? before.size == after.size && memcmp(before.bytes, after.bytes, before.size) == 0
                       : memcmp(mapped, now, size) == 0;
    return is_same ? JS_CORE_PRESENT : JS_CORE_DIFFERENT;
}

void js_core_find_build_id(js_core *core, const js_core_mapping *first, js_core_build_id *out)
{
    uint8_t mapped[PAGE];
    find_build_id(mapped, read_mapped_head(core, first, mapped), out);
}
