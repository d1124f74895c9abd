/* A program: all objects that the JIT registered in one target, and what may be asked of them. */
#ifndef JS_PROGRAM_SESSION_PROGRAM_H
#define JS_PROGRAM_SESSION_PROGRAM_H

#include "bytes/reader.h"
#include "bytes/text.h"
#include "layouts/type.h"
#include "program/source/flow.h"
#include "values/array_report.h"
#include "values/expression/expression.h"
#include "values/value.h"

typedef struct js_program js_program;

JS_API int js_program_create(js_program **out);
JS_API void js_program_destroy(js_program *program);
JS_API js_types *js_program_types(js_program *program);

/* Where the program's source flow comes from; NULL: nowhere. */
JS_API void js_program_set_flow(js_program *program, js_flow_fn flow, void *context);

/* Where is the interpreter's object for a name of an expression, which is no variable of the frame that is
 * asked for? JS_ENOTFOUND: there is none. */
typedef int (*js_global_fn)(void *context, const char *name, uint64_t *address);
JS_API void js_program_set_global(js_program *program, js_global_fn global, void *context);

struct js_frame;
/* Whose variable is a name of an expression, which is none of the frame that is asked for? Asked before
 * js_global_fn: the body of a parallel loop sees variables of the function that started the loop, in that
 * function's frame, which stays valid as long as the expression is evaluated. JS_ENOTFOUND: there is none. */
typedef int (*js_enclosing_fn)(void *context, const char *name, const struct js_frame **frame);
JS_API void js_program_set_enclosing(js_program *program, js_enclosing_fn enclosing, void *context);

/* Decode one in-memory object (a relocatable ELF image whose sh_addr say where it was loaded). `memory` reads
 * the code that runs there. *id names it from now on. JS_EUNSUP: not an object of a JIT that is known here:
 * leave it to the debugger. Objects whose code overlaps the new one's are forgotten: `forgotten` (may be
 * NULL) receives their ids, a space after each. */
JS_API int js_program_add(js_program *program, const void *image, size_t size, js_bytes *memory,
                          js_text *forgotten, unsigned *id);
/* Say whether the objects that are added from here on were there before the debugger came. A loop of theirs
 * may be running in the form that the compiler hook writes without markers: its lines are statements then. */
JS_API void js_program_set_attaching(js_program *program, bool is_attaching);
/* Does an object call the compiler's own function to stop in (js_numba_is_stop)? */
JS_API bool js_program_asks_to_stop(const js_program *program);
JS_API int js_program_remove(js_program *program, unsigned id);
/* The format of a compiler hook that is newer than this library, and made one of the objects; 0: none. */
JS_API unsigned js_program_newer_hook(const js_program *program);

/* Has this object, of which a file was written, functions without the compiler hook of which it is not known
 * where they raise? */
JS_API bool js_program_hides_raises(const js_program *program, unsigned id);

/* A function of the program's own in this object that has no debug information: its name as a JSON string.
 * JS_ENOTFOUND: there is none. */
JS_API int js_program_undescribed(const js_program *program, unsigned id, char **out);

/* Write the objects first..last (ids, inclusive), and those that no file holds yet, as one corrected ELF file
 * at `path`. `written` (may be NULL) receives the ids of those that are in it, a space after each: a kernel
 * whose caller is not known yet is held back, unless last is UINT32_MAX. JS_ENOTFOUND: there is none. */
JS_API int js_program_write(js_program *program, unsigned first, unsigned last, const char *path,
                            js_text *written);

/* JSON list of the files that an object's functions with debug information are of. JS_ENOTFOUND. */
JS_API int js_program_files(js_program *program, unsigned id, char **out);

/* JSON list of {"name", "signature", "qualname", "module", "kind", "file", "line", "low", "high",
 * "linkage_name", "debug_info", "level" ("stock", "exact", "steps"; null: not Numba's), "fastmath",
 * "chosen_by" (who chose it, or null), "returns_status", "object", "parent"}; with types: also "variables":
 * [{"name", "type", "argument", "lines"}], "returns", "mode". `match`: POSIX extended regex on name and
 * qualname, or NULL. wrappers: also wrappers and the like. */
JS_API int js_program_functions(js_program *program, const char *match, int types, int wrappers, char **out);

/* The same for the one function at pc, plus "at_line" (0 unknown).
 * JS_ENOTFOUND. */
JS_API int js_program_at(js_program *program, uint64_t pc, char **out);

/* Value of DWARF register `regnum` in the frame at hand into 8 (general) or 16..64 (vector) bytes; number of
 * bytes that were written, or negative when it is not known. */
typedef int (*js_register_fn)(void *context, unsigned regnum, void *buffer, size_t capacity);

typedef struct js_frame {
    uint64_t pc; /* of the frame; `is_caller`: the call returns there, so pc - 1 is looked up */
    int is_caller;
    uint64_t cfa; /* 0 when unknown */
    js_register_fn registers;
    void *context;
    js_bytes *memory;
    unsigned
        depth; /* how many bodies put in line, of those around pc, are at or outside the frame; 0: none */
} js_frame;

/* Elements of arrays of which the source has newer values than the memory: a loop that runs in the frame may
 * keep them in registers. What is read of them by a reader with js_program_pending() set (js_bytes_set_watch)
 * is labelled from then on, until js_program_forget_pending(). JS_ENOTFOUND: no compiled function is there.
 */
JS_API int js_program_watch_pending(js_program *program, const js_frame *frame);
JS_API void js_program_forget_pending(js_program *program);
/* Who calls js_program_watch_pending for each frame that may matter: asked when elements are first read. */
typedef void (*js_find_pending_fn)(void *context);
JS_API void js_program_set_find_pending(js_program *program, js_find_pending_fn find, void *context);
JS_API struct js_watch *js_program_pending(js_program *program);
/* Is there optimised code of a loop that stores to elements at pc? */
JS_API bool js_program_may_keep(const js_program *program, uint64_t pc);

/* JSON list of the frame's variables, as in docs/schema/locals.json:
 * {"name", "type", "state", "value", "text", "assigned_line", "argument"}; `which`: 0 all, 1 arguments, 2
 * other locals. versions: each version is an entry, with "version" and "current". */
JS_API int js_program_locals(js_program *program, const js_frame *frame, int which, int versions,
                             const js_render_options *options, char **out);

/* Where in memory the whole of a variable is now. JS_ENOTFOUND: no such variable, or it has no value, or none
 * there.
 */
JS_API int js_program_place(js_program *program, const js_frame *frame, const char *name, uint64_t *address);

/* A Python expression over the frame's variables (values/expression/): as one entry of js_program_locals; or
 * {"name", "error", "offset", …}: the line that Python would say, and the byte of a SyntaxError. `data`
 * (NULL: the frame's own) is what arrays are read from. JS_ENOTFOUND: no compiled function is there. */
JS_API int js_program_print(js_program *program, const js_frame *frame, const char *expression,
                            const js_render_options *options, js_bytes *data, js_progress_fn progress,
                            void *context, char **out);

/* bool() of a Python expression over the frame's variables, as for js_program_print: {"holds": true or
 * false}, or {"error": the line that Python would say, "name": the variable that has no value here, or null,
 * "state": of that variable, or null}. Errors as for js_program_print. */
JS_API int js_program_condition(js_program *program, const js_frame *frame, const char *expression,
                                js_bytes *data, js_progress_fn progress, void *context, char **out);

/* The variables that a condition at pc may name, innermost scope first, without a process: JSON list of
 * {"name", "state" (at pc), "always" (it has a value whenever the program comes there; else an "exact" one
 * may be unassigned then), "type", "why", "advice"}. JS_ENOTFOUND: no compiled function with debug
 * information is there. */
JS_API int js_program_names(js_program *program, uint64_t pc, char **out);

/* The place of stock code at pc where it raises: {"register" (DWARF's number: it holds the exception's
 * structure), "made" (by the function itself), "called" (by one that it has called), "line" (the compiler
 * says of which line it is)}. JS_ENOTFOUND: none. */
JS_API int js_program_raise(js_program *program, uint64_t pc, char **out);

/* Of what the frame runs: {"rows": [{"address", "line", "is_marker" (all is there as the source says)}] (its
 * statements), "followed": names of variables that have one place, which is right whenever they have a value,
 * "advice": as js_program_why's}. */
JS_API int js_program_statements(js_program *program, const js_frame *frame, char **out);

/* What there is to say of an array (values/array_report.h), as docs/schema/array.json: also which other
 * variables' elements lie in the same range of memory. */
JS_API int js_program_array(js_program *program, const js_frame *frame, const char *expression,
                            const js_array_request *request, const js_render_options *options, js_bytes *data,
                            js_progress_fn progress, void *context, char **out);

/* Why is this variable not exact, and which setting makes it so? {"name", "state", "why", "advice"} */
JS_API int js_program_why(js_program *program, const js_frame *frame, const char *name, char **out);

/* How often does a breakpoint at this line stop? JSON list of the functions, and code put in line, that have
 * the line, or have lines before and behind it: {"function", "within", "file", "low", "state", "places",
 * "turns", "why", "advice", "markers" (addresses)}. state: "gone" (no place), "marked" (stops each time it
 * runs, at its markers), "vectorised" and "unrolled" (one piece of its code is `turns` turns of a loop),
 * "repeated" (several places in one turn), "lifted" (no place, and the
 * function's loops are compiled later), "there" (none of these). `path`: the file's, or its end; since: only
 * of objects from this number on. */
JS_API int js_program_line(js_program *program, const char *path, uint32_t line, unsigned since, char **out);

/* As js_program_line, of functions at level exact that call one of this name ("within"; with its module or
 * without), and have no code of it: the compiler has computed what it returns. */
JS_API int js_program_gone(js_program *program, const char *name, char **out);

/* JSON list of the parallel regions that the target describes (jitscope.h), each with the workers that are in
 * it now: {"name", "function", "file", "schedule", "line", "nworkers", "begin", "end", "chunk", "workers":
 * [{"thread" (the kernel's id), "level" (0 outermost), "innermost", "chunks", "begin", "end"}]}.
 * `descriptor`: where
 * __jitscope_descriptor lies; 0: where the functions' was. JS_ENOTFOUND: there is none. */
JS_API int js_program_regions(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* What the call of a parallel kernel in this frame runs: {"name", "function" (that starts the region),
 * "file", "region_line", "line", "chunk": [[first, last] of each dimension] or null, "problem": why it is
 * null}. An empty chunk's last turn is before its first. JS_ENOTFOUND: the frame is of no parallel kernel. */
JS_API int js_program_chunk(js_program *program, const js_frame *frame, char **out);

/* The highest word of the stack [sp, limit) that is an address of compiled code: no frame of compiled code
 * lies beyond. JS_ENOTFOUND: there is none, so that no compiled function is being called from; JS_ELIMIT: not
 * all of it can be read, or it is larger than is looked through. */
JS_API int js_program_last_return(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit,
                                  uint64_t *last);
/* JSON list of the launches (jitscope.h) that are running: {"launch", "kernel" (address), "thread" (the
 * kernel's id; of the one that waits for it), "level" (0 outermost), "schedule" (address), "rows",
 * "dimensions" (0: no schedule), "nthreads", "parent", "ended" (turns of rows that are over; null: not
 * counted), "workers": [{"thread", "worker" (its number in the
 * pool), "level", "innermost", "chunks" (begun by it, this one included), "row", "rows", "schedule" (address
 * of `row`), "begin", "end" (the first dimension's indices: [begin, end)), "place" (its jitscope_waiting as a
 * list; null: it does not wait)}]}. `descriptor` and errors as in
 * js_program_regions. */
JS_API int js_program_launches(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* What the workers of the newest launch have recorded of their reads and writes (jitscope.h): {"on", "limit"
 * and "used" (bytes), "launch" (0: nothing is recorded), "name", "file", "line" (of the loop's header),
 * "workers": [{"worker", "thread", "accesses", "lost", "late", "had": [{"array", "kind", "file", "line",
 * "elements", "complete", "ranges": [[[first, last, step] of each axis], …]}]}], "overlaps": [{"array",
 * "first" and "second": {"kind", "file", "line"}, "elements", "indices", "workers": [[first's, second's] of
 * each]}], "complete"}. `descriptor` and errors as in js_program_regions. */
JS_API int js_program_records(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* A kernel's frame, by what the program recorded of it. */
typedef struct js_waiting {
    uint64_t pc, sp, kept[6]; /* jitscope_waiting */
    uint64_t cfa;
    uint64_t caller; /* where the kernel returns to: the frame is believed where that lies below the CFA */
} js_waiting;

/* JSON list of {"region": as js_program_chunk's, "variables": as js_program_locals's}; null for a frame that
 * is not believed, or of no parallel kernel; "variables" null: it has no debug information. */
JS_API int js_program_waiting(js_program *program, const js_waiting *waiting, size_t count, js_bytes *memory,
                              const js_render_options *options, char **out);

/* Which array access made the fault at `address`? {"line", "array", "axis", "index", "index_name" (null: none
 * or several), "size", "distance", "text"}: text is the one line for the user. JS_ENOTFOUND: no array of this
 * frame explains it. `subscripts`: what the source line subscripts (subscripts.h), NULL when that is not
 * known. */
JS_API int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address,
                                    const char *subscripts, char **out);

#endif
