/* Reads the core of a process: its memory, threads and mapped files. Cores are those of the kernel and of
 * GDB's gcore, of 64-bit little-endian Linux programs on x86-64. Nothing that a core says is believed:
 * counts, lengths and addresses are checked, and reads are bounded.
 *
 * Source of the layouts: elf(5), core(5); Linux fs/binfmt_elf.c (elf_core_dump, fill_files_note),
 * include/uapi/linux/elfcore.h (struct elf_prstatus, elf_prpsinfo), arch/x86/include/asm/user_64.h (struct
 * user_regs_struct). */
#ifndef JS_BYTES_CORE_CORE_H
#define JS_BYTES_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/core/debuginfod.h"
#include "bytes/reader.h"
#include "bytes/text.h"

typedef struct js_core js_core;

/* Open a core. The file stays open until js_core_destroy(), and its memory is read when it is asked for.
 * JS_ESYS: it cannot be opened or read, as errno says; JS_ENOTFOUND: it is no ELF file; JS_EARG: it is a
 * program or a library; JS_EUNSUP: it is of another kind of machine; JS_EBAD: its program headers
 * have an unexpected size; JS_EFAULT: it ends within its header; JS_ELIMIT: it has more than 2**21 segments,
 * 2**18 threads or 2**22 notes. */
JS_API int js_core_create(const char *path, js_core **out);
/* Like js_core_create(), for an open file, which the caller may close afterwards. */
JS_API int js_core_create_fd(int fd, js_core **out);
/* Likewise for a process that answers reads over a socket, which is borrowed (jitscope_report.h). `head`: the
 * headers and notes of a core whose segments have the offsets JITSCOPE_REPORT_MEMORY + address. */
JS_API int js_core_create_served(int fd, const void *head, size_t size, js_core **out);
JS_API void js_core_destroy(js_core *core);
/* Return what js_core_create() has found out about a file that is no core, by its status: "is no core file"
 * …; static storage. */
JS_API const char *js_core_status_text(int status);

/* Return a reader of the process's memory; it belongs to the core. Pages that the core leaves out are read
 * from the program or library that was mapped there, if the mapping was read-only, and if the file on disk is
 * proven to be the mapped one. JS_EFAULT: the core does not hold the bytes (js_core_explain says why); bytes
 * beyond the end of a truncated core are never read as zeros. */
JS_API js_bytes *js_core_bytes(js_core *core);

/* Return EM_* of the process's machine. */
JS_API uint16_t js_core_machine(const js_core *core);
/* Return how many bytes the file lacks at its end, or at least lacks if its headers are cut off; 0: the core
 * is complete. */
JS_API uint64_t js_core_lacking(const js_core *core);

/* ---- ranges of memory ---- */

/* A range of the process's memory, whether the core holds its contents or not. */
typedef struct js_core_range {
    uint64_t start, end; /* addresses: [start, end) */
    bool is_code;
} js_core_range;

/* Give the range of an index, in order of addresses. JS_ENOTFOUND: there are fewer. */
JS_API int js_core_range_at(const js_core *core, size_t index, js_core_range *out);

/* ---- threads ---- */

enum {
    JS_CORE_REGISTERS = 17, /* number on the machine that has the most: x86-64 */
    JS_CORE_X86_64_SP = 7,  /* DWARF's number of rsp, and of the return address column, which has rip */
    JS_CORE_X86_64_PC = 16,
};

/* A thread. Registers have DWARF's numbers; on x86-64: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15,
 * rip. */
typedef struct js_core_thread {
    uint64_t registers[JS_CORE_REGISTERS];
    uint64_t thread_pointer; /* where its thread-local storage is: fs_base */
    uint64_t system_call;    /* the number of the system call that it was in: orig_rax; UINT64_MAX: none */
    pid_t native_id;
    int signal;         /* the signal that it received; 0: none */
    bool has_siginfo;   /* the core has the three fields that follow */
    int siginfo_signal; /* si_signo, which may be another signal than `signal` if that was not delivered yet
                         */
    int siginfo_code;   /* si_code: SEGV_*, or SI_* for a signal that was sent */
    uint64_t siginfo_address; /* si_addr, for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGTRAP with a positive
                                 code; else 0 */
} js_core_thread;

/* Return the threads, the crashed one first (in a core by gcore the one that GDB had selected); they belong
 * to the core. */
JS_API const js_core_thread *js_core_threads(const js_core *core, size_t *count);

/* ---- the process ---- */

/* The process, by NT_PRPSINFO. Nothing in it is escaped. */
typedef struct js_core_process {
    pid_t pid; /* 0: the core does not say */
    pid_t parent;
    uint32_t uid, gid;
    char name[17];      /* what the thread that wrote the core was called, at most 15 bytes; "": not known */
    char arguments[81]; /* the start of the command line, words separated by spaces; "": not known */
} js_core_process;

/* Return what the core says of the process; it belongs to the core. */
JS_API const js_core_process *js_core_process_of(const js_core *core);
/* Find the value of AT_* in the auxiliary vector. JS_ENOTFOUND: it is not there. */
JS_API int js_core_auxiliary(const js_core *core, uint64_t key, uint64_t *value);
/* Return the path of the program as the kernel knew it; NULL: the core does not say. */
JS_API const char *js_core_executable(const js_core *core);

/* ---- mapped files ---- */

/* A mapping of a file, by NT_FILE. */
typedef struct js_core_mapping {
    uint64_t start, end; /* addresses: [start, end) */
    uint64_t offset;     /* bytes before `start` in the file */
    const char *path; /* in the mount namespace of the process, with " (deleted)" at its end if the file had
                         no name any more; belongs to the core, not escaped */
    size_t image;     /* number of the file: mappings of one path have one number */
} js_core_mapping;

/* Return the mappings, sorted by address, at most 2**18; they belong to the core. */
JS_API const js_core_mapping *js_core_mappings(const js_core *core, size_t *count);

/* A file whose first byte is mapped, as js_mapped_file has it for a live process. */
typedef struct js_core_file {
    uint64_t start, end; /* the mapping of the file's first byte: [start, end) */
    const char *path;    /* as in js_core_mapping */
    size_t image;        /* as in js_core_mapping */
    bool is_code;        /* a part of the file was mapped executable, or the core does not say */
} js_core_file;

/* Return the files, sorted by address. A file that was mapped twice is there twice. They belong to the core.
 */
JS_API const js_core_file *js_core_files(const js_core *core, size_t *count);
/* Open the file on disk. The caller closes *fd. JS_ENOTFOUND: it is not there, or is not the file that was
 * mapped (js_core_missing). */
JS_API int js_core_file_open(js_core *core, const js_core_file *file, int *fd);
/* Find symbols by name: in the file on disk, or, where that is missing, the dynamic symbols in the pages that
 * the core holds. values[i] gets the address in the process; 0: the file defines no such symbol.
 * JS_ENOTFOUND: neither can be read. */
JS_API int js_core_file_symbols(js_core *core, const js_core_file *file, const char *const *names,
                                size_t count, uint64_t *values);
/* Find a symbol in all programs and libraries, such as __jit_debug_descriptor, which each copy of LLVM
 * defines. JS_ENOTFOUND: none that can be read defines it (js_core_missing); JS_ELIMIT: more than `capacity`
 * do, and `addresses` has the first ones. */
JS_API int js_core_find_everywhere(js_core *core, const char *name, size_t capacity, uint64_t *addresses,
                                   size_t *count);
/* Return the part of the path after the last slash. */
JS_API const char *js_core_file_name(const js_core_file *file);

/* Why a file cannot stand in for the pages that a core leaves out. */
typedef enum js_core_reason {
    JS_CORE_PRESENT,   /* nothing is wrong: it is the file that was mapped */
    JS_CORE_ABSENT,    /* there is no such file here, or it may not be read */
    JS_CORE_DELETED,   /* it had no name any more when the core was written */
    JS_CORE_DIFFERENT, /* the file that is here is another one: its build-id or its headers differ */
    JS_CORE_UNPROVEN,  /* the core does not hold the file's first page, and the size or time of the file that
                          is here speaks against it */
    JS_CORE_NO_OBJECT, /* it is no complete program or library; of other files the memory may differ */
} js_core_reason;

/* A program or library that is missing. */
typedef struct js_core_missing_file {
    const char *path; /* as in js_core_mapping, without " (deleted)"; belongs to the core, not escaped */
    js_core_reason reason;
} js_core_missing_file;

/* Look for the mapped files below `folder`, where the files of another machine have been unpacked, and not at
 * their own paths. NULL, and "": at their own paths. JS_ENOMEM. */
JS_API int js_core_set_root(js_core *core, const char *folder);

/* Set whom to tell that a missing file is fetched from debuginfod. Call this before the core's memory is
 * read. */
JS_API void js_core_set_fetch(js_core *core, js_fetch fetch);

/* Find the programs and libraries that were mapped and that cannot be read here. The caller frees *out with
 * js_free. */
JS_API int js_core_missing(js_core *core, js_core_missing_file **out, size_t *count);
/* Return a phrase for a reason, "is not here" …; static storage. */
JS_API const char *js_core_reason_text(js_core_reason reason);

/* Append why the byte at an address cannot be read, as a phrase: "the core ends before it", "it is in
 * /usr/lib/libm.so.6, which is not here" …; nothing if it can be read. */
JS_API void js_core_explain(js_core *core, uint64_t address, js_text *out);

#endif
