/* Keeps a program up to date with what a JIT has registered in the target by GDB's JIT interface, whose lists
 * are read from the target's memory: no debugger, and no stop of the target, is needed. Source of the layout:
 * GDB manual, "JIT Compilation Interface", struct jit_descriptor and jit_code_entry.
 *
 * A running target may change a list while it is read. An object that cannot be read, or that is malformed,
 * is left out and counted. An object is kept from one update to the next only if nothing shows that another
 * one has taken its place: the address of its list entry, the address and size of its image, and the image's
 * fingerprint are equal. The fingerprint is a hash of the whole image up to 64 KiB; of a larger one it is the
 * hash of the ELF header and the last 60 KiB, where LLVM puts the names, which contain Numba's number of the
 * compilation, and the section headers, which contain the addresses of the code. */
#ifndef JS_PROGRAM_SESSION_REGISTERED_H
#define JS_PROGRAM_SESSION_REGISTERED_H

#include "program/session/jit_list.h"
#include "program/session/program.h"

typedef struct js_registered js_registered;

/* What the last update has found and done. */
typedef struct js_registered_counts {
    size_t entries;  /* entries of all lists */
    size_t objects;  /* entries whose object the program has now */
    size_t added;    /* objects that the update has added */
    size_t removed;  /* objects that it has removed */
    size_t unknown;  /* entries whose object no JIT that is known here has made, or that announce no code */
    size_t left_out; /* entries whose object cannot be read, is malformed, is too large, or is covered by a
                        newer one's code */
    bool is_torn; /* the target changed a list each time that it was read, so that an object may be missing,
                     or may be gone */
    bool is_cut;  /* a list is longer than 1,000,000 entries, or an entry of it cannot be read */
} js_registered_counts;

/* find_descriptors.c: find the addresses of all symbols __jit_debug_descriptor of a live process, at most
 * `capacity`, by the ELF symbols (also local ones) of the files that it has mapped. Those whose name contains
 * "llvm" come first. Reads no memory of the process. *count receives their number, which is 0 for a process
 * without a JIT that registers its code. JS_ESYS: there is no such process, or it may not be read, as errno
 * says; JS_ENOMEM. */
JS_API int js_registered_find_descriptors(pid_t pid, uint64_t *descriptors, size_t capacity, size_t *count);

/* Create the state of an update for one program; the caller releases it by js_registered_destroy(). */
JS_API int js_registered_create(js_registered **out);
JS_API void js_registered_destroy(js_registered *registered);

/* Leave new objects out of the program in later updates, and read only the addresses of their code, until
 * js_registered_load() asks for them. A process may have ten thousand, and its stacks be in ten. */
JS_API void js_registered_set_lazy(js_registered *registered);
/* Add the object whose code holds pc, unless the program has it. *is_added: it was added now. JS_ENOMEM. */
JS_API int js_registered_load(js_registered *registered, js_program *program, js_bytes *bytes, uint64_t pc,
                              bool *is_added);

/* Bring `program` up to date with the lists of `count` descriptors (at most JS_REGISTERED_LISTS), read by
 * `bytes`: remove objects that are gone, then add new ones, oldest first, as objects that were there before
 * the debugger (js_program_set_attaching()). All objects of `program` must come from this function. Costs
 * little if nothing has changed. JS_EARG: too many descriptors; JS_ENOMEM; JS_EFAULT: none of the descriptors
 * can be read, so that the process has ended or runs another program now. After an error the program has what
 * was added until then. */
JS_API int js_registered_update(js_registered *registered, js_program *program, js_bytes *bytes,
                                const uint64_t *descriptors, size_t count);

/* True if the lists are as the last update has read them. Reads the descriptor and the newest object's entry
 * and fingerprint; that takes some 10 µs. The whole list is walked (some 0.5 µs for each entry) only if its
 * last change was a removal, after which these may be equal by chance. False after an update that returned an
 * error or was torn. The answer lasts while the target does not run. */
JS_API bool js_registered_is_current(const js_registered *registered, js_bytes *bytes);

/* Return what the last update has found. */
JS_API const js_registered_counts *js_registered_counted(const js_registered *registered);

#endif
