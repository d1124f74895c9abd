/* Announces functions to GDB by its JIT interface. The symbols of the interface are this library's own: GDB
 * takes one pair of them from each library, and LLVM's own pair stays as it is. Source: GDB manual, "JIT
 * Compilation Interface". */
#include <elf.h>
#include <stdlib.h>

#include "registration/descriptor.h"
#include "registration/jit_lists.h"
#include "system/anchor.h"

typedef struct jit_code_entry {
    struct jit_code_entry *next, *prev;
    const char *symfile_addr;
    uint64_t symfile_size;
} jit_code_entry;

struct jit_descriptor {
    uint32_t version;
    uint32_t action_flag;
    jit_code_entry *relevant_entry;
    jit_code_entry *first_entry;
};

enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };

/* Hidden, so that references of other libraries are not bound to them. GDB finds them in the symbol table. */
extern struct jit_descriptor __jit_debug_descriptor;
void __jit_debug_register_code(void);

struct jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, NULL, NULL};

ANCHOR void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

/* ---- the object ---- */

enum { SECTION_NONE, SECTION_TEXT, SECTION_NOTE, SECTION_SYMBOLS, SECTION_STRINGS, SECTIONS };

/* The names of the sections; the symbol's name follows them in the object. */
static const char section_names[] = "\0.text\0.note.jitscope\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_NOTE = 7, NAME_SYMTAB = 22, NAME_STRTAB = 30, NAME_SYMBOL = sizeof section_names };

typedef struct object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[SECTIONS];
    Elf64_Nhdr note_header;
    char note_name[12];
    jitscope_note note;
    Elf64_Sym symbols[2];
    char strings[]; /* section_names, the symbol's name */
} object;

typedef struct announcement {
    jit_code_entry entry;
    object object;
} announcement;

/* Fill in an object, which is zeroed and has room for the strings. */
static void object_init(object *o, uint32_t machine, uint64_t low, uint64_t high, const char *name,
                        size_t name_size)
{
    memcpy(o->header.e_ident, ELFMAG, SELFMAG);
    o->header.e_ident[EI_CLASS] = ELFCLASS64;
    o->header.e_ident[EI_DATA] = ELFDATA2LSB;
    o->header.e_ident[EI_VERSION] = EV_CURRENT;
    o->header.e_type = ET_REL;
    o->header.e_machine = (Elf64_Half)machine;
    o->header.e_version = EV_CURRENT;
    o->header.e_shoff = offsetof(object, sections);
    o->header.e_ehsize = sizeof o->header;
    o->header.e_shentsize = sizeof(Elf64_Shdr);
    o->header.e_shnum = SECTIONS;
    o->header.e_shstrndx = SECTION_STRINGS;
    o->sections[SECTION_TEXT] = (Elf64_Shdr){.sh_name = NAME_TEXT,
                                             .sh_type = SHT_NOBITS,
                                             .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                             .sh_addr = low,
                                             .sh_offset = sizeof *o,
                                             .sh_size = high - low,
                                             .sh_addralign = 1};
    o->sections[SECTION_NOTE] =
        (Elf64_Shdr){.sh_name = NAME_NOTE,
                     .sh_type = SHT_NOTE,
                     .sh_offset = offsetof(object, note_header),
                     .sh_size = offsetof(object, symbols) - offsetof(object, note_header),
                     .sh_addralign = 4};
    o->sections[SECTION_SYMBOLS] = (Elf64_Shdr){.sh_name = NAME_SYMTAB,
                                                .sh_type = SHT_SYMTAB,
                                                .sh_offset = offsetof(object, symbols),
                                                .sh_size = sizeof o->symbols,
                                                .sh_link = SECTION_STRINGS,
                                                .sh_info = 1,
                                                .sh_addralign = 8,
                                                .sh_entsize = sizeof(Elf64_Sym)};
    o->sections[SECTION_STRINGS] = (Elf64_Shdr){.sh_name = NAME_STRTAB,
                                                .sh_type = SHT_STRTAB,
                                                .sh_offset = sizeof *o,
                                                .sh_size = sizeof section_names + name_size,
                                                .sh_addralign = 1};
    o->symbols[1] = (Elf64_Sym){.st_name = NAME_SYMBOL,
                                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                .st_shndx = SECTION_TEXT,
                                .st_size = high - low};
    memcpy(o->strings, section_names, sizeof section_names);
    memcpy(o->strings + sizeof section_names, name, name_size);
}

/* Put the object into the list, and call the function where a debugger waits. */
static void announce_object(announcement *a, uint32_t note_type, uint64_t function, size_t size)
{
    object *o = &a->object;
    o->note_header = (Elf64_Nhdr){sizeof JITSCOPE_NOTE_NAME, sizeof o->note, note_type};
    memcpy(o->note_name, JITSCOPE_NOTE_NAME, sizeof JITSCOPE_NOTE_NAME);
    o->note = (jitscope_note){.version = JITSCOPE_VERSION,
                              .size = sizeof o->note,
                              .descriptor = (uint64_t)(uintptr_t)&__jitscope_descriptor,
                              .function = function,
                              .entry = (uint64_t)(uintptr_t)&a->entry,
                              .interface = (uint64_t)(uintptr_t)&__jit_debug_descriptor};
    a->entry.symfile_addr = (const char *)o;
    a->entry.symfile_size = size;
    a->entry.next = __jit_debug_descriptor.first_entry;
    if (a->entry.next) {
        a->entry.next->prev = &a->entry;
    }
    __jit_debug_descriptor.first_entry = &a->entry;
    __jit_debug_descriptor.relevant_entry = &a->entry;
    __jit_debug_descriptor.action_flag = JIT_REGISTER;
    __jit_debug_register_code();
}

/* The announcement of each function, by the index of its slot. Grows, and never shrinks. */
static announcement **announced;
static size_t nannounced;

static size_t index_of(uint64_t handle)
{
    return (size_t)(handle & UINT32_MAX) - 1;
}

static bool announced_reserve(size_t index)
{
    size_t count = nannounced ? nannounced : 64;
    while (count <= index) {
        count *= 2;
    }
    if (count == nannounced) {
        return true;
    }
    announcement **grown = realloc(announced, count * sizeof(announcement *));
    if (!grown) {
        return false;
    }
    memset(grown + nannounced, 0, (count - nannounced) * sizeof(announcement *));
    announced = grown;
    nannounced = count;
    return true;
}

int announce(const jitscope_function_record *record, uint64_t handle)
{
    const char *name = (const char *)record + record->name;
    size_t name_size = strlen(name) + 1, strings = sizeof section_names + name_size;
    announcement *a = announced_reserve(index_of(handle)) ? calloc(1, sizeof *a + strings) : NULL;
    if (!a) {
        return JITSCOPE_ENOMEM;
    }
    announced[index_of(handle)] = a;
    object_init(&a->object, record->machine, record->low, record->high, name, name_size);
    announce_object(a, JITSCOPE_NOTE_FUNCTION, handle, sizeof a->object + strings);
    return JITSCOPE_OK;
}

bool announce_stop(uint64_t address)
{
#if defined __aarch64__
    const uint32_t machine = EM_AARCH64;
#else
    const uint32_t machine = EM_X86_64;
#endif
    static const char name[] = "jitscope_stopped";
    static union {
        announcement a;
        char room[sizeof(announcement) + sizeof section_names + sizeof name];
    } only;
    if (!tables_try_lock()) {
        return false;
    }
    if (!only.a.entry.symfile_size) { /* another thread may have been faster */
        object_init(&only.a.object, machine, address, address + 1, name, sizeof name);
        announce_object(&only.a, JITSCOPE_NOTE_STOP, 0,
                        sizeof only.a.object + sizeof section_names + sizeof name);
    }
    tables_unlock();
    return true;
}

void announce_end(uint64_t handle)
{
    announcement *a = announced[index_of(handle)];
    jit_code_entry *entry = &a->entry;
    announced[index_of(handle)] = NULL;
    if (entry->next) {
        entry->next->prev = entry->prev;
    }
    if (entry->prev) {
        entry->prev->next = entry->next;
    } else {
        __jit_debug_descriptor.first_entry = entry->next;
    }
    __jit_debug_descriptor.relevant_entry = entry;
    __jit_debug_descriptor.action_flag = JIT_UNREGISTER;
    __jit_debug_register_code();
    __jit_debug_descriptor.relevant_entry = NULL;
    __jit_debug_descriptor.action_flag = JIT_NOACTION;
    free(a);
}

uintptr_t announce_code(void)
{
    return (uintptr_t)__jit_debug_register_code;
}

void *jitscope_watched_code(void)
{
    jit_lists *lists = malloc(sizeof(*lists));
    uint64_t found = lists ? jit_code_of(lists, "llvm") : 0;
    free(lists);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
    return (void *)(found ? (uintptr_t)found : (uintptr_t)__jit_debug_register_code);
}
