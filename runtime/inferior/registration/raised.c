/* Notes where a wrapper is about to raise an exception that compiled code has returned to it, and, where the
 * code is compiled so, the places that the exception has come through. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jitscope_raised.h"
#include "registration/registered.h"

typedef struct raised {
    uint64_t count; /* number of places; JITSCOPE_RAISED_PLACES at most are kept */
    uint64_t used;  /* bytes of `variables` */
    uint64_t below[JITSCOPE_RAISED_BELOW];
    jitscope_raised_place places[JITSCOPE_RAISED_PLACES];
    unsigned char variables[JITSCOPE_RAISED_BYTES];
} raised;

extern void (*raised_cleared)(void), (*raised_freed)(void *memory);
extern int (*raised_unpacked)(void *, const char *, intptr_t, intptr_t, ...); /* PyArg_UnpackTuple */
__attribute__((visibility("hidden"))) int (*raised_unpacked)(void *, const char *, intptr_t, intptr_t, ...);
__attribute__((visibility("hidden"))) void (*raised_freed)(void *memory);
__attribute__((visibility("hidden"))) void (*raised_cleared)(void); /* PyErr_Clear */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* frees `own` when its thread ends */
static bool has_key;
static __thread uint64_t code;       /* return address in the code that raises; 0: it was taken */
static __thread raised *own;         /* allocated when such code first raises in the thread */
static __thread uint64_t cleared_at; /* where `code` was on the stack */
/* what raised_unpack() was last called for: the tuple, where its return address was, and this address */
extern __thread uint64_t raised_unpacked_last[3];
__attribute__((visibility("hidden"), tls_model("initial-exec"))) __thread uint64_t raised_unpacked_last[3];

static void make_key(void)
{
    has_key = !pthread_key_create(&key, free);
}

static raised *get(void)
{
    if (!own && !pthread_once(&once, make_key) && has_key) {
        own = calloc(1, sizeof(*own));
        if (own && pthread_setspecific(key, own)) {
            free(own);
            own = NULL;
        }
    }
    return own;
}

#ifdef __x86_64__
void raised_note(const uint64_t *top);
void raised_clear(void);
void raised_free(void *memory);
int raised_unpack(void *arguments, const char *name, intptr_t least, intptr_t most, ...);

/* Called by raised_clear(), with the place of its return address. */
__attribute__((used)) void raised_note(const uint64_t *top)
{
    code = *top;
    cleared_at = (uintptr_t)top;
    raised *it = get();
    if (it) {
        const uint64_t *from = top - JITSCOPE_RAISED_BELOW;
        uint64_t *to = it->below, count = JITSCOPE_RAISED_BELOW;
        /* not memcpy: tools that check memory would say that no function owns these words */
        __asm__ volatile("cld\n\trep movsq" : "+S"(from), "+D"(to), "+c"(count)::"memory");
    }
}

/* A function that a compiler cannot make: it leaves the words below its stack pointer as they are while
 * raised_note() copies them, because they have the return addresses of the calls that have just returned. */
_Static_assert(JITSCOPE_RAISED_BELOW * sizeof(uint64_t) == 4096, "raised_clear() keeps as much");
__asm__(".text\n"
        ".globl raised_clear\n"
        ".hidden raised_clear\n"
        ".type raised_clear, @function\n"
        "raised_clear:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    leaq -4104(%rsp), %rsp\n    .cfi_def_cfa_offset 4112\n"
        "    leaq 4104(%rsp), %rdi\n"
        "    call raised_note\n"
        "    leaq 4104(%rsp), %rsp\n    .cfi_def_cfa_offset 8\n"
        "    movq raised_cleared(%rip), %rax\n"
        "    jmp *%rax\n"
        ".cfi_endproc\n"
        ".size raised_clear, .-raised_clear\n"

        /* A wrapper releases arguments before it raises: what frees their memory leaves these words, too. */
        ".globl raised_free\n"
        ".hidden raised_free\n"
        ".type raised_free, @function\n"
        "raised_free:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    leaq -4104(%rsp), %rsp\n    .cfi_def_cfa_offset 4112\n"
        "    call *raised_freed(%rip)\n"
        "    leaq 4104(%rsp), %rsp\n    .cfi_def_cfa_offset 8\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size raised_free, .-raised_free\n"

        /* A wrapper gets its arguments from a tuple, which lives until the wrapper returns. */
        ".globl raised_unpack\n"
        ".hidden raised_unpack\n"
        ".type raised_unpack, @function\n"
        "raised_unpack:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    movq raised_unpacked_last@gottpoff(%rip), %r10\n"
        "    movq (%rsp), %r11\n"
        "    movq %rdi, %fs:(%r10)\n"
        "    movq %rsp, %fs:8(%r10)\n"
        "    movq %r11, %fs:16(%r10)\n"
        "    jmp *raised_unpacked(%rip)\n"
        ".cfi_endproc\n"
        ".size raised_unpack, .-raised_unpack\n");
#else
static void raised_clear(void)
{
    code = (uintptr_t)__builtin_return_address(0);
    raised_cleared();
}
#endif

const uint64_t *jitscope_raised_below(void)
{
#ifdef __x86_64__
    return own ? own->below : NULL;
#else
    return NULL;
#endif
}

void *jitscope_raised_begin(void *function)
{
    memcpy(&raised_cleared, &function, sizeof(raised_cleared));
    void *replacement;
    void (*replaced)(void) = raised_clear;
    memcpy(&replacement, &replaced, sizeof(replacement));
    return replacement;
}

void *jitscope_raised_free(void *function)
{
#ifdef __x86_64__
    memcpy(&raised_freed, &function, sizeof(raised_freed));
    void (*replaced)(void *) = raised_free;
    memcpy(&function, &replaced, sizeof(function));
#endif
    return function;
}

void *jitscope_raised_unpack(void *function)
{
#ifdef __x86_64__
    memcpy(&raised_unpacked, &function, sizeof(raised_unpacked));
    int (*replaced)(void *, const char *, intptr_t, intptr_t, ...) = raised_unpack;
    memcpy(&function, &replaced, sizeof(function));
#endif
    return function;
}

void jitscope_raised_call(uint64_t call[4])
{
    memcpy(call, raised_unpacked_last, sizeof(raised_unpacked_last));
    call[3] = cleared_at;
}

struct wanted {
    uint64_t address;
    size_t size; /* bytes of `name` */
    char *name;
    uint64_t *start;
    bool is_found;
};

static void compare(void *context, const char *name, uint64_t address, uint64_t size)
{
    struct wanted *wanted = context;
    size_t length = strlen(name);
    if (address <= wanted->address && wanted->address - address < size && length < wanted->size) {
        memcpy(wanted->name, name, length + 1);
        *wanted->start = address;
        wanted->is_found = true;
    }
}

int jitscope_raised_function(uint64_t address, size_t size, char *name, uint64_t *start)
{
    struct wanted wanted = {address, size, name, start, false};
    int status = jitscope_registered_functions(2, compare, &wanted);
    return status ? status : wanted.is_found;
}

int jitscope_raised_constant(uint64_t address, size_t size, char *name)
{
    uint64_t start;
    struct wanted wanted = {address, size, name, &start, false};
    int status = registered_data(compare, &wanted);
    return status ? status : wanted.is_found && start == address;
}

int jitscope_raised_image(uint64_t address, uint64_t *image, uint64_t *size)
{
    return registered_image(address, image, size);
}

uint64_t jitscope_raised_take(void)
{
    uint64_t taken = code;
    code = 0;
    return taken;
}

const jitscope_raised_place *jitscope_raised_places(uint64_t *count, const void **variables, uint64_t *size)
{
    *count = own && own->count <= JITSCOPE_RAISED_PLACES ? own->count : 0;
    *size = *count ? own->used : 0;
    *variables = own ? own->variables : NULL;
    if (own) {
        own->count = own->used = 0;
    }
    return own ? own->places : NULL;
}

void jitscope_raised_through(const char *symbol, uint64_t place)
{
    raised *places = get();
    if (!places) {
        return;
    }
    if (places->count < JITSCOPE_RAISED_PLACES) {
        places->places[places->count] = (jitscope_raised_place){symbol, place, 0, 0};
    }
    places->count++;
}

void jitscope_raised_here(const char *symbol, uint64_t place)
{
    if (own) {
        own->count = own->used = 0;
    }
    jitscope_raised_through(symbol, place);
}

void jitscope_raised_variables(const void *variables, uint64_t size)
{
    if (!own || !own->count || own->count > JITSCOPE_RAISED_PLACES ||
        size > sizeof(own->variables) - own->used) {
        return;
    }
    jitscope_raised_place *last = &own->places[own->count - 1];
    last->offset = own->used;
    last->size = size;
    memcpy(own->variables + own->used, variables, (size_t)size);
    own->used += size;
}
