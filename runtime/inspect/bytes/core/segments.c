/* Reads the headers of a core. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes/core/contents.h"
#include "bytes/maps/ranges.h"

enum { SEGMENTS_MAX = 1 << 21, SEGMENTS_AT_ONCE = 1024 };

int js_core_pread(int fd, uint64_t offset, void *buffer, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (offset > INT64_MAX || offset + done > INT64_MAX) {
            return JS_EFAULT;
        }
        ssize_t got = pread(fd, (char *)buffer + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return JS_ESYS;
        }
        if (got == 0) {
            return JS_EFAULT;
        }
        done += (size_t)got;
    }
    return JS_OK;
}

int js_core_read_file(const js_core *core, uint64_t offset, void *buffer, size_t size)
{
    return core->served ? js_served_read(core->served, offset, buffer, size)
                        : js_core_pread(core->fd, offset, buffer, size);
}

void js_core_require(js_core *core, uint64_t offset, uint64_t size)
{
    uint64_t end = offset + size < offset ? UINT64_MAX : offset + size;
    if (size && end > core->size && end - core->size > core->lacking) {
        core->lacking = end - core->size;
    }
}

static int check_header(const Elf64_Ehdr *head)
{
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) {
        return JS_ENOTFOUND;
    }
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB) {
        return JS_EUNSUP;
    }
    if (head->e_type != ET_CORE) {
        return JS_EARG;
    }
    if (!js_core_knows_machine(head->e_machine)) {
        return JS_EUNSUP;
    }
    return head->e_phentsize == sizeof(Elf64_Phdr) ? JS_OK : JS_EBAD;
}

/* Return the number of program headers by the place of the notes, which the kernel writes after them. It is
 * for cores that lack their end, where the section header would be. */
static uint64_t count_by_notes(const js_core *core, const Elf64_Ehdr *head)
{
    Elf64_Phdr first;
    if (js_core_read_file(core, head->e_phoff, &first, sizeof first) || first.p_type != PT_NOTE ||
        first.p_offset < head->e_phoff) {
        return PN_XNUM;
    }
    return (first.p_offset - head->e_phoff) / sizeof first;
}

/* Find the number of program headers that the file has. With PN_XNUM the number is in a section header. */
static int count_headers(js_core *core, const Elf64_Ehdr *head, uint64_t *count)
{
    *count = head->e_phnum;
    if (head->e_phnum == PN_XNUM) {
        Elf64_Shdr first;
        js_core_require(core, head->e_shoff, sizeof first);
        *count = js_core_read_file(core, head->e_shoff, &first, sizeof first) == JS_OK
                     ? first.sh_info
                     : count_by_notes(core, head);
    }
    if (*count > SEGMENTS_MAX) {
        return JS_ELIMIT;
    }
    js_core_require(core, head->e_phoff, *count * sizeof(Elf64_Phdr));
    uint64_t room = head->e_phoff < core->size ? (core->size - head->e_phoff) / sizeof(Elf64_Phdr) : 0;
    core->lacks_segments = *count > room;
    *count = *count < room ? *count : room;
    return JS_OK;
}

static void add_segment(js_core *core, const Elf64_Phdr *header)
{
    uint64_t end = header->p_vaddr + header->p_memsz;
    if (header->p_memsz == 0) {
        return;
    }
    if (end < header->p_vaddr) {
        end = UINT64_MAX;
    }
    uint64_t size = end - header->p_vaddr;
    js_core_segment *segment = &core->segments[core->segment_count++];
    *segment = (js_core_segment){.start = header->p_vaddr,
                                 .end = end,
                                 .held = header->p_filesz < size ? header->p_filesz : size,
                                 .offset = header->p_offset,
                                 .is_writable = header->p_flags & PF_W,
                                 .is_code = header->p_flags & PF_X};
    js_core_require(core, segment->offset, segment->held);
}

static int compare_segments(const void *left, const void *right)
{
    const js_core_segment *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* Read `count` program headers; the file has them. */
static int read_headers(js_core *core, uint64_t offset, uint64_t count,
                        int (*note)(js_core *core, uint64_t offset, uint64_t size))
{
    Elf64_Phdr headers[SEGMENTS_AT_ONCE];
    for (uint64_t done = 0, some; done < count; done += some) {
        some = count - done < SEGMENTS_AT_ONCE ? count - done : SEGMENTS_AT_ONCE;
        int status =
            js_core_read_file(core, offset + done * sizeof *headers, headers, some * sizeof *headers);
        if (status) {
            return status == JS_EFAULT ? JS_EBAD : status;
        }
        for (uint64_t i = 0; i < some && status == JS_OK; i++) {
            if (headers[i].p_type == PT_LOAD) {
                add_segment(core, &headers[i]);
            } else if (headers[i].p_type == PT_NOTE) {
                status = note(core, headers[i].p_offset, headers[i].p_filesz);
            }
        }
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

int js_core_read_segments(js_core *core, int (*note)(js_core *core, uint64_t offset, uint64_t size))
{
    Elf64_Ehdr head = {.e_ident = {0}};
    uint64_t count = 0;
    int status = js_core_read_file(core, 0, &head, sizeof head);
    if (status == JS_EFAULT) { /* the file is shorter than a header */
        memset(&head, 0, sizeof head);
        js_core_read_file(core, 0, head.e_ident, SELFMAG);
        return memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 ? JS_EFAULT : JS_ENOTFOUND;
    }
    if (status == JS_OK) {
        status = check_header(&head);
    }
    if (status == JS_OK) {
        core->machine = head.e_machine;
        status = count_headers(core, &head, &count);
    }
    if (status) {
        return status;
    }
    core->segments = malloc((count ? count : 1) * sizeof *core->segments);
    if (!core->segments) {
        return JS_ENOMEM;
    }
    status = read_headers(core, head.e_phoff, count, note);
    qsort(core->segments, core->segment_count, sizeof *core->segments, compare_segments);
    return status;
}

const js_core_segment *js_core_segment_at(const js_core *core, uint64_t address, uint64_t *next)
{
    size_t before = js_ranges_before(core->segments, core->segment_count, sizeof *core->segments, address);
    const js_core_segment *found = before ? &core->segments[before - 1] : NULL;
    *next = before < core->segment_count ? core->segments[before].start : UINT64_MAX;
    return found && address < found->end ? found : NULL;
}

uint64_t js_core_held(const js_core *core, const js_core_segment *segment, uint64_t address)
{
    uint64_t distance = address - segment->start;
    if (distance >= segment->held || segment->offset >= core->size ||
        distance >= core->size - segment->offset) {
        return 0;
    }
    uint64_t in_segment = segment->held - distance, in_file = core->size - segment->offset - distance;
    return in_segment < in_file ? in_segment : in_file;
}

int js_core_range_at(const js_core *core, size_t index, js_core_range *out)
{
    if (index >= core->segment_count) {
        return JS_ENOTFOUND;
    }
    const js_core_segment *segment = &core->segments[index];
    *out = (js_core_range){segment->start, segment->end, segment->is_code};
    return JS_OK;
}
