/* The tables that __jitscope_descriptor leads to, and the records that are built
 * for them. Internal to runtime/inferior. */
#ifndef JITSCOPE_INFERIOR_DESCRIPTOR_H
#define JITSCOPE_INFERIOR_DESCRIPTOR_H

#include <stdbool.h>

#include "jitscope_descriptor.h"

/* ---- descriptor.c: tables ---- */

/* Lock and unlock the tables. Hold the lock to change a table; a worker writes its own slot without it. In a
 * child of fork the lock is open. */
void tables_lock(void);
void tables_unlock(void);
/* Lock the tables if no thread holds the lock. False: one does, perhaps this one. */
bool tables_try_lock(void);

/* Put a record into a free slot of the table, and take it out again. Call these under the lock. `record`,
 * from malloc, belongs to the table: table_withdraw frees it, and table_publish does if it fails. *handle
 * gets the number of the registration. JITSCOPE_ENOMEM; table_withdraw: JITSCOPE_ENOTFOUND. */
int table_publish(jitscope_table *table, void *record, size_t size, uint64_t *handle);
int table_withdraw(jitscope_table *table, uint64_t handle);
/* Return the record of a handle; NULL: nothing is registered under it. Call this under the lock. */
void *table_record(const jitscope_table *table, uint64_t handle);
/* Return a zeroed slot that was never used, or NULL: there is no memory, or the table is full. Its index is
 * below nslots from now on. Call this under the lock. */
void *table_new_slot(jitscope_table *table);
/* Call these before and after writing a slot: between them its sequence is odd, so that readers drop what
 * they have read. */
static inline void sequence_begin(uint64_t *sequence)
{
    __atomic_store_n(sequence, *sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
static inline void sequence_end(uint64_t *sequence)
{
    __atomic_store_n(sequence, *sequence + 1, __ATOMIC_RELEASE);
}

/* ---- block.c: a record that is being built ---- */
/* A record that is being built. */
typedef struct block {
    unsigned char *data;
    size_t size, capacity;
    int status; /* JITSCOPE_OK, or the first error; after an error nothing more is added */
} block;

/* Begin a record with `record_size` bytes for its structure, which block_finish fills in. */
void block_init(block *b, size_t record_size);
/* Free a record that is not published. */
void block_deinit(block *b);
/* Append a text with its NUL, or bytes, and return their offset in the block; 0: nothing was appended,
 * because there is nothing or because of an error (b->status). */
uint32_t block_text(block *b, const char *text);
uint32_t block_bytes(block *b, const void *bytes, size_t size);
/* Append room for `count` zeroed entries of `size` bytes, aligned to 8. After an error the list is empty. */
jitscope_list block_list(block *b, size_t count, size_t size);
/* Return the address of an entry of a list, valid until something is appended. */
static inline void *block_entry(block *b, jitscope_list list, size_t index)
{
    return b->data + list.offset + index * list.size;
}
/* Copy the finished structure to the block's start. Returns b->status. Then b->data may be published. */
int block_finish(block *b, const void *record, size_t size);

/* Copy the index-th entry (from 0) of a program's array, whose entries have `entry_size` bytes, to `out` of
 * `size` bytes. What the program's structure lacks is 0. */
void passed_entry(const void *entries, size_t index, size_t entry_size, void *out, size_t size);
/* Copy a structure that a program has passed, and that starts with its size, to `out` of `size` bytes. False:
 * `passed` is NULL, or its size is below `least`. */
bool passed_structure(const void *passed, size_t least, void *out, size_t size);

/* ---- layouts.c ---- */
/* Register the scalar types, once. Returns JITSCOPE_OK or an error. Call this under the lock. */
int layouts_ready(void);
/* Find the newest layout of this name; *handle is 0 if `name` is NULL or "". JITSCOPE_EARG: there is none.
 * Call this under the lock. */
int layout_find(const char *name, uint64_t *handle);

/* ---- announce.c: GDB's JIT interface ---- */
/* Announce a function that was just published to the debugger. JITSCOPE_ENOMEM. Call this under the lock. */
int announce(const jitscope_function_record *record, uint64_t handle);
/* Announce that the function goes. Call this under the lock, before the function is withdrawn. */
void announce_end(uint64_t handle);
/* Announce the function to stop in to the debugger, once. False: another thread holds the lock, or this one
 * does; nothing was done. Async-signal-safe. */
bool announce_stop(uint64_t address);
/* Return the address of this library's own __jit_debug_register_code. */
uintptr_t announce_code(void);

#endif
