/* Guarded memory: blocks in a range of addresses that nothing else uses. They are made one after the other,
 * so that the addresses of a freed block are used again only when the whole range has been. Between blocks
 * there is no memory: an access there, or to a freed block, is a fault. */
#include "guarding/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "registration/descriptor.h"
#include "system/lines.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17: asm-generic/mman-common.h */
#endif

enum { BLOCKS = 1 << 18, FILES = 1 << 12, TRIES = 64, PATTERN = 0xA5 };
enum {
    GAP = 64 << 10,
    GAP_MOST = 1 << 20
}; /* bytes without memory after a block: its size, in these bounds */
enum { MAPPINGS_LEFT = 16384, MAPPINGS_USUAL = 65530 };

/* Where the kernel puts nothing by itself: it goes down from the stack, and up from the program. */
static const uint64_t bases[] = {UINT64_C(1) << 45, UINT64_C(1) << 37};
static const uint64_t largest = UINT64_C(1) << 38, smallest = UINT64_C(1) << 30;

static uint64_t nmade; /* blocks that code of the program has asked for */
static jitscope_guard guard = {
    .version = JITSCOPE_VERSION, .size = sizeof guard, .block_size = sizeof(jitscope_guarded)};
static jitscope_guarded *blocks;
static uint32_t *index_of_page;
static uint64_t files[FILES];
static uint64_t npages, cursor; /* pages of the range; where the next block may begin */
static uint32_t following, first, last,
    nunused; /* the block after the cursor; the list's ends; unused ones */
static uint32_t unused[BLOCKS];
static bool has_said_limit, has_said_memory;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- the range ---- */

static void *map(uint64_t at, uint64_t size, int protection, int flags)
{
    void *hint = (void *)(uintptr_t)at; // NOLINT(performance-no-int-to-ptr)
    void *found = mmap(hint, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (found != MAP_FAILED && at && found != hint) {
        munmap(found, size); /* a kernel before 4.17 */
        return MAP_FAILED;
    }
    return found;
}

/* Return half of the system's limit of mappings at least: the rest is the program's. */
static uint32_t most_blocks(void)
{
    char text[32];
    long most =
        line_read_file("/proc/sys/vm/max_map_count", text, sizeof text) > 0 ? strtol(text, NULL, 10) : 0;
    most = most > 0 ? most : MAPPINGS_USUAL;
    most = most / 2 > most - MAPPINGS_LEFT ? most / 2 : most - MAPPINGS_LEFT;
    return most < BLOCKS ? (uint32_t)most : BLOCKS;
}

static bool reserve(uint64_t base, uint64_t size)
{
    void *all = map(base, guard.page, PROT_NONE, MAP_NORESERVE | MAP_FIXED_NOREPLACE);
    if (all == MAP_FAILED) {
        return false; /* no address of this processor, or in use */
    }
    munmap(all, guard.page);
    npages = size / guard.page;
    void *pages = map(0, npages * sizeof *index_of_page, PROT_READ | PROT_WRITE, MAP_NORESERVE);
    if (pages == MAP_FAILED) {
        return false;
    }
    index_of_page = pages;
    guard.low = base;
    guard.high = base + size;
    return true;
}

int arena_begin(void)
{
    if (guard.low) {
        return JITSCOPE_OK;
    }
    guard.page = (uint32_t)sysconf(_SC_PAGESIZE);
    void *table = map(0, BLOCKS * sizeof *blocks, PROT_READ | PROT_WRITE, MAP_NORESERVE);
    if (table == MAP_FAILED) {
        return JITSCOPE_ENOMEM;
    }
    for (size_t i = 0; i < sizeof bases / sizeof *bases && !guard.low; i++) {
        for (uint64_t size = largest; size >= smallest && !reserve(bases[i], size);) {
            size /= 4;
        }
    }
    if (!guard.low) {
        munmap(table, BLOCKS * sizeof *blocks);
        return JITSCOPE_ENOMEM;
    }
    blocks = table;
    for (nunused = 0; nunused < BLOCKS; nunused++) {
        unused[nunused] = BLOCKS - nunused;
    }
    cursor = 1;
    guard.index = (uint64_t)(uintptr_t)index_of_page;
    guard.blocks = (uint64_t)(uintptr_t)blocks;
    guard.files = (uint64_t)(uintptr_t)files;
    guard.nblocks = BLOCKS;
    guard.most = most_blocks();
    pthread_atfork(lock, unlock, unlock);
    __atomic_store_n(&__jitscope_descriptor.guard, (uint64_t)(uintptr_t)&guard, __ATOMIC_RELEASE);
    return JITSCOPE_OK;
}

bool arena_holds(const void *address)
{
    return (uint64_t)(uintptr_t)address - guard.low < guard.high - guard.low;
}

uint32_t arena_file(const char *path)
{
    lock();
    uint32_t at = 0;
    while (at < guard.nfiles && strcmp((const char *)(uintptr_t)files[at], path) != 0) {
        at++;
    }
    if (at == guard.nfiles && at < FILES) {
        files[at] = (uint64_t)(uintptr_t)strdup(path);
        guard.nfiles += files[at] != 0;
    }
    at = at < guard.nfiles ? at + 1 : 0;
    unlock();
    return at;
}

/* ---- the list of blocks, by address ---- */

static jitscope_guarded *block_of(uint32_t number)
{
    return &blocks[number - 1];
}

static uint64_t page_of(uint64_t address)
{
    return (address - guard.low) / guard.page;
}

static void set_pages(const jitscope_guarded *guarded, uint32_t number)
{
    uint64_t from = page_of(guarded->start);
    for (uint64_t i = 0; i < guarded->pages; i++) {
        index_of_page[from + i] = number;
    }
}

/* Forget a freed block: its addresses may be used again. */
static void forget(uint32_t number)
{
    jitscope_guarded *guarded = block_of(number);
    set_pages(guarded, 0);
    *(guarded->prev ? &block_of(guarded->prev)->next : &first) = guarded->next;
    *(guarded->next ? &block_of(guarded->next)->prev : &last) = guarded->prev;
    following = following == number ? guarded->next : following;
    guarded->state = JITSCOPE_GUARD_UNUSED;
    unused[nunused++] = number;
}

/* Find addresses for this many pages: move the cursor over live blocks, and forget freed ones. */
static bool find_pages(uint64_t pages)
{
    for (unsigned rounds = 0; rounds < 2;) {
        if (cursor + pages > npages) {
            rounds++;
            cursor = 1;
            following = first;
        } else if (!following || page_of(block_of(following)->start) >= cursor + pages) {
            return true;
        } else if (block_of(following)->state == JITSCOPE_GUARD_FREED) {
            forget(following);
        } else {
            cursor = page_of(block_of(following)->start) + block_of(following)->pages;
            following = block_of(following)->next;
        }
    }
    return false;
}

/* Return the number of an unused block; if all are in use, forget the next freed one. */
static uint32_t new_number(void)
{
    for (uint32_t at = following, left = BLOCKS; !nunused && left; left--) {
        at = at ? at : first;
        uint32_t next = block_of(at)->next;
        if (block_of(at)->state == JITSCOPE_GUARD_FREED) {
            forget(at);
        }
        at = next;
    }
    return nunused ? unused[--nunused] : 0;
}

static void insert(uint32_t number)
{
    jitscope_guarded *guarded = block_of(number);
    guarded->next = following;
    guarded->prev = following ? block_of(following)->prev : last;
    *(guarded->prev ? &block_of(guarded->prev)->next : &first) = number;
    *(guarded->next ? &block_of(guarded->next)->prev : &last) = number;
    set_pages(guarded, number);
}

/* ---- blocks ---- */

static void say_limit(void)
{
    char text[256];
    line_text line;
    if (!has_said_limit) {
        has_said_limit = true;
        line_init(&line, text, sizeof text);
        line_add(&line, "jitscope: ");
        line_add_number(&line, guard.most);
        line_add(&line,
                 " arrays are guarded, as many as vm.max_map_count lets; others are not until some are "
                 "freed: JITSCOPE_GUARD=FUNCTION guards fewer");
        line_write(text);
    }
}

static void say_memory(size_t size)
{
    char text[256];
    line_text line;
    if (!has_said_memory) {
        has_said_memory = true;
        line_init(&line, text, sizeof text);
        line_add(&line, "jitscope: an array of ");
        line_add_number(&line, (long)size);
        line_add(&line, " bytes is not guarded, as the system gives no addresses for it");
        line_write(text);
    }
}

static uint64_t rounded(uint64_t size)
{
    return (size + guard.page - 1) / guard.page * guard.page;
}

/* Map the block's memory at the cursor; 0: the system gives none. */
static uint64_t map_at_cursor(uint64_t size, uint64_t pages)
{
    for (unsigned tries = 0; tries < TRIES && find_pages(pages); tries++) {
        uint64_t start = guard.low + cursor * guard.page;
        if (map(start, size, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE) != MAP_FAILED) {
            return start;
        }
        cursor += pages; /* something else is there */
    }
    return 0;
}

static jitscope_guarded *take(size_t size, uint32_t head, uint32_t kind)
{
    uint64_t used = rounded(size + head), gap = used < GAP ? GAP : used > GAP_MOST ? GAP_MOST : used;
    uint64_t pages = used / guard.page + rounded(gap) / guard.page;
    uint64_t start = map_at_cursor(used, pages);
    uint32_t number = start ? new_number() : 0;
    if (!number) {
        if (start) {
            munmap((void *)(uintptr_t)start, used); // NOLINT(performance-no-int-to-ptr)
        }
        return NULL;
    }
    jitscope_guarded *guarded = block_of(number);
    *guarded = (jitscope_guarded){.start = start,
                                  .end = start + used,
                                  .data = start + used - size,
                                  .size = size,
                                  .head = head,
                                  .state = JITSCOPE_GUARD_LIVE,
                                  .kind = kind,
                                  .pages = (uint32_t)pages};
    insert(number);
    cursor += pages;
    guard.live++;
    return guarded;
}

jitscope_guarded *arena_take(size_t size, uint32_t head, uint32_t kind, const jitscope_guard_place *made)
{
    if (!guard.low || size > (guard.high - guard.low) / 4) {
        return NULL;
    }
    lock();
    bool is_full = guard.live >= guard.most;
    jitscope_guarded *guarded = is_full ? NULL : take(size, head, kind);
    if (is_full) {
        say_limit();
    } else if (!guarded) {
        say_memory(size);
    } else {
        guarded->made = *made;
        nmade += made->file || made->codes[0];
    }
    unlock();
    if (guarded) {
        memset((char *)(uintptr_t)guarded->start + head, PATTERN, guarded->data - guarded->start - head);
    }
    return guarded;
}

uint64_t jitscope_guard_made(void)
{
    lock();
    uint64_t made = nmade;
    unlock();
    return made;
}

jitscope_guarded *arena_find(const void *address)
{
    lock();
    uint32_t number = arena_holds(address) ? index_of_page[page_of((uint64_t)(uintptr_t)address)] : 0;
    jitscope_guarded *guarded = number ? block_of(number) : NULL;
    unlock();
    return guarded && guarded->state == JITSCOPE_GUARD_LIVE ? guarded : NULL;
}

static _Noreturn void report(uint32_t number, uint32_t damage, uint64_t at)
{
    char text[256];
    line_text line;
    guard.damaged = number;
    guard.damage = damage;
    guard.damage_at = at;
    line_init(&line, text, sizeof text);
    line_add(&line, "jitscope: memory of ");
    line_add_number(&line, number ? (long)block_of(number)->size : 0);
    line_add(&line, damage == JITSCOPE_DAMAGE_TWICE
                        ? " bytes is freed that was freed before"
                        : " bytes is freed, and bytes before it were overwritten");
    line_write(text);
    abort();
}

void arena_give(const void *address, const jitscope_guard_place *freed)
{
    lock();
    uint32_t number = index_of_page[page_of((uint64_t)(uintptr_t)address)];
    jitscope_guarded *guarded = number ? block_of(number) : NULL;
    if (!guarded || guarded->state != JITSCOPE_GUARD_LIVE) {
        unlock();
        report(number, JITSCOPE_DAMAGE_TWICE, (uint64_t)(uintptr_t)address);
    }
    const uint8_t *at = (const uint8_t *)(uintptr_t)(guarded->start + guarded->head);
    const uint8_t *end = (const uint8_t *)(uintptr_t)guarded->data;
    while (at < end && *at == PATTERN) {
        at++;
    }
    if (at < end) {
        unlock();
        report(number, JITSCOPE_DAMAGE_BEFORE, (uint64_t)(uintptr_t)at);
    }
    guarded->freed = *freed;
    guarded->state = JITSCOPE_GUARD_FREED;
    guard.live--;
    munmap((void *)(uintptr_t)guarded->start, guarded->end - guarded->start);
    unlock();
}
