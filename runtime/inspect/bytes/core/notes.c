/* Reads the notes of a core: threads, the process, its auxiliary vector and its mapped files. */
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/core/contents.h"
#include "bytes/vector.h"

enum {
    THREADS_MAX = 1 << 18,
    NOTES_MAX = 1 << 22,
    SMALL_MAX = 4096,      /* bytes of a note of one of the fixed structures; more is not read */
    FILES_MAX = 64 << 20,  /* bytes of NT_FILE; the kernel writes at most 16 MiB */
    VECTOR_MAX = 64 << 10, /* bytes of NT_AUXV */
};

/* Offsets in struct elf_prpsinfo of 64-bit machines, and its size. */
enum { INFO_UID = 16, INFO_GID = 20, INFO_PID = 24, INFO_PARENT = 28, INFO_NAME = 40, INFO_ARGUMENTS = 56 };
enum { INFO_SIZE = 136, NAME_SIZE = 16, ARGUMENTS_SIZE = 80 };

/* Offsets in siginfo_t of 64-bit machines. */
enum { SIGINFO_CODE = 8, SIGINFO_ADDRESS = 16, SIGINFO_SIZE = 24 };

static int add_thread(js_core *core, const uint8_t *content, size_t size)
{
    if (core->thread_count >= THREADS_MAX) {
        return JS_ELIMIT;
    }
    js_core_thread *threads =
        js_vector_reserve(core->threads, &core->thread_capacity, core->thread_count + 1, sizeof *threads);
    if (!threads) {
        return JS_ENOMEM;
    }
    core->threads = threads;
    if (js_core_read_thread(core->machine, content, size, &threads[core->thread_count]) == JS_OK) {
        core->thread_count++;
    }
    return JS_OK;
}

static int read_siginfo(js_core *core, const uint8_t *content, size_t size)
{
    if (core->thread_count == 0 || size < SIGINFO_SIZE) {
        return JS_OK;
    }
    js_core_thread *thread = &core->threads[core->thread_count - 1]; /* the note follows its thread's */
    int32_t number, code;
    memcpy(&number, content, sizeof number);
    memcpy(&code, content + SIGINFO_CODE, sizeof code);
    thread->has_siginfo = true;
    thread->siginfo_signal = number;
    thread->siginfo_code = code;
    bool has_address =
        number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP;
    if (has_address && code > 0) {
        memcpy(&thread->siginfo_address, content + SIGINFO_ADDRESS, sizeof thread->siginfo_address);
    }
    return JS_OK;
}

static int read_process(js_core *core, const uint8_t *content, size_t size)
{
    js_core_process *process = &core->process;
    if (size < INFO_SIZE) {
        return JS_OK;
    }
    int32_t pid, parent;
    memcpy(&process->uid, content + INFO_UID, sizeof process->uid);
    memcpy(&process->gid, content + INFO_GID, sizeof process->gid);
    memcpy(&pid, content + INFO_PID, sizeof pid);
    memcpy(&parent, content + INFO_PARENT, sizeof parent);
    process->pid = pid;
    process->parent = parent;
    memcpy(process->name, content + INFO_NAME, NAME_SIZE);
    memcpy(process->arguments, content + INFO_ARGUMENTS, ARGUMENTS_SIZE);
    return JS_OK;
}

/* Take over the contents, if they are the first of their kind. */
static int take_auxiliary(js_core *core, uint8_t *content, size_t size)
{
    if (core->auxiliary) {
        free(content);
        return JS_OK;
    }
    core->auxiliary = (void *)content;
    core->auxiliary_count = size / sizeof *core->auxiliary;
    return JS_OK;
}

static int take_files(js_core *core, uint8_t *content, size_t size)
{
    if (core->names) {
        free(content);
        return JS_OK;
    }
    return js_core_read_mappings(core, (char *)content, size);
}

static int pass_on(js_core *core, int (*reader)(js_core *core, const uint8_t *content, size_t size),
                   uint64_t offset, size_t size)
{
    uint8_t content[SMALL_MAX];
    size = size < sizeof content ? size : sizeof content;
    int status = js_core_read_file(core, offset, content, size);
    return status ? status : reader(core, content, size);
}

static int give(js_core *core, int (*reader)(js_core *core, uint8_t *content, size_t size), uint64_t offset,
                size_t size, size_t limit)
{
    size = size < limit ? size : limit;
    if (offset > core->size || size > core->size - offset) {
        return JS_EFAULT;
    }
    uint8_t *content = malloc(size + 1); /* a NUL ends the last name, whatever the note says */
    if (!content) {
        return JS_ENOMEM;
    }
    content[size] = 0;
    int status = js_core_read_file(core, offset, content, size);
    if (status) {
        free(content);
        return status;
    }
    return reader(core, content, size);
}

static int read_note(js_core *core, const Elf64_Nhdr *head, const char *name, uint64_t offset)
{
    if (strcmp(name, "CORE") != 0) {
        return JS_OK;
    }
    switch (head->n_type) {
    case NT_PRSTATUS:
        return pass_on(core, add_thread, offset, head->n_descsz);
    case NT_SIGINFO:
        return pass_on(core, read_siginfo, offset, head->n_descsz);
    case NT_PRPSINFO:
        return pass_on(core, read_process, offset, head->n_descsz);
    case NT_AUXV:
        return give(core, take_auxiliary, offset, head->n_descsz, VECTOR_MAX);
    case NT_FILE:
        return give(core, take_files, offset, head->n_descsz, FILES_MAX);
    default:
        return JS_OK;
    }
}

int js_core_read_notes(js_core *core, uint64_t offset, uint64_t size)
{
    js_core_require(core, offset, size);
    uint64_t end = offset + size < offset || offset + size > core->size ? core->size : offset + size;
    while (offset < end && end - offset >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr head;
        if (core->note_count++ >= NOTES_MAX) {
            return JS_ELIMIT;
        }
        char name[8] = "";
        int status = js_core_read_file(core, offset, &head, sizeof head);
        if (status == JS_OK && head.n_namesz > 0 && head.n_namesz <= sizeof name) {
            status = js_core_read_file(core, offset + sizeof head, name, head.n_namesz);
            name[sizeof name - 1] = '\0';
        }
        if (status) {
            return status == JS_EFAULT ? JS_OK : status; /* the file's end cuts it off */
        }
        offset += sizeof head + ((uint64_t)head.n_namesz + 3) / 4 * 4;
        status = offset <= end ? read_note(core, &head, name, offset) : JS_OK;
        if (status && status != JS_EFAULT) {
            return status;
        }
        offset += ((uint64_t)head.n_descsz + 3) / 4 * 4;
    }
    return JS_OK;
}
