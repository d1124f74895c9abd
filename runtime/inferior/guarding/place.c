/* Finds which code asks for memory, and whether the user has chosen it (JITSCOPE_GUARD). */
#include "guarding/place.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

#include "guarding/arena.h"

enum { OWN = 4 };       /* most frames of this library in a stack */
#define NUMPY "/numpy/" /* in the paths of NumPy's files */

extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char _end __attribute__((visibility("hidden")));

/* jitscope_guard_python, by what its functions take. */
static struct {
    int (*has_lock)(void);
    void *(*frame)(void);
    void *(*back)(void *frame);
    int (*line)(void *frame);
    void *(*code)(void *frame);
    void *(*attribute)(void *object, const char *name);
    const char *(*text)(void *object);
    void (*hold)(void *object);
    void (*release)(void *object);
} python;
_Static_assert(sizeof python == sizeof(jitscope_guard_python), "a function is missing");

static char function[512], file[4096]; /* the choice: one of them is "", or both are */
static int line;
/* The address of a frame while a chosen statement runs; 0: none does. */
static __thread uint64_t chosen_frame __attribute__((tls_model("initial-exec")));

int jitscope_guard_begin(const char *chosen, const jitscope_guard_python *functions)
{
    void *codes[2];
    int status = arena_begin();
    if (status) {
        return status;
    }
    const char *colon = strrchr(chosen, ':');
    size_t length = colon ? (size_t)(colon - chosen) : strlen(chosen);
    char *name = colon ? file : function;
    if (length >= (colon ? sizeof file : sizeof function)) {
        return JITSCOPE_EARG;
    }
    memcpy(&python, functions, sizeof python);
    memcpy(name, chosen, length);
    name[length] = '\0';
    line = colon ? atoi(colon + 1) : 0;
    backtrace(codes, 2); /* loads the unwinder, which takes memory */
    return JITSCOPE_OK;
}

/* ---- the code ---- */

static void find_codes(uint64_t *codes)
{
    void *found[OWN + JITSCOPE_PLACE_CODES];
    int count = backtrace(found, OWN + JITSCOPE_PLACE_CODES), kept = 0;
    for (int i = 0; i < count && kept < JITSCOPE_PLACE_CODES; i++) {
        uintptr_t code = (uintptr_t)found[i];
        if (code < (uintptr_t)&__ehdr_start || code >= (uintptr_t)&_end) {
            codes[kept++] = code;
        }
    }
}

/* Return the text of a code object's attribute, which lives as long as the code object does. */
static const char *text_of(void *code, const char *name)
{
    void *object = python.attribute(code, name);
    const char *text = object ? python.text(object) : NULL;
    if (object) {
        python.release(object);
    }
    return text;
}

/* The line of Python code that runs, outside of NumPy's own files. */
typedef struct python_line {
    void *frame, *code; /* held until it is released */
    const char *path;   /* NULL: no Python code runs in this thread */
} python_line;

static bool enter_frame(python_line *at, void *frame)
{
    at->frame = frame;
    at->code = frame ? python.code(frame) : NULL;
    at->path = at->code ? text_of(at->code, "co_filename") : NULL;
    return at->path;
}

static void release_line(const python_line *at)
{
    if (at->code) {
        python.release(at->code);
    }
    if (at->frame) {
        python.release(at->frame);
    }
}

static python_line find_line(void)
{
    python_line at = {0};
    void *newest = python.has_lock && python.has_lock() ? python.frame() : NULL;
    if (newest) {
        python.hold(newest);
    }
    while (enter_frame(&at, newest) && strstr(at.path, NUMPY)) {
        newest = python.back(at.frame);
        release_line(&at);
    }
    return at;
}

void place_find(jitscope_guard_place *place, bool is_python)
{
    memset(place, 0, sizeof *place);
    python_line at = find_line();
    if (at.path) {
        place->file = arena_file(at.path);
        place->line = (uint32_t)python.line(at.frame);
    }
    if (!at.path || !is_python) { /* unwinding takes some microseconds for each frame */
        find_codes(place->codes);
    }
    release_line(&at);
}

/* ---- the choice ---- */

static bool is_tail(const char *path, const char *tail)
{
    size_t length = strlen(path), part = strlen(tail);
    return length >= part && strcmp(path + length - part, tail) == 0 &&
           (length == part || tail[0] == '/' || path[length - part - 1] == '/');
}

static bool is_chosen_line(const python_line *at)
{
    if (!at->path) {
        return false;
    }
    if (function[0]) {
        const char *name = text_of(at->code, "co_name");
        return name && strcmp(name, function) == 0;
    }
    return line == python.line(at->frame) && is_tail(at->path, file);
}

bool place_is_chosen(void)
{
    if (!function[0] && !file[0]) {
        return true;
    }
    python_line at = find_line();
    bool is = is_chosen_line(&at);
    release_line(&at);
    return is;
}

/* A statement that ended by an exception has not called jitscope_guard_leave: then its frame is gone, and the
 * stack has grown up beyond it. */
bool place_is_in_chosen_statement(void)
{
    if (!function[0] && !file[0]) {
        return true;
    }
    if (chosen_frame && (uint64_t)(uintptr_t)__builtin_frame_address(0) > chosen_frame) {
        chosen_frame = 0;
    }
    return chosen_frame;
}

uint64_t jitscope_guard_enter(void)
{
    uint64_t before = chosen_frame;
    chosen_frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return before;
}

void jitscope_guard_leave(uint64_t before)
{
    chosen_frame = before;
}
