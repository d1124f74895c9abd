/* Stops the threads of a process by PTRACE_SEIZE and PTRACE_INTERRUPT, which leave no trace in it: no SIGSTOP
 * is sent, and a process that was stopped stays so. Source: ptrace(2). */
#include "stacks/process/pause.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "bytes/process.h"
#include "bytes/vector.h"

enum {
    MAX_THREADS = 1 << 20,
    ROUNDS = 64,                      /* listings until one has no new thread */
    WAIT_STEP = 20 * 1000,            /* nanoseconds between two questions whether a thread has stopped */
    WAIT_LONGEST = 500 * 1000 * 1000, /* nanoseconds for all threads */
};

uint64_t js_pause_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool is_known(const js_pause *pause, pid_t id)
{
    for (size_t i = 0; i < pause->count; i++) {
        if (pause->threads[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Read the thread's name and state. */
static void describe(js_paused_thread *thread, pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)thread->id);
    if (js_process_file(path, sizeof text, text)) {
        return;
    }
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open) {
        return;
    }
    size_t length = (size_t)(close - open) - 1;
    length = length < sizeof thread->name ? length : sizeof thread->name - 1;
    for (size_t i = 0; i < length; i++) {
        thread->name[i] = isprint((unsigned char)open[1 + i]) ? open[1 + i] : '?';
    }
    thread->state = close[1] == ' ' ? close[2] : '\0';
}

bool js_pause_has_ended(pid_t pid, pid_t id)
{
    js_paused_thread thread = {.id = id};
    describe(&thread, pid);
    return thread.state == '\0' || thread.state == 'Z' || thread.state == 'X';
}

static int add_thread(js_pause *pause, pid_t id)
{
    js_paused_thread *grown = pause->count < MAX_THREADS ? js_vector_reserve(pause->threads, &pause->capacity,
                                                                             pause->count + 1, sizeof *grown)
                                                         : NULL;
    if (!grown) {
        return JS_ENOMEM;
    }
    pause->threads = grown;
    js_paused_thread *thread = &grown[pause->count];
    *thread = (js_paused_thread){.id = id};
    describe(thread, pause->pid); /* before it is traced, since a stopped thread is a traced one afterwards */
    if (!pause->is_list && ptrace(PTRACE_SEIZE, id, NULL, NULL)) {
        /* A thread that has ended cannot be traced: EPERM. */
        return errno == ESRCH || js_pause_has_ended(pause->pid, id) ? JS_OK : JS_ESYS;
    }
    thread->is_traced = !pause->is_list;
    pause->count++;
    return JS_OK;
}

/* Trace the threads that are not known yet. *added: their number. */
static int add_new(js_pause *pause, size_t *added)
{
    char path[40];
    size_t before = pause->count;
    *added = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pause->pid);
    DIR *tasks = opendir(path);
    if (!tasks) {
        return JS_ENOTFOUND;
    }
    int status = JS_OK;
    for (struct dirent *entry; status == JS_OK && (entry = readdir(tasks));) {
        pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
        if (id > 0 && !is_known(pause, id)) {
            status = add_thread(pause, id);
        }
    }
    closedir(tasks);
    *added = pause->count - before;
    return status;
}

int js_pause_init(js_pause *pause, pid_t pid)
{
    size_t added = 0;
    *pause = (js_pause){.pid = pid};
    int status = add_new(pause, &added);
    return status == JS_OK && pause->count == 0 ? JS_ENOTFOUND : status;
}

int js_pause_list(js_pause *pause, pid_t pid)
{
    size_t added = 0;
    *pause = (js_pause){.pid = pid, .is_list = true};
    int status = add_new(pause, &added);
    return status == JS_OK && pause->count == 0 ? JS_ENOTFOUND : status;
}

/* Note that the thread has stopped, and the signal that the stop holds back from it. */
static void take_stop(js_paused_thread *thread, int wait_status)
{
    if (!WIFSTOPPED(wait_status)) {
        thread->is_traced = false; /* it has ended */
        return;
    }
    bool is_event = wait_status >> 16 == PTRACE_EVENT_STOP;
    thread->signal = is_event ? 0 : WSTOPSIG(wait_status);
    thread->is_at_rest = js_traced_read(thread->id, &thread->registers) == JS_OK;
}

/* Wait until the threads from `first` on have stopped, or until `until`. */
static void wait_for(js_pause *pause, size_t first, uint64_t until)
{
    for (size_t i = first; i < pause->count; i++) {
        js_paused_thread *thread = &pause->threads[i];
        while (thread->is_traced && !thread->is_at_rest) {
            int wait_status;
            pid_t got = waitpid(thread->id, &wait_status, __WALL | WNOHANG);
            if (got == thread->id) {
                take_stop(thread, wait_status);
            } else if (got < 0 && errno != EINTR) {
                thread->is_traced = false;
            } else if (js_pause_clock() > until) {
                break;
            } else {
                nanosleep(&(struct timespec){.tv_nsec = WAIT_STEP}, NULL);
            }
        }
    }
}

int js_pause_begin(js_pause *pause)
{
    pause->began = js_pause_clock();
    uint64_t until = pause->began + WAIT_LONGEST;
    size_t first = 0, added = pause->count;
    int status = JS_OK;
    for (unsigned round = 0; round < ROUNDS && added && status == JS_OK; round++) {
        for (size_t i = first; i < pause->count; i++) {
            ptrace(PTRACE_INTERRUPT, pause->threads[i].id, NULL, NULL);
        }
        wait_for(pause, first, until);
        first = pause->count;
        status = add_new(pause, &added);
    }
    return status;
}

void js_pause_end(js_pause *pause)
{
    for (size_t i = 0; i < pause->count; i++) {
        js_paused_thread *thread = &pause->threads[i];
        if (thread->is_traced && thread->is_at_rest) {
            ptrace(PTRACE_DETACH, thread->id, NULL, (void *)(intptr_t)thread->signal);
            thread->is_traced = false;
        }
    }
    pause->ended = js_pause_clock();
}

void js_pause_deinit(js_pause *pause)
{
    js_pause_end(pause);
    free(pause->threads);
    *pause = (js_pause){0};
}
