/* All objects of one program. session/ adds and removes them (session/program.h); queries/, elements/ and
 * parallel/ look functions up in them. */
#ifndef JS_PROGRAM_MODEL_OBJECTS_H
#define JS_PROGRAM_MODEL_OBJECTS_H

#include "bytes/watch.h"
#include "program/model/function.h"

typedef struct js_program js_program;
struct js_frame;

/* A callback that finds the address of the interpreter's object for a name of an expression that is no
 * variable of the frame. JS_ENOTFOUND: there is none. */
typedef int (*js_global_fn)(void *context, const char *name, uint64_t *address);

/* A callback that finds the frame with a variable of this name where the frame of an expression has none. It
 * is called before js_global_fn: the body of a parallel loop sees variables of the function that started the
 * loop, in that function's frame. *frame stays valid while the expression is evaluated. JS_ENOTFOUND: there
 * is none. */
typedef int (*js_enclosing_fn)(void *context, const char *name, const struct js_frame **frame);

/* The fields of a class, as the source of a function that uses it has them. */
typedef struct js_class_fields {
    char *class_name, *path;
    char *fields; /* a JSON list of names; NULL: not known */
    size_t nfields;
    bool is_split; /* the program has several classes of this name, whose fields differ */
} js_class_fields;

struct js_program {
    js_types *types;
    js_object **objects; /* by id; NULL: forgotten; owned */
    bool *is_written;    /* by id: a corrected file holds the object */
    size_t nobjects, capacity;
    js_class_fields *asked; /* classes whose fields were asked for, each in each file that uses it */
    size_t nasked;
    js_flow_fn flow;
    void *flow_context;
    js_watch pending;                     /* elements that js_program_watch_pending has found */
    struct js_pending_kept *pending_kept; /* program/elements/stores_of_code.c */
    js_global_fn global;
    void *global_context;
    js_enclosing_fn enclosing;
    void *enclosing_context;
    bool is_attaching;   /* the objects that are added now were there before the debugger */
    bool is_for_lldb;    /* as js_program_set_lldb() says */
    uint64_t descriptor; /* address of __jitscope_descriptor, if a described function has come; 0: none has */
};

/* Return the function whose code holds pc, or NULL. If objects overlap, the newest one decides. */
js_function *js_program_function(const js_program *program, uint64_t pc);

#endif
