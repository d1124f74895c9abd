/* Reads the note of an in-memory object that libjitscope.so has registered. */
#include <gelf.h>
#include <string.h>

#include "program/read/described/record.h"

/* Read the note of jitscope, and return its type; 0: there is none. */
static uint32_t read_note(Elf_Data *data, jitscope_note *out)
{
    GElf_Nhdr header;
    size_t offset = 0, next, name, content;
    while ((next = gelf_getnote(data, offset, &header, &name, &content)) > 0) {
        const char *bytes = data->d_buf;
        if (header.n_namesz == sizeof JITSCOPE_NOTE_NAME &&
            !memcmp(bytes + name, JITSCOPE_NOTE_NAME, sizeof JITSCOPE_NOTE_NAME)) {
            memset(out, 0, sizeof *out);
            memcpy(out, bytes + content, header.n_descsz < sizeof *out ? header.n_descsz : sizeof *out);
            return header.n_descsz >= 24 ? header.n_type : 0; /* 24 bytes: the members of the first version */
        }
        offset = next;
    }
    return 0;
}

static uint32_t find_note(const void *image, size_t size, jitscope_note *out)
{
    uint32_t found = 0;
    if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG) != 0) {
        return 0;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)(uintptr_t)image, size); /* nothing writes to it */
    Elf_Scn *scn = NULL;
    while (elf && !found && (scn = elf_nextscn(elf, scn))) {
        GElf_Shdr header;
        Elf_Data *data;
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_NOTE && (data = elf_getdata(scn, NULL))) {
            found = read_note(data, out);
        }
    }
    if (elf) {
        elf_end(elf);
    }
    return found;
}

int js_described_note(const void *image, size_t size, jitscope_note *out)
{
    return find_note(image, size, out) == JITSCOPE_NOTE_FUNCTION ? JS_OK : JS_ENOTFOUND;
}

int js_described_origin(const void *image, size_t size, uint64_t *entry, uint64_t *interface, bool *is_stop)
{
    jitscope_note note;
    uint32_t type = find_note(image, size, &note);
    *entry = *interface = 0;
    *is_stop = type == JITSCOPE_NOTE_STOP;
    if (type != JITSCOPE_NOTE_FUNCTION && !*is_stop) {
        return JS_ENOTFOUND;
    }
    *entry = note.entry;
    *interface = note.interface;
    return JS_OK;
}
