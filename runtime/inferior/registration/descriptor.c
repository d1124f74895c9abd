/* __jitscope_descriptor, its lock, and the slots of its tables. */
#include "registration/descriptor.h"

#include <pthread.h>
#include <stdlib.h>

enum { CHUNK_SLOTS = 256, SLOTS_MAX = 1 << 24 };

#define TABLE(slot)                                                                                          \
    {                                                                                                        \
        .chunk_slots = CHUNK_SLOTS, .slot_size = sizeof(slot)                                                \
    }

jitscope_descriptor __jitscope_descriptor = {
    .magic = {'J', 'I', 'T', 'S', 'C', 'O', 'P', 'E'},
    .version = JITSCOPE_VERSION,
    .size = sizeof(jitscope_descriptor),
    .layouts = TABLE(jitscope_slot),
    .functions = TABLE(jitscope_slot),
    .regions = TABLE(jitscope_slot),
    .workers = TABLE(jitscope_worker),
};

/* ---- the lock ---- */

static pthread_mutex_t tables_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void watch_forks(void)
{
    pthread_atfork(tables_lock, tables_unlock, tables_unlock);
}

void tables_lock(void)
{
    pthread_once(&fork_once, watch_forks);
    pthread_mutex_lock(&tables_mutex);
}

bool tables_try_lock(void)
{
    return pthread_mutex_trylock(&tables_mutex) == 0;
}

void tables_unlock(void)
{
    pthread_mutex_unlock(&tables_mutex);
}

/* ---- slots ---- */

static jitscope_chunk *chunk_at(uint64_t address)
{
    return (jitscope_chunk *)(uintptr_t)address;
}

static void *slot_at(const jitscope_table *table, uint64_t index)
{
    jitscope_chunk *chunk = chunk_at(table->chunks);
    while (chunk && index - chunk->first >= table->chunk_slots) {
        chunk = chunk_at(chunk->next);
    }
    return chunk ? (char *)(chunk + 1) + (index - chunk->first) * table->slot_size : NULL;
}

/* Add a slot. A chunk and its slots are complete before they can be reached. */
void *table_new_slot(jitscope_table *table)
{
    uint64_t index = table->nslots;
    if (index >= SLOTS_MAX) {
        return NULL;
    }
    if (index % CHUNK_SLOTS == 0) {
        jitscope_chunk *chunk = calloc(1, sizeof *chunk + (size_t)CHUNK_SLOTS * table->slot_size);
        uint64_t *link = &table->chunks;
        if (!chunk) {
            return NULL;
        }
        chunk->first = index;
        while (*link) {
            link = &chunk_at(*link)->next;
        }
        __atomic_store_n(link, (uint64_t)(uintptr_t)chunk, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&table->nslots, index + 1, __ATOMIC_RELEASE);
    return slot_at(table, index);
}

static jitscope_slot *slot_of(const jitscope_table *table, uint64_t handle)
{
    uint64_t index = (handle & UINT32_MAX) - 1;
    jitscope_slot *slot = (handle & UINT32_MAX) && index < table->nslots ? slot_at(table, index) : NULL;
    return slot && slot->state == JITSCOPE_SLOT_REGISTERED && slot->generation == handle >> 32 ? slot : NULL;
}

/* For each table, by its place in the descriptor: an index below which no slot is free. */
static uint64_t first_free[sizeof(jitscope_descriptor) / sizeof(jitscope_table)];

static uint64_t *first_free_of(const jitscope_table *table)
{
    return &first_free[table - &__jitscope_descriptor.layouts];
}

/* Return the first free slot, and its index. */
static jitscope_slot *free_slot(jitscope_table *table, uint64_t *index)
{
    *index = *first_free_of(table);
    jitscope_chunk *chunk = chunk_at(table->chunks);
    while (chunk && *index - chunk->first >= CHUNK_SLOTS) {
        chunk = chunk_at(chunk->next);
    }
    for (; chunk; chunk = chunk_at(chunk->next)) {
        jitscope_slot *slots = (jitscope_slot *)(chunk + 1);
        for (uint64_t i = *index - chunk->first; i < CHUNK_SLOTS && *index < table->nslots; i++, ++*index) {
            if (slots[i].state == JITSCOPE_SLOT_FREE && slots[i].generation != UINT32_MAX) {
                return &slots[i];
            }
        }
    }
    return table_new_slot(table);
}

static void count_change(jitscope_table *table)
{
    __atomic_store_n(&table->changes, table->changes + 1, __ATOMIC_RELEASE);
}

int table_publish(jitscope_table *table, void *record, size_t size, uint64_t *handle)
{
    uint64_t index;
    jitscope_slot *slot = free_slot(table, &index);
    if (!slot) {
        free(record);
        return JITSCOPE_ENOMEM;
    }
    sequence_begin(&slot->sequence);
    slot->generation++;
    slot->state = JITSCOPE_SLOT_REGISTERED;
    slot->block = (uint64_t)(uintptr_t)record;
    slot->block_size = size;
    sequence_end(&slot->sequence);
    count_change(table);
    *first_free_of(table) = index + 1;
    *handle = (uint64_t)slot->generation << 32 | (index + 1);
    return JITSCOPE_OK;
}

int table_withdraw(jitscope_table *table, uint64_t handle)
{
    jitscope_slot *slot = slot_of(table, handle);
    if (!slot) {
        return JITSCOPE_ENOTFOUND;
    }
    void *record = (void *)(uintptr_t)slot->block;
    sequence_begin(&slot->sequence);
    slot->state = JITSCOPE_SLOT_FREE;
    slot->block = 0;
    slot->block_size = 0;
    sequence_end(&slot->sequence);
    count_change(table);
    uint64_t index = (handle & UINT32_MAX) - 1;
    if (index < *first_free_of(table)) {
        *first_free_of(table) = index;
    }
    free(record); /* a reader that is reading it will find that the sequence has changed */
    return JITSCOPE_OK;
}

void *table_record(const jitscope_table *table, uint64_t handle)
{
    const jitscope_slot *slot = slot_of(table, handle);
    return slot ? (void *)(uintptr_t)slot->block : NULL;
}
