/* What the files program*.c share. */
#ifndef JS_PROGRAM_PROGRAM_INTERNAL_H
#define JS_PROGRAM_PROGRAM_INTERNAL_H

#include "bytes/watch.h"
#include "jitscope.h"
#include "program/read/elf.h"
#include "program/session/program.h"

/* What the target's descriptor says, as text; `descriptor`: where it lies, 0: where the functions' was. */
typedef int (*js_descriptor_put_fn)(js_text *out, js_bytes *memory, const jitscope_descriptor *head);
int js_program_put_descriptor(js_program *program, uint64_t descriptor, js_bytes *memory,
                              js_descriptor_put_fn put, char **out);

/* Which fields does a class have, by the source and the module of a function that uses it? */
typedef struct js_asked {
    char *class_name, *path;
    char *fields;  /* one a line; NULL: not told */
    bool is_split; /* the program has several that differ */
} js_asked;

struct js_program {
    js_types *types;
    js_object **objects; /* by id; NULL: forgotten */
    bool *is_written;
    size_t nobjects, capacity;
    js_asked *asked; /* classes whose fields were asked for, each in each file that uses it */
    size_t nasked;
    js_flow_fn flow;
    void *flow_context;
    js_watch pending;                     /* elements that js_program_watch_pending has found */
    struct js_pending_kept *pending_kept; /* pending_code.c */
    js_global_fn global;
    void *global_context;
    js_enclosing_fn enclosing;
    void *enclosing_context;
    bool is_attaching;   /* the objects that are added now were there before the debugger */
    uint64_t descriptor; /* of the described functions that came; 0: none */
};

js_function *js_program_function(const js_program *program, uint64_t pc);
uint64_t js_frame_lookup_pc(const js_frame *frame);

/* tuple_fields.c: the fields' names of named tuples stand in the source only. True when a type of the object
 * got names that it was made without. */
bool js_program_learn_fields(js_program *program, const js_object *object);

/* kernels.c: join parallel kernels to the functions that start them, now that the newest object is there. */
void js_program_link_kernels(js_program *program, const js_object *newest);

/* One variable at a place: what is known, and its value when that is exact. */
typedef struct js_sight {
    const js_local *local;
    const js_variable *version; /* NULL when not known */
    js_state state;
    const char *reason;
    const char *computed; /* js_span.computed */
    const js_type *type;  /* never NULL */
    bool has_free_stride; /* arrays: strides were completed, and the shape does not tell all of them */
    bool has_value;
    js_value value;
    uint64_t place; /* where the whole variable is in memory; 0: not there, or in parts */
} js_sight;

/* What a frame runs: a function, or code that was put in line there, which has variables of its own. */
typedef struct js_scope {
    const js_function *function;
    const js_inline *item; /* NULL: the function itself */
    const js_local *locals;
    size_t nlocals;
} js_scope;

/* False: no compiled function is there. */
bool js_scope_init(js_scope *scope, const js_program *program, const js_frame *frame);
const js_local *js_scope_local(const js_scope *scope, const char *name, size_t length);

/* reasons.c: append the one setting that makes a variable of this scope exact at pc; nothing where there is
 * none. local: NULL: any. */
void js_scope_advise(const js_scope *scope, const js_local *local, uint64_t pc, js_text *out);
/* Why a variable of this scope is in this state at pc, where the state has no reason of its own. */
const char *js_scope_why(const js_scope *scope, const js_local *local, uint64_t pc, js_state state);
/* Why a loop that steps runs in its form without markers. */
const char *js_scope_plain_reason(const js_scope *scope);

/* A frame's variables for an expression; one that is not exact gives its label. */
typedef struct js_namespace {
    const js_scope *scope;
    const js_frame *frame;
    const char *expression;
    js_program *program; /* js_namespace_surroundings sets it */
} js_namespace;
/* What an expression over them stands in, which `in` must outlive. `data`: where elements are read, NULL:
 * where the frame's memory is. */
js_surroundings js_namespace_surroundings(js_namespace *in, js_program *program, js_bytes *data,
                                          js_progress_fn progress, void *context);

const js_span *js_local_span(const js_local *local, uint64_t pc);
int js_sight_init(js_sight *sight, const js_function *function, const js_local *local, const js_frame *frame);
void js_sight_deinit(js_sight *sight);
/* Is it a pointer of which the compiler says no more? (nameless.c) */
bool js_is_nameless(const js_variable *variable);
/* () or what the compiler calls nothing: it has no bytes. */
bool js_is_nothing(const js_type *type);
/* "{i32, {…}, {…}}*": where a generator goes on, its arguments, its state. NULL: the type is none. */
const js_type *js_pointed_generator(const js_type *type);
/* Do the arguments lie as in what the compiler calls this pointer? */
bool js_is_pointer_to_generator(const js_type *pointer, const js_type *generator);
/* May a variable of which the compiler says no more than its pointer be of this type? */
bool js_may_be_of_type(const js_variable *variable, const js_type *type);
/* Types of such arguments, from the function's linkage name. */
int js_nameless_arguments(js_types *types, js_function *function);
const js_local *js_function_local(const js_function *function, const char *name, size_t length);
const char *js_state_text(js_state state);

#endif
