/* Questions about one frame, or about the code at one address, for the commands in gdbext/jitscope_gdb/.
 *
 * `*out` receives JSON text that the caller frees by js_free(); it is NULL after an error. Each function may
 * return JS_ENOMEM, and JS_ENOTFOUND where no compiled function is at the frame's pc. */
#ifndef JS_PROGRAM_QUERIES_QUERIES_H
#define JS_PROGRAM_QUERIES_QUERIES_H

#include "array_reports/array_report.h"
#include "program/model/frame.h"
#include "program/model/objects.h"

/* Write the list of the frame's variables, as in docs/schema/locals.json: {"name", "type", "state", "value",
 * "text", "assigned_line", "argument"}. which: 0 all, 1 arguments, 2 other locals. versions: each version is
 * an entry, with "version", "version_line" and "current", too. JS_ENOTFOUND also for a function without debug
 * information. */
JS_API int js_program_locals(js_program *program, const js_frame *frame, int which, int versions,
                             const js_render_options *options, char **out);

/* List the arguments of the frame whose Python objects are known, because the wrapper that Python calls has
 * called the function: {"name", "value", "text"} of the object. JS_ENOTFOUND also where anything else has
 * called it. */
JS_API int js_program_passed(js_program *program, js_types *types, const js_frame *frame,
                             const js_render_options *options, char **out);

/* Find the address of a variable whose value lies in one place in memory. JS_ENOTFOUND: there is no such
 * variable, it has no value, or the value is not in one place in memory. */
JS_API int js_program_place(js_program *program, const js_frame *frame, const char *name, uint64_t *address);

/* Evaluate a Python expression over the frame's variables (expressions/): an entry of js_program_locals(), or
 * {"name", "error", "offset", …}, where "error" is the line that Python would write, and "offset" the byte of
 * a SyntaxError. `data` reads arrays; NULL: frame->memory. `progress` may be NULL. */
JS_API int js_program_print(js_program *program, const js_frame *frame, const char *expression,
                            const js_render_options *options, js_bytes *data, js_progress_fn progress,
                            void *context, char **out);

/* Evaluate bool() of a Python expression, as js_program_print() does: {"holds": true or false}, or {"error":
 * the line that Python would write, "name": the variable that has no value here, or null, "state": the state
 * of that variable, or null}. JS_ECANCEL: `progress` has ended it. */
JS_API int js_program_condition(js_program *program, const js_frame *frame, const char *expression,
                                js_bytes *data, js_progress_fn progress, void *context, char **out);

/* List the variables that a condition at pc may name, innermost scope first; no process is needed: {"name",
 * "state" (at pc), "always" (it has a value whenever the program comes there; if not, an "exact" one may be
 * unassigned), "type", "why", "advice"}. JS_ENOTFOUND also for a function without debug information. */
JS_API int js_program_names(js_program *program, uint64_t pc, char **out);

/* Describe the code that the frame runs: {"rows": [{"address", "line", "is_marker" (all variables are kept
 * there)}] (its statements), "around": addresses of the statements of the functions that it was inlined into,
 * "followed": names of variables that have one place, where their value always is, "advice": as in
 * js_program_why()}. */
JS_API int js_program_statements(js_program *program, const js_frame *frame, char **out);

/* Find whether a step from the frame's pc would never end, because the code loops there without a statement
 * of another line and without an exit. *endless: 1 or 0. */
JS_API int js_program_is_endless(js_program *program, const js_frame *frame, int *endless);

/* Describe an array (array_reports/array_report.h), as in docs/schema/array.json, and list the other
 * variables whose elements lie in the same range of memory. `data` and `progress` as for js_program_print().
 */
JS_API int js_program_array(js_program *program, const js_frame *frame, const char *expression,
                            const js_array_request *request, const js_render_options *options, js_bytes *data,
                            js_progress_fn progress, void *context, char **out);

/* Say why this variable is not exact, and which setting makes it so: {"name", "state", "why", "elements" (the
 * label of its elements, or null), "advice"}. JS_ENOTFOUND also where there is no such variable. */
JS_API int js_program_why(js_program *program, const js_frame *frame, const char *name, char **out);

/* Find the chunk that a parallel kernel runs in this frame: {"name", "function" (the one that starts the
 * region), "file", "region_line", "line", "chunk": [[first, last] of each dimension] or null, "problem": why
 * it is null}. The last iteration of an empty chunk is before its first. JS_ENOTFOUND: the frame is not of a
 * parallel kernel. */
JS_API int js_program_chunk(js_program *program, const js_frame *frame, char **out);

/* The address of a fault that the kernel does not report, because it is that of no memory (not canonical). */
#define JS_FAULT_NO_ADDRESS UINT64_MAX

/* Find the array access that made the memory fault at `address` (JS_FAULT_NO_ADDRESS: the one that the
 * instruction accesses): {"line", "array" (null: one of several),
 * "axis" and "index" (null: not known), "index_name" (null: none or several), "size", "distance" (bytes),
 * "matched" (the indices of a subscript are known, and lead to the address), "text" (the line for
 * the user)}. subscripts: those of the source line (docs/schema/subscripts.json); NULL: not known. maps: the
 * text of /proc/PID/maps, by which a fault within an array says where its memory ends; NULL: not known.
 * JS_ENOTFOUND also where no array of this frame explains the fault. */
JS_API int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address,
                                    const char *subscripts, const char *maps, char **out);
/* Like js_program_explain_fault(), but a line of whose arrays or indices some are not known does not prevent
 * that a variable's value explains an address far from an array of the frame, or of the code that it is
 * inlined in. For those who have no other way to explain the fault. */
int js_program_explain_far_fault(js_program *program, const js_frame *frame, uint64_t address,
                                 const char *subscripts, const char *maps, char **out);

#endif
