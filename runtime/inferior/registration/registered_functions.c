/* Lists the functions in code that JITs have registered, for profilers: jitscope_registered_functions. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "jitscope.h"
#include "registration/jit_lists.h"
#include "registration/registered.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jit_lists *lists;
static struct newest {
    uint64_t at;
    jit_entry entry;
} newest[JIT_HEADS]; /* the newest entry of each list at the last call */

typedef struct image {
    int memory;
    uint64_t at, size;
} image;
typedef void (*object_fn)(const image *of, void *context);

struct wanted {
    unsigned char type; /* STT_FUNC or STT_OBJECT: the symbols that are wanted */
    jitscope_function_fn tell;
    void *context;
};

/* Return a copy of a part, from malloc; NULL: it is not within the object or cannot be read, or there is no
 * memory. */
static void *part(const image *of, uint64_t offset, uint64_t size, size_t extra)
{
    if (size > of->size || offset > of->size - size) {
        return NULL;
    }
    char *data = calloc(1, (size_t)size + extra);
    if (data && !jit_read(of->memory, of->at + offset, data, (size_t)size)) {
        free(data);
        return NULL;
    }
    return data;
}

static void tell_symbols(const image *of, const Elf64_Shdr *sections, size_t nsections,
                         const Elf64_Shdr *table, const struct wanted *wanted)
{
    const Elf64_Shdr *strings = &sections[table->sh_link];
    Elf64_Sym *symbols = part(of, table->sh_offset, table->sh_size, 0);
    char *names = part(of, strings->sh_offset, strings->sh_size, 1);
    for (uint64_t i = 0; symbols && names && i < table->sh_size / sizeof(*symbols); i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == wanted->type && symbol->st_size &&
            symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < nsections &&
            symbol->st_name < strings->sh_size && sections[symbol->st_shndx].sh_addr) {
            wanted->tell(wanted->context, names + symbol->st_name,
                         sections[symbol->st_shndx].sh_addr + symbol->st_value, symbol->st_size);
        }
    }
    free(symbols);
    free(names);
}

/* Return a copy of the object's sections, from malloc; NULL: as part(). */
static Elf64_Shdr *read_sections(const image *of, size_t *count)
{
    Elf64_Ehdr header;
    if (!jit_read(of->memory, of->at, &header, sizeof(header)) || !jit_is_elf(&header)) {
        return NULL;
    }
    *count = header.e_shnum;
    return part(of, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr), 0);
}

static void tell_object(const image *of, void *context)
{
    size_t count;
    Elf64_Shdr *sections = read_sections(of, &count);
    for (size_t i = 0; sections && i < count; i++) {
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < count) {
            tell_symbols(of, sections, count, &sections[i], context);
        }
    }
    free(sections);
}

static void visit_list(int memory, uint64_t head, struct newest *seen, object_fn visit, void *context)
{
    struct newest first = {0};
    uint64_t at = jit_list_first(memory, head);
    for (unsigned i = 0; at && i < JIT_ENTRIES; i++) {
        jit_entry entry;
        if (!jit_read(memory, at, &entry, sizeof(entry)) ||
            (at == seen->at && entry.image == seen->entry.image && entry.size == seen->entry.size)) {
            break;
        }
        if (!i) {
            first = (struct newest){at, entry};
        }
        visit(&(image){memory, entry.image, entry.size}, context);
        at = entry.next;
    }
    if (first.at) {
        *seen = first;
    }
}

static int visit_all(int all, object_fn visit, void *context)
{
    if (pthread_mutex_trylock(
            &lock)) { /* it may be locked by a thread of the process that this one was forked from */
        return JITSCOPE_EBUSY;
    }
    int status = JITSCOPE_ESYSTEM;
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (memory >= 0 && (lists || (lists = calloc(1, sizeof(*lists))))) {
        if (!lists->nheads) {
            jit_lists_find(lists);
        }
        for (size_t i = 0; i < lists->nheads; i++) {
            struct newest none = {0};
            if (all == 1) {
                newest[i] = none;
            }
            visit_list(memory, lists->heads[i], all == 2 ? &none : &newest[i], visit, context);
        }
        status = 0;
    }
    pthread_mutex_unlock(&lock);
    if (memory >= 0) {
        close(memory);
    }
    return status;
}

int jitscope_registered_functions(int all, jitscope_function_fn tell, void *context)
{
    struct wanted wanted = {STT_FUNC, tell, context};
    return visit_all(all, tell_object, &wanted);
}

int registered_data(jitscope_function_fn tell, void *context)
{
    struct wanted wanted = {STT_OBJECT, tell, context};
    return visit_all(2, tell_object, &wanted);
}

struct owner {
    uint64_t address, image, size;
};

static void find_owner(const image *of, void *context)
{
    struct owner *owner = context;
    size_t count;
    Elf64_Shdr *sections = read_sections(of, &count);
    for (size_t i = 0; sections && i < count; i++) {
        if (sections[i].sh_addr && owner->address - sections[i].sh_addr < sections[i].sh_size) {
            owner->image = of->at;
            owner->size = of->size;
        }
    }
    free(sections);
}

int registered_image(uint64_t address, uint64_t *at, uint64_t *size)
{
    struct owner owner = {address, 0, 0};
    int status = visit_all(2, find_owner, &owner);
    *at = owner.image;
    *size = owner.size;
    return status ? status : owner.image != 0;
}
