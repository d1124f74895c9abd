/* Fetches programs and libraries that are not here from the servers that DEBUGINFOD_URLS names, by build-id.
 * libdebuginfod of elfutils does that, and keeps what it has fetched. It is loaded when the variable is set
 * and a file is missing, as libdw loads it for debug files. */
#ifndef JS_BYTES_CORE_DEBUGINFOD_H
#define JS_BYTES_CORE_DEBUGINFOD_H

#include <stddef.h>
#include <stdint.h>

/* Whom to tell that a file is being fetched: called with `context` about once a second, with the bytes that
 * are here, and of how many (0: not known). Other than 0: stop. NULL: no one. */
typedef struct js_fetch {
    int (*progress)(void *context, long done, long total);
    void *context;
} js_fetch;

typedef struct js_debuginfod {
    js_fetch fetch;
    void *client; /* NULL: not begun, or not to be had */
    int is_begun;
    int is_stopped; /* `progress` has asked for it; nothing else is fetched */
} js_debuginfod;

/* Begin with nothing loaded. */
void js_debuginfod_init(js_debuginfod *self, js_fetch fetch);
void js_debuginfod_deinit(js_debuginfod *self);
/* Let a client of libdebuginfod that another library has made (libdw) call `progress`, too; NULL: it has made
 * none. `self` must live as long as the client. */
void js_debuginfod_watch(js_debuginfod *self, void *client);
/* Open the program or library with a build-id of `size` bytes. Returns a file descriptor, which becomes the
 * caller's, or -1: no server has it, or none is named. */
int js_debuginfod_open(js_debuginfod *self, const uint8_t *build_id, size_t size);

#endif
