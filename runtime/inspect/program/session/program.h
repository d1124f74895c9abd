/* A program: all objects that the JIT registered in one target, and what may be asked of them. */
#ifndef JS_PROGRAM_SESSION_PROGRAM_H
#define JS_PROGRAM_SESSION_PROGRAM_H

#include "program/model/objects.h"

/* Make a program without objects, and free it with all of its objects. */
JS_API int js_program_create(js_program **out);
JS_API void js_program_destroy(js_program *program);
/* The types that the program's variables have; they live as long as the program. */
JS_API js_types *js_program_types(js_program *program);

/* Where the program's source flow comes from; NULL: nowhere. */
JS_API void js_program_set_flow(js_program *program, js_flow_fn flow, void *context);

/* Where the interpreter's objects come from, by the names that an expression has; NULL: nowhere. */
JS_API void js_program_set_global(js_program *program, js_global_fn global, void *context);

/* Where the variables of enclosing functions come from; NULL: nowhere. */
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
/* True if an object calls the compiler's own function to stop in (js_numba_is_stop). */
JS_API bool js_program_asks_to_stop(const js_program *program);
JS_API int js_program_remove(js_program *program, unsigned id);
/* The format of a compiler hook that is newer than this library, and made one of the objects; 0: none. */
JS_API unsigned js_program_newer_hook(const js_program *program);

/* True if this object, which a file was written for, has functions without the compiler hook for which it is
 * not known where they raise. */
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

/* An entry of js_program_functions for the one function at pc, plus "at_line" (0 unknown).
 * JS_ENOTFOUND. */
JS_API int js_program_at(js_program *program, uint64_t pc, char **out);

/* The place of stock code at pc where it raises: {"register" (DWARF's number: it holds the exception's
 * structure), "made" (by the function itself), "called" (by one that it has called), "line" (the compiler
 * says of which line it is)}. JS_ENOTFOUND: none. */
JS_API int js_program_raise(js_program *program, uint64_t pc, char **out);

/* Say how often a breakpoint at this line stops: a JSON list of the functions, and inlined code, that have
 * the line, or have lines before and after it: {"function", "within", "file", "low", "state", "places",
 * "iterations", "why", "advice", "markers" (addresses)}. state: "gone" (no place), "marked" (stops each time
 * it runs, at its markers), "vectorised" and "unrolled" (one piece of its code is `iterations` iterations of
 * a loop), "repeated" (several places in one iteration), "lifted" (no place, and the function's loops are
 * compiled later), "there" (none of these). `path`: the file's, or its end; since: only of objects from this
 * number on. */
JS_API int js_program_line(js_program *program, const char *path, uint32_t line, unsigned since, char **out);

/* As js_program_line, of functions at level exact that call one of this name ("within"; with its module or
 * without), and have no code of it: the compiler has computed what it returns. */
JS_API int js_program_gone(js_program *program, const char *name, char **out);

#endif
