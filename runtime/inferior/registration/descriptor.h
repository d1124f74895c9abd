/* What the files of this library share: the tables behind __jitscope_descriptor, and records in the making.
 */
#ifndef JITSCOPE_INFERIOR_DESCRIPTOR_H
#define JITSCOPE_INFERIOR_DESCRIPTOR_H

#include <stdbool.h>

#include "jitscope_descriptor.h"

/* ---- descriptor.c: tables ---- */

/* Around everything that changes a table but a worker's own slot. A child of fork finds it open. */
void tables_lock(void);
void tables_unlock(void);
/* False: somebody has it, perhaps this thread. */
bool tables_try_lock(void);

/* All under the lock. `record` (malloc) becomes the table's; it is freed by _withdraw, or here on an error.
 */
int table_publish(jitscope_table *table, void *record, size_t size, uint64_t *handle);
int table_withdraw(jitscope_table *table, uint64_t handle);
/* The record under a handle, or NULL. */
void *table_record(const jitscope_table *table, uint64_t handle);
/* A slot that was never used, zeroed, or NULL; its index is below nslots from now on. */
void *table_new_slot(jitscope_table *table);
/* Bracket what a thread writes into its own slot. */
static inline void sequence_begin(uint64_t *sequence)
{
    __atomic_store_n(sequence, *sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
static inline void sequence_end(uint64_t *sequence)
{
    __atomic_store_n(sequence, *sequence + 1, __ATOMIC_RELEASE);
}

/* ---- block.c: one record in the making ---- */
typedef struct block {
    unsigned char *data;
    size_t size, capacity;
    int status; /* the first error: everything after it is dropped */
} block;

/* The record's own structure comes first; it is filled in by block_finish. */
void block_init(block *b, size_t record_size);
void block_deinit(block *b);
uint32_t block_text(block *b, const char *text);
uint32_t block_bytes(block *b, const void *bytes, size_t size);
/* Room for `count` entries of `size` bytes, zeroed, or an empty list. */
jitscope_list block_list(block *b, size_t count, size_t size);
static inline void *block_entry(block *b, jitscope_list list, size_t index)
{
    return b->data + list.offset + index * list.size;
}
/* Copies the finished structure in. */
int block_finish(block *b, const void *record, size_t size);

/* The index-th entry of what a program passed, which may know fewer fields; `out` has `size` bytes. */
void passed_entry(const void *entries, size_t index, size_t entry_size, void *out, size_t size);
/* The structure that a program passed; false when its size cannot be. */
bool passed_structure(const void *passed, size_t least, void *out, size_t size);

/* ---- layouts.c ---- */
/* Under the lock. Registers what every JIT has, once. */
int layouts_ready(void);
/* Under the lock. The newest layout of this name; NULL or "" is 0. */
int layout_find(const char *name, uint64_t *handle);

/* ---- announce.c: GDB's JIT interface ---- */
/* Announce a function that was just published to the debugger. Call this under the lock. */
int announce(const jitscope_function_record *record, uint64_t handle);
/* Announce that the function goes. Call this under the lock, before the function is withdrawn. */
void announce_end(uint64_t handle);
/* Announce the function to stop in to the debugger, once. False: not now; nothing was done.
 * Async-signal-safe. */
bool announce_stop(uint64_t address);
/* Address of this library's own __jit_debug_register_code. */
uintptr_t announce_code(void);

#endif
