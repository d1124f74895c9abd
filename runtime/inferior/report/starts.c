/* Leads calls of pthread_create() through this library: a thread gets its stack for signals at its start, and
 * nothing else lets code run there. The entries for it in the libraries' global offset tables are replaced,
 * as LD_PRELOAD would have it, which has to be there before the program starts. */
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "jitscope_report.h"

enum {
    PAGE = 4096,
    LIBRARIES = 2048, /* that are remembered; others are looked at each time */
};

typedef struct start {
    void *(*routine)(void *);
    void *argument;
} start;

/* What a library's dynamic section says (ELF gABI, chapter 5), at its addresses in memory. */
typedef struct library {
    uintptr_t base, relro, relro_end; /* [relro, relro_end) is read-only after relocation */
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t counts[2];
} library;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t known[LIBRARIES]; /* bases of libraries whose entries are replaced */
static size_t known_count;
static unsigned long long adds, subs; /* how many libraries had been loaded and unloaded then */

static void *begin(void *argument)
{
    start given = *(start *)argument;
    free(argument);
    jitscope_report_thread_begin();
    return given.routine(given.argument);
}

/* What the libraries call in place of pthread_create(). */
static int create(pthread_t *out, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    start *given = malloc(sizeof *given);
    if (!given) {
        return pthread_create(out, attributes, routine, argument);
    }
    *given = (start){routine, argument};
    int error = pthread_create(out, attributes, begin, given);
    if (error) {
        free(given);
    }
    return error;
}

/* Return an address of the dynamic section: glibc has added the base already, others have not. */
static uintptr_t address_of(const library *in, ElfW(Addr) value)
{
    return value < in->base ? in->base + value : value;
}

/* Read the dynamic section. False: it has no relocations to look at. */
static bool read_dynamic(const ElfW(Dyn) * entry, library *out)
{
    size_t relative = 0;
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            out->symbols = (const void *)address_of(out, entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            out->names = (const void *)address_of(out, entry->d_un.d_ptr);
            break;
        case DT_JMPREL:
            out->tables[0] = (const void *)address_of(out, entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            out->counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_RELA:
            out->tables[1] = (const void *)address_of(out, entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            out->counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_RELACOUNT: /* the first ones have no symbol */
            relative = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    relative = out->tables[1] && relative < out->counts[1] ? relative : 0;
    out->tables[1] += relative;
    out->counts[1] -= relative;
    return out->symbols && out->names;
}

static void replace(const library *in, void **entry)
{
    void *page = (void *)((uintptr_t)entry / PAGE * PAGE);
    bool is_protected = (uintptr_t)entry >= in->relro && (uintptr_t)entry < in->relro_end;
    if (is_protected && mprotect(page, PAGE, PROT_READ | PROT_WRITE) < 0) {
        return;
    }
    __atomic_store_n(entry, (void *)create, __ATOMIC_RELEASE);
    if (is_protected) {
        mprotect(page, PAGE, PROT_READ);
    }
}

static void replace_all(const library *in)
{
#ifdef __x86_64__
    for (size_t table = 0; table < 2; table++) {
        for (size_t i = 0; in->tables[table] && i < in->counts[table]; i++) {
            const ElfW(Rela) *each = &in->tables[table][i];
            unsigned kind = ELF64_R_TYPE(each->r_info);
            if ((kind == R_X86_64_JUMP_SLOT || kind == R_X86_64_GLOB_DAT) &&
                strcmp(in->names + in->symbols[ELF64_R_SYM(each->r_info)].st_name, "pthread_create") == 0) {
                replace(in, (void **)(in->base + each->r_offset));
            }
        }
    }
#else
    (void)in, (void)replace;
#endif
}

/* True if the library was looked at before; otherwise it is noted. */
static bool is_known(uintptr_t base)
{
    for (size_t i = 0; i < known_count; i++) {
        if (known[i] == base) {
            return true;
        }
    }
    if (known_count < LIBRARIES) {
        known[known_count++] = base;
    }
    return false;
}

/* Look at a library, for dl_iterate_phdr(3), unless nothing was loaded since the last time. */
static int look_at(struct dl_phdr_info *info, size_t size, void *own)
{
    library in = {.base = info->dlpi_addr};
    const ElfW(Dyn) *dynamic = NULL;
    bool is_own = false;
    (void)size;
    if (info->dlpi_adds == adds && info->dlpi_subs == subs) {
        return 1;
    }
    if (info->dlpi_subs != subs) {
        known_count = 0; /* another library may be at a base */
        subs = info->dlpi_subs;
    }
    *(unsigned long long *)own = info->dlpi_adds;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t first = in.base + part->p_vaddr;
        if (part->p_type == PT_DYNAMIC) {
            dynamic = (const void *)first;
        } else if (part->p_type == PT_GNU_RELRO) {
            in.relro = first / PAGE * PAGE;
            in.relro_end = (first + part->p_memsz) / PAGE * PAGE;
        } else if (part->p_type == PT_LOAD) {
            is_own |= (uintptr_t)&lock - first < part->p_memsz;
        }
    }
    if (dynamic && !is_own && !is_known(in.base) && read_dynamic(dynamic, &in)) {
        replace_all(&in);
    }
    return 0;
}

void jitscope_report_loaded(void)
{
    unsigned long long now = adds;
    if (pthread_mutex_trylock(&lock)) {
        return; /* another thread looks, or did so when this process was forked */
    }
    dl_iterate_phdr(look_at, &now);
    adds = now;
    pthread_mutex_unlock(&lock);
}
