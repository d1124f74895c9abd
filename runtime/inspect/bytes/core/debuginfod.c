/* Source of the functions' types: elfutils 0.188, debuginfod/debuginfod.h.in. */
#include "bytes/core/debuginfod.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

typedef int (*progress_fn)(void *client, long done, long total);

/* The functions of libdebuginfod that are called. */
static struct {
    void *(*begin)(void);
    void (*end)(void *client);
    void (*set_progress)(void *client, progress_fn progress);
    void (*set_user_data)(void *client, void *data);
    void *(*get_user_data)(void *client);
    int (*find_executable)(void *client, const unsigned char *build_id, int size, char **path);
} library;

/* Find a function. ISO C has no conversion from void * to it; POSIX's dlsym() asks for this one. */
static bool find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

/* Load the library, once a server is named; it stays loaded, because libdw may use it, too. */
static bool is_loaded(void)
{
    static int state; /* 0: not tried, 1: loaded, -1: not to be had */
    const char *urls = getenv("DEBUGINFOD_URLS");
    if (state == 0 && urls && *urls) {
        void *handle = dlopen("libdebuginfod.so.1", RTLD_LAZY);
        bool is_whole = handle && find(handle, "debuginfod_begin", &library.begin) &&
                        find(handle, "debuginfod_end", &library.end) &&
                        find(handle, "debuginfod_set_progressfn", &library.set_progress) &&
                        find(handle, "debuginfod_set_user_data", &library.set_user_data) &&
                        find(handle, "debuginfod_get_user_data", &library.get_user_data) &&
                        find(handle, "debuginfod_find_executable", &library.find_executable);
        state = is_whole ? 1 : -1;
    }
    return state == 1;
}

static int report_progress(void *client, long done, long total)
{
    js_debuginfod *self = library.get_user_data(client);
    if (!self->is_stopped && self->fetch.progress && self->fetch.progress(self->fetch.context, done, total)) {
        self->is_stopped = 1;
    }
    return self->is_stopped;
}

void js_debuginfod_init(js_debuginfod *self, js_fetch fetch)
{
    *self = (js_debuginfod){.fetch = fetch};
}

void js_debuginfod_deinit(js_debuginfod *self)
{
    if (self->client) {
        library.end(self->client);
    }
    *self = (js_debuginfod){0};
}

void js_debuginfod_watch(js_debuginfod *self, void *client)
{
    if (client && is_loaded()) {
        library.set_user_data(client, self);
        library.set_progress(client, report_progress);
    }
}

int js_debuginfod_open(js_debuginfod *self, const uint8_t *build_id, size_t size)
{
    char *path = NULL;
    if (!self->is_begun) {
        self->is_begun = 1;
        self->client = is_loaded() ? library.begin() : NULL;
        js_debuginfod_watch(self, self->client);
    }
    int fd = self->client && !self->is_stopped && size
                 ? library.find_executable(self->client, build_id, (int)size, &path)
                 : -1;
    free(path);
    return fd < 0 ? -1 : fd;
}
