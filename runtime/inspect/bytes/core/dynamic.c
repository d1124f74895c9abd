/* Finds dynamic symbols in memory, by the tables that the dynamic loader uses. Source: System V ABI, chapter
 * 5 ("Dynamic Section", "Hash Table"); for DT_GNU_HASH, glibc elf/dl-lookup.c. */
#include <stdlib.h>
#include <string.h>

#include "bytes/core/contents.h"

enum { DYNAMIC_MAX = 1024, CHAIN_MAX = 1 << 16, NAME_MAX_SIZE = 256 };

/* The tables of a loaded file, as addresses; 0: it has none. */
typedef struct dynamic_tables {
    js_bytes *bytes;
    uint64_t bias; /* what is added to an address of the file */
    uint64_t start, end;
    uint64_t symbols, strings, hash, gnu_hash;
} dynamic_tables;

/* Read the program headers: where the tables are. */
static int find_dynamic(dynamic_tables *tables, uint64_t *dynamic)
{
    Elf64_Ehdr head;
    int status = js_bytes_read(tables->bytes, tables->start, &head, sizeof head);
    if (status || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phnum > HEADERS_MAX) {
        return JS_ENOTFOUND;
    }
    bool is_based = false;
    *dynamic = 0;
    for (size_t i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr part;
        if (js_bytes_read(tables->bytes, tables->start + head.e_phoff + i * sizeof part, &part,
                          sizeof part)) {
            return JS_ENOTFOUND;
        }
        if (part.p_type == PT_LOAD && !is_based) {
            tables->bias = tables->start - (part.p_vaddr - part.p_offset);
            is_based = true;
        }
        if (part.p_type == PT_LOAD) {
            tables->end = tables->bias + part.p_vaddr + part.p_memsz;
        }
        if (part.p_type == PT_DYNAMIC) {
            *dynamic = part.p_vaddr;
        }
    }
    *dynamic += *dynamic ? tables->bias : 0;
    return *dynamic && is_based ? JS_OK : JS_ENOTFOUND;
}

/* Return the address that an entry means: some loaders add the bias in memory, others do not. */
static uint64_t relocated(const dynamic_tables *tables, uint64_t value)
{
    return value >= tables->start && value < tables->end ? value : value + tables->bias;
}

static int read_tables(dynamic_tables *tables)
{
    uint64_t dynamic;
    int status = find_dynamic(tables, &dynamic);
    for (size_t i = 0; i < DYNAMIC_MAX && status == JS_OK; i++) {
        Elf64_Dyn entry;
        if (js_bytes_read(tables->bytes, dynamic + i * sizeof entry, &entry, sizeof entry)) {
            return JS_ENOTFOUND;
        }
        switch (entry.d_tag) {
        case DT_NULL:
            return tables->symbols && tables->strings && (tables->hash || tables->gnu_hash) ? JS_OK
                                                                                            : JS_ENOTFOUND;
        case DT_SYMTAB:
            tables->symbols = relocated(tables, entry.d_un.d_ptr);
            break;
        case DT_STRTAB:
            tables->strings = relocated(tables, entry.d_un.d_ptr);
            break;
        case DT_HASH:
            tables->hash = relocated(tables, entry.d_un.d_ptr);
            break;
        case DT_GNU_HASH:
            tables->gnu_hash = relocated(tables, entry.d_un.d_ptr);
            break;
        default:
            break;
        }
    }
    return JS_ENOTFOUND;
}

/* Take the symbol's address, if it is this one and is defined. */
static int try_symbol(const dynamic_tables *tables, uint64_t number, const char *name, uint64_t *value)
{
    Elf64_Sym symbol;
    char text[NAME_MAX_SIZE];
    size_t size = strlen(name) + 1;
    if (size > sizeof text ||
        js_bytes_read(tables->bytes, tables->symbols + number * sizeof symbol, &symbol, sizeof symbol) ||
        symbol.st_shndx == SHN_UNDEF ||
        js_bytes_read(tables->bytes, tables->strings + symbol.st_name, text, size) ||
        memcmp(text, name, size) != 0) {
        return JS_ENOTFOUND;
    }
    *value = symbol.st_value + tables->bias;
    return JS_OK;
}

static int read_word(const dynamic_tables *tables, uint64_t address, uint32_t *value)
{
    return js_bytes_read(tables->bytes, address, value, sizeof *value);
}

/* Find a symbol by DT_HASH: the numbers of buckets and of symbols, the buckets, and the next symbol of each.
 */
static int find_by_hash(const dynamic_tables *tables, const char *name, uint64_t *value)
{
    uint32_t hash = 0, head[2], number;
    for (const unsigned char *at = (const unsigned char *)name; *at; at++) {
        hash = (hash << 4) + *at;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    if (js_bytes_read(tables->bytes, tables->hash, head, sizeof head) || head[0] == 0) {
        return JS_ENOTFOUND;
    }
    uint64_t buckets = tables->hash + sizeof head, chain = buckets + 4 * (uint64_t)head[0];
    uint64_t at = buckets + 4 * (uint64_t)(hash % head[0]);
    for (unsigned n = 0; n < CHAIN_MAX && read_word(tables, at, &number) == JS_OK && number; n++) {
        if (try_symbol(tables, number, name, value) == JS_OK) {
            return JS_OK;
        }
        at = chain + 4 * (uint64_t)number;
    }
    return JS_ENOTFOUND;
}

/* Find a symbol by DT_GNU_HASH: four numbers, a filter of words, the buckets, and the hash of each symbol
 * from the first hashed one on, whose lowest bit ends a bucket. */
static int find_by_gnu_hash(const dynamic_tables *tables, const char *name, uint64_t *value)
{
    uint32_t hash = 5381, head[4], number, found; /* buckets, first symbol, words of the filter, its shift */
    for (const unsigned char *at = (const unsigned char *)name; *at; at++) {
        hash = hash * 33 + *at;
    }
    if (js_bytes_read(tables->bytes, tables->gnu_hash, head, sizeof head) || head[0] == 0) {
        return JS_ENOTFOUND;
    }
    uint64_t buckets = tables->gnu_hash + sizeof head + 8 * (uint64_t)head[2];
    uint64_t chain = buckets + 4 * (uint64_t)head[0];
    if (read_word(tables, buckets + 4 * (uint64_t)(hash % head[0]), &number) || number < head[1]) {
        return JS_ENOTFOUND;
    }
    for (unsigned n = 0; n < CHAIN_MAX; n++, number++) {
        if (read_word(tables, chain + 4 * (uint64_t)(number - head[1]), &found)) {
            return JS_ENOTFOUND;
        }
        if ((found | 1) == (hash | 1) && try_symbol(tables, number, name, value) == JS_OK) {
            return JS_OK;
        }
        if (found & 1) {
            return JS_ENOTFOUND;
        }
    }
    return JS_ENOTFOUND;
}

int js_core_dynamic_symbols(js_bytes *bytes, uint64_t start, const char *const *names, size_t count,
                            uint64_t *values)
{
    dynamic_tables tables = {.bytes = bytes, .start = start};
    memset(values, 0, count * sizeof *values);
    int status = read_tables(&tables);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        if (tables.gnu_hash) {
            find_by_gnu_hash(&tables, names[i], &values[i]);
        } else {
            find_by_hash(&tables, names[i], &values[i]);
        }
    }
    return status;
}
