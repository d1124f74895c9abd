/* Reads one list of GDB's JIT interface from the target's memory. Source of the layout: GDB manual, "JIT
 * Compilation Interface", struct jit_descriptor and jit_code_entry. session/registered.c uses it. */
#ifndef JS_PROGRAM_SESSION_JIT_LIST_H
#define JS_PROGRAM_SESSION_JIT_LIST_H

#include "bytes/reader.h"

enum { JS_REGISTERED_LISTS = 64 }; /* lists of one process, at most */

/* struct jit_descriptor */
typedef struct js_jit_descriptor {
    uint32_t version, action;
    uint64_t relevant, first;
} js_jit_descriptor;

/* struct jit_code_entry */
typedef struct js_jit_entry {
    uint64_t next, previous, image, size;
} js_jit_entry;

/* A list as it was read. */
typedef struct js_jit_list {
    uint64_t address; /* address of the descriptor; set by the caller */
    js_jit_descriptor head;
    js_jit_entry first;
    uint64_t first_fingerprint; /* that of the first entry's image; 0: it could not be read */
    uint64_t chain;             /* hash of the addresses, images and sizes of all entries */
    bool is_readable;           /* the descriptor can be read, and its version is known */
    bool is_cut; /* the list has more than 1,000,000 entries, or an entry of it could not be read */
} js_jit_list;

/* Receives an entry of a list; false ends the walk. */
typedef bool (*js_jit_entry_fn)(void *context, uint64_t address, const js_jit_entry *entry);

/* Read the list at list->address, and pass each entry to `visit`, the newest one (as the JIT has them) first.
 * An entry that is part of a cycle may come twice. */
void js_jit_list_read(js_bytes *bytes, js_jit_list *list, js_jit_entry_fn visit, void *context);
/* True if the descriptor is as it was read. */
bool js_jit_list_has_same_head(js_bytes *bytes, const js_jit_list *list);
/* True if the whole list is as it was read (js_registered_is_current()). */
bool js_jit_list_is_current(js_bytes *bytes, const js_jit_list *list);

/* Find the addresses [lo, hi) of the code of an image of the target, by its ELF section headers alone. False:
 * it has none that can be read, or does not say where its code is. */
bool js_jit_read_range(js_bytes *bytes, const js_jit_entry *entry, uint64_t *lo, uint64_t *hi);

/* Return the fingerprint of an image at hand (registered.h says of what it is made). Never 0. */
uint64_t js_jit_fingerprint(const uint8_t *image, size_t size);
/* Read that of an image of the target. False: it cannot be read. */
bool js_jit_read_fingerprint(js_bytes *bytes, uint64_t image, uint64_t size, uint64_t *out);

#endif
