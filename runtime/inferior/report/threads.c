#include "report/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/clock.h"
#include "report/registers.h"
#include "report/stacks.h"
#include "system/lines.h"

enum {
    FROM_THE_LAST = 3, /* the signal is one of the last that programs take for themselves */
    ENTRIES = 4096,
    PATH_SIZE = 64,
    CALL_SIZE = 256,
    CALL_LENGTH = 2 /* bytes of the instruction of a system call */
};

static jitscope_report_process *_Atomic held; /* where the threads leave their registers; NULL: nowhere */
static atomic_uint answers, is_over;
static _Atomic int64_t hold_end; /* when the threads run on, so that nothing hangs if no one lets them */
static atomic_bool are_stacks_given;

/* What the thread has received, and waits with; NULL: it does not wait. */
static __thread const siginfo_t *volatile own_info __attribute__((tls_model("initial-exec")));
static __thread const void *volatile own_context __attribute__((tls_model("initial-exec")));

/* An entry of a directory (getdents64(2)). */
typedef struct directory_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
} directory_entry;

int threads_signal(void)
{
    return SIGRTMAX - FROM_THE_LAST;
}

/* Wait until the threads are released. */
static void hold(void)
{
    for (int64_t left; !atomic_load(&is_over) && (left = atomic_load(&hold_end) - clock_ms()) > 0;) {
        const struct timespec longest = {left / 1000, left % 1000 * 1000000};
        syscall(SYS_futex, &is_over, FUTEX_WAIT_PRIVATE, 0, &longest, NULL, 0);
    }
}

static void leave_registers(jitscope_report_thread *thread, const ucontext_t *context)
{
    uint64_t call = thread->registers[REGISTERS_CALL], pc = thread->registers[REGISTERS_PC];
    registers_take(context, thread->registers);
    uint64_t now = thread->registers[REGISTERS_PC];
    bool is_there = now == pc || now + CALL_LENGTH == pc; /* the call is made again, or has ended */
    thread->registers[REGISTERS_CALL] = is_there ? call : UINT64_MAX;
    atomic_thread_fence(memory_order_release);
    thread->known = JITSCOPE_REPORT_ANSWERED;
}

void threads_wait_with(const siginfo_t *info, const void *context)
{
    own_info = info;
    own_context = context;
}

void threads_wait_over(void)
{
    own_context = NULL;
}

/* Leave the registers at the signal that the thread waits with, or, if it does not wait, at this one. */
static void leave(jitscope_report_thread *thread, const ucontext_t *context)
{
    if (own_context) {
        thread->signal = own_info->si_signo;
        thread->code = own_info->si_code;
        thread->address = own_info->si_code > 0 ? (uint64_t)(uintptr_t)own_info->si_addr : 0;
    }
    leave_registers(thread, own_context ? own_context : context);
}

static void answer(int number, siginfo_t *info, void *data)
{
    int saved = errno;
    ucontext_t *context = data;
    jitscope_report_process *process = atomic_load(&held);
    pid_t own = (pid_t)syscall(SYS_gettid);
    (void)number, (void)info;
    for (uint32_t i = 1; process && i < process->thread_count; i++) {
        if (process->threads[i].native_id == own) {
            leave(&process->threads[i], context);
            atomic_fetch_add(&answers, 1);
            hold();
            break;
        }
    }
    stack_t stack;
    if (!process && atomic_load(&are_stacks_given)) {
        if (context->uc_stack.ss_flags & SS_DISABLE && stacks_make(&stack) == 0) {
            context->uc_stack = stack; /* the return from the signal sets it (rt_sigreturn) */
        }
        atomic_fetch_add(&answers, 1);
    }
    errno = saved;
}

static void read_task(pid_t thread, const char *name, char *data, size_t size)
{
    char path[PATH_SIZE];
    line_text line;
    line_init(&line, path, sizeof path);
    line_add(&line, "/proc/self/task/");
    line_add_number(&line, thread);
    line_add(&line, name);
    long length = line_read_file(path, data, size);
    data[length > 0 ? length : 0] = '\0';
}

/* Read a number, which may begin with 0x. Returns what follows it and the space after it. */
static const char *read_number(const char *text, uint64_t *out)
{
    bool is_hex = text[0] == '0' && text[1] == 'x';
    *out = 0;
    for (text += is_hex ? 2 : 0; *text && *text != ' ' && *text != '\n'; text++) {
        unsigned digit = *text <= '9' ? (unsigned)*text - '0' : (unsigned)*text - 'a' + 10;
        *out = *out * (is_hex ? 16 : 10) + digit;
    }
    return *text == ' ' ? text + 1 : text;
}

/* Read which system call a thread waits in, and where: `number six arguments sp pc` (proc(5), syscall). */
static void read_call(jitscope_report_thread *thread)
{
    char text[CALL_SIZE];
    uint64_t values[9];
    read_task(thread->native_id, "/syscall", text, sizeof text);
    thread->registers[REGISTERS_CALL] = UINT64_MAX;
    if (text[0] < '0' || text[0] > '9') {
        return; /* `running`, or `-1` for a thread that waits outside of a call */
    }
    const char *at = text;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        at = read_number(at, &values[i]);
    }
    thread->registers[REGISTERS_CALL] = values[0];
    thread->registers[REGISTERS_SP] = values[7];
    thread->registers[REGISTERS_PC] = values[8];
    thread->known = JITSCOPE_REPORT_IN_CALL;
}

static void add(jitscope_report_process *process, pid_t native_id)
{
    if (process->thread_count == JITSCOPE_REPORT_THREADS) {
        process->left_out++;
        return;
    }
    jitscope_report_thread *thread = &process->threads[process->thread_count];
    memset(thread, 0, sizeof *thread);
    thread->native_id = native_id;
    read_task(native_id, "/comm", thread->name, sizeof thread->name);
    thread->name[strcspn(thread->name, "\n")] = '\0';
    process->thread_count++;
}

/* List the other threads. */
static void list(jitscope_report_process *process)
{
    static char entries[ENTRIES] __attribute__((aligned(8)));
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long size; fd >= 0 && (size = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0;) {
        for (long at = 0; at < size;) {
            const directory_entry *entry = (const directory_entry *)(entries + at);
            uint64_t number = 0;
            if (entry->name[0] >= '0' && entry->name[0] <= '9') {
                read_number(entry->name, &number);
            }
            if (number && (pid_t)number != process->threads[0].native_id) {
                add(process, (pid_t)number);
            }
            at += entry->size;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* Send the signal to the others, and wait at most this long until all have answered. */
static void ask(jitscope_report_process *process, int32_t wait_ms)
{
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    unsigned asked = 0;
    pid_t own = getpid();
    int64_t until = clock_ms() + wait_ms;
    atomic_store(&answers, 0);
    bool can_ask = sigaction(threads_signal(), &action, NULL) == 0;
    for (uint32_t i = 1; can_ask && i < process->thread_count; i++) {
        read_call(&process->threads[i]);
        asked += syscall(SYS_tgkill, own, process->threads[i].native_id, threads_signal()) == 0;
    }
    while (atomic_load(&answers) < asked && clock_ms() < until) {
        clock_step();
    }
}

static void list_all(jitscope_report_process *process)
{
    process->thread_count = 0;
    add(process, (pid_t)syscall(SYS_gettid));
    list(process);
}

void threads_hold(jitscope_report_process *process, const void *context, int32_t wait_ms, int64_t until)
{
    list_all(process);
    registers_take(context, process->threads[0].registers);
    process->threads[0].known = JITSCOPE_REPORT_ANSWERED;
    atomic_store(&hold_end, until);
    atomic_store(&is_over, 0);
    atomic_store(&held, process);
    ask(process, wait_ms);
}

void threads_release(void)
{
    atomic_store(&held, NULL);
    atomic_store(&is_over, 1);
    syscall(SYS_futex, &is_over, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    /* The handler stays: a thread that blocks the signal gets it when it unblocks it, and would end
     * otherwise. */
}

void threads_give_stacks(jitscope_report_process *process, int32_t wait_ms)
{
    list_all(process);
    atomic_store(&are_stacks_given, true);
    ask(process, wait_ms);
}
