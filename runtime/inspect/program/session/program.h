/* A program: all objects that the JIT has registered in one target. gdbext/jitscope_gdb/target/object_feed.py
 * adds objects, has corrected files written, and removes objects; the commands ask for functions and lines.
 *
 * A `char **out` receives JSON text that the caller frees by js_free(); it is NULL after an error. Functions
 * that return a status may also return JS_ENOMEM. */
#ifndef JS_PROGRAM_SESSION_PROGRAM_H
#define JS_PROGRAM_SESSION_PROGRAM_H

#include "program/model/objects.h"

/* Create an empty program, which the caller releases by js_program_destroy(). */
JS_API int js_program_create(js_program **out);
JS_API void js_program_destroy(js_program *program);
/* Return the program's table of types, which the program owns. */
JS_API js_types *js_program_types(js_program *program);

/* Set the callback that gives the flows of sources; NULL: no source is known. Each callback gets `context`.
 */
JS_API void js_program_set_flow(js_program *program, js_flow_fn flow, void *context);

/* Set the callbacks that find names of an expression outside of its frame (model/objects.h); NULL: none. */
JS_API void js_program_set_global(js_program *program, js_global_fn global, void *context);

/* Where the variables of enclosing functions come from; NULL: nowhere. */
JS_API void js_program_set_enclosing(js_program *program, js_enclosing_fn enclosing, void *context);

/* Decode one in-memory object: a relocatable ELF image of `size` bytes, whose sh_addr say where it was
 * loaded. The image is copied. `memory` reads the code that runs there. *id receives the object's number.
 * Objects whose code overlaps the new one's are forgotten: `forgotten` (may be NULL) receives their ids, each
 * with a space after it. JS_EUNSUP: no JIT that is known here made the object, and the debugger should read
 * it. JS_EBAD: it is malformed. */
JS_API int js_program_add(js_program *program, const void *image, size_t size, js_bytes *memory,
                          js_text *forgotten, unsigned *id);
/* Say whether the objects that are added from here on were there before the debugger came. Their loops may be
 * running in the form without markers, whose lines are then statements. */
JS_API void js_program_set_attaching(js_program *program, bool is_attaching);
/* Say whether LLDB is to read the files that are written from here on. Values of more than a word are then
 * places in memory, to which a debugger can assign. */
JS_API void js_program_set_lldb(js_program *program, bool is_for_lldb);
/* True if an object calls the compiler's own function to stop in (js_numba_is_stop). */
JS_API bool js_program_asks_to_stop(const js_program *program);
/* Forget an object. JS_ENOTFOUND: there is none with this id. */
JS_API int js_program_remove(js_program *program, unsigned id);
/* Return the format of a compiler hook that made one of the objects and is newer than this library; 0: none
 * is. */
JS_API unsigned js_program_newer_hook(const js_program *program);

/* True if the object has stock functions for which it is not known where they raise. False for an unknown id.
 */
JS_API bool js_program_hides_raises(const js_program *program, unsigned id);

/* Find a function of the user in this object that has no debug information: its name as a JSON string.
 * JS_ENOTFOUND: there is none. */
JS_API int js_program_undescribed(const js_program *program, unsigned id, char **out);

/* Write the objects with ids from first to last, both included, and earlier ones that no file holds yet, as
 * one corrected ELF file at `path`. A kernel whose caller is not known yet is left out, unless last is
 * UINT32_MAX. `written` (may be NULL) receives the ids of the objects in the file, each with a space after
 * it. JS_ENOTFOUND: there is none to write. */
JS_API int js_program_write(js_program *program, unsigned first, unsigned last, const char *path,
                            js_text *written);

/* Write the JSON list of the source files of an object's functions with debug information. JS_ENOTFOUND:
 * there is no such object. */
JS_API int js_program_files(js_program *program, unsigned id, char **out);

/* Write the JSON list of {"name", "signature", "qualname", "module", "kind", "file", "line", "low", "high",
 * "linkage_name", "debug_info", "level" ("stock", "exact", "steps"; null: not Numba's), "fastmath", "flags",
 * "chosen_by" (what chose the level, or null), "returns_status", "object", "parent"}; with types: also
 * "variables": [{"name", "type", "argument", "lines"}], "returns", "mode". `match`: a POSIX extended regular
 * expression for name and qualname, or NULL. wrappers: also wrappers and other functions that are not the
 * user's. */
JS_API int js_program_functions(js_program *program, const char *match, int types, int wrappers, char **out);

/* Write the entry of js_program_functions() for the function at pc, plus "at_line" (0: unknown).
 * JS_ENOTFOUND: there is none. */
JS_API int js_program_at(js_program *program, uint64_t pc, char **out);

/* Describe the place at pc where stock code raises: {"register" (DWARF number of the one that holds the
 * exception's structure), "made" (the function itself makes the exception), "called" (a called function has
 * raised it), "line" (true if the compiler gives the code a line)}. JS_ENOTFOUND: no such place is at pc. */
JS_API int js_program_raise(js_program *program, uint64_t pc, char **out);

/* Say how often a breakpoint at this line stops: a JSON list of the functions, and of inlined code, that have
 * the line or lines on both sides of it: {"function", "within", "file", "low", "state", "places",
 * "iterations", "why", "advice", "markers" (addresses)}. "state" is one of line_state in line_stops.c, such
 * as "gone" (no place), "marked" (stops each time that the line runs), "vectorised" and "unrolled" (one pass
 * is `iterations` iterations of a loop), "repeated" (several places in one iteration), "lifted" (no place,
 * and the function's loops are compiled later) or "there" (none of the others). `path`: the path of the file,
 * or its end. since: only objects with this id or a later one. */
JS_API int js_program_line(js_program *program, const char *path, uint32_t line, unsigned since, char **out);

/* Like js_program_line(), for functions at level exact ("within") that call a function of this name, with its
 * module or without, and have no code of it, as the compiler has computed its result. */
JS_API int js_program_gone(js_program *program, const char *name, char **out);

#endif
