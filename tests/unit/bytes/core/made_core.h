/* Makes cores in memory, for the tests of bytes/core/. */
#ifndef JS_TESTS_MADE_CORE_H
#define JS_TESTS_MADE_CORE_H

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/core/core.h"

enum { MADE_SEGMENTS = 8, MADE_NOTES = 1 << 16 };

/* A core that is being made: segments, then the notes, then the contents of the segments. */
typedef struct made_core {
    Elf64_Ehdr head;
    Elf64_Phdr segments[MADE_SEGMENTS];
    const void *contents[MADE_SEGMENTS];
    size_t count;
    uint8_t notes[MADE_NOTES];
    size_t noted;
} made_core;

static inline void made_init(made_core *made)
{
    memset(made, 0, sizeof *made);
    memcpy(made->head.e_ident, ELFMAG, SELFMAG);
    made->head.e_ident[EI_CLASS] = ELFCLASS64;
    made->head.e_ident[EI_DATA] = ELFDATA2LSB;
    made->head.e_ident[EI_VERSION] = EV_CURRENT;
    made->head.e_type = ET_CORE;
    made->head.e_machine = EM_X86_64;
    made->head.e_version = EV_CURRENT;
    made->head.e_phoff = sizeof made->head;
    made->head.e_ehsize = sizeof made->head;
    made->head.e_phentsize = sizeof(Elf64_Phdr);
}

static inline void made_note(made_core *made, uint32_t type, const void *content, size_t size)
{
    Elf64_Nhdr head = {.n_namesz = 5, .n_descsz = (uint32_t)size, .n_type = type};
    assert_true(made->noted + sizeof head + 8 + size + 4 <= MADE_NOTES);
    memcpy(made->notes + made->noted, &head, sizeof head);
    memcpy(made->notes + made->noted + sizeof head, "CORE\0\0\0", 8);
    memcpy(made->notes + made->noted + sizeof head + 8, content, size);
    made->noted += sizeof head + 8 + (size + 3) / 4 * 4;
}

/* Add a segment with `held` bytes of its `size`. */
static inline void made_segment(made_core *made, uint64_t address, uint64_t size, const void *content,
                                uint64_t held, uint32_t flags)
{
    made->contents[made->count] = content;
    made->segments[made->count++] = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_vaddr = address, .p_memsz = size, .p_filesz = held, .p_flags = flags};
}

/* A file of the core. The caller closes it. `extra`: headers of the type PT_NULL after the others, so that
 * the number needs PN_XNUM. */
static inline int made_file(made_core *made, uint32_t extra)
{
    uint32_t total = (uint32_t)made->count + 1 + extra;
    uint64_t notes = sizeof made->head + (uint64_t)total * sizeof(Elf64_Phdr), at = notes + made->noted;
    Elf64_Shdr first = {.sh_info = total};
    int fd = memfd_create("core", MFD_CLOEXEC);
    assert_true(fd >= 0);
    Elf64_Phdr note = {.p_type = PT_NOTE, .p_offset = notes, .p_filesz = made->noted};
    assert_int_equal(pwrite(fd, &note, sizeof note, sizeof made->head), sizeof note);
    assert_int_equal(pwrite(fd, made->notes, made->noted, (off_t)notes), made->noted);
    for (size_t i = 0; i < made->count; i++) {
        made->segments[i].p_offset = at;
        uint64_t size = made->segments[i].p_filesz;
        assert_int_equal(pwrite(fd, made->contents[i], size, (off_t)at), size);
        at += size;
    }
    off_t place = (off_t)(sizeof made->head + sizeof note);
    size_t size = made->count * sizeof(Elf64_Phdr);
    assert_int_equal(pwrite(fd, made->segments, size, place), size);
    made->head.e_phnum = total < PN_XNUM ? (uint16_t)total : PN_XNUM;
    if (total >= PN_XNUM) {
        made->head.e_shoff = at;
        made->head.e_shnum = 1;
        made->head.e_shentsize = sizeof first;
        assert_int_equal(pwrite(fd, &first, sizeof first, (off_t)at), sizeof first);
    }
    assert_int_equal(pwrite(fd, &made->head, sizeof made->head, 0), sizeof made->head);
    return fd;
}

static inline js_core *made_open(made_core *made)
{
    js_core *core;
    int fd = made_file(made, 0);
    assert_int_equal(js_core_create_fd(fd, &core), JS_OK);
    close(fd);
    return core;
}

#endif
