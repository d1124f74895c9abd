/* What may be asked of one frame, or of the code at one address. */
#ifndef JS_PROGRAM_QUERIES_QUERIES_H
#define JS_PROGRAM_QUERIES_QUERIES_H

#include "array_reports/array_report.h"
#include "program/model/frame.h"
#include "program/model/objects.h"

/* JSON list of the frame's variables, as in docs/schema/locals.json:
 * {"name", "type", "state", "value", "text", "assigned_line", "argument"}; `which`: 0 all, 1 arguments, 2
 * other locals. versions: each version is an entry, with "version" and "current". */
JS_API int js_program_locals(js_program *program, const js_frame *frame, int which, int versions,
                             const js_render_options *options, char **out);

/* Where in memory the whole of a variable is now. JS_ENOTFOUND: no such variable, or it has no value, or none
 * there.
 */
JS_API int js_program_place(js_program *program, const js_frame *frame, const char *name, uint64_t *address);

/* A Python expression over the frame's variables (expressions/): as one entry of js_program_locals; or
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

/* What the frame runs: {"rows": [{"address", "line", "is_marker" (all is there as the source says)}] (its
 * statements), "around": addresses of the statements of the functions that it was inlined into, "followed":
 * names of variables that have one place, which is right whenever they have a value, "advice": as
 * js_program_why's}. */
JS_API int js_program_statements(js_program *program, const js_frame *frame, char **out);

/* Find whether a step from the frame's pc comes to no end, because the code goes round there without a
 * statement of another line and without a way out. *endless: 1 or 0. */
JS_API int js_program_is_endless(js_program *program, const js_frame *frame, int *endless);

/* What there is to say of an array (array_reports/array_report.h), as docs/schema/array.json: also which
 * other variables' elements lie in the same range of memory. */
JS_API int js_program_array(js_program *program, const js_frame *frame, const char *expression,
                            const js_array_request *request, const js_render_options *options, js_bytes *data,
                            js_progress_fn progress, void *context, char **out);

/* Say why this variable is not exact, and which setting makes it so: {"name", "state", "why", "advice"} */
JS_API int js_program_why(js_program *program, const js_frame *frame, const char *name, char **out);

/* What the call of a parallel kernel in this frame runs: {"name", "function" (that starts the region),
 * "file", "region_line", "line", "chunk": [[first, last] of each dimension] or null, "problem": why it is
 * null}. An empty chunk's last iteration is before its first. JS_ENOTFOUND: the frame is of no parallel
 * kernel. */
JS_API int js_program_chunk(js_program *program, const js_frame *frame, char **out);

/* Find the array access that made the fault at `address`: {"line", "array", "axis", "index", "index_name"
 * (null: none or several), "size", "distance", "text"}: text is the one line for the user. JS_ENOTFOUND: no
 * array of this frame explains it. `subscripts`: what the source line subscripts
 * (docs/schema/subscripts.json), NULL when that is not known. */
JS_API int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address,
                                    const char *subscripts, char **out);

#endif
