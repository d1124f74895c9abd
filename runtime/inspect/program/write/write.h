/* The corrector's second half: the model → one ELF file with DWARF 4 that any debugger reads. */
#ifndef JS_PROGRAM_WRITE_WRITE_H
#define JS_PROGRAM_WRITE_WRITE_H

#include "program/model/object.h"
#include "program/model/output.h"

enum { JS_WRITE_BYTES_MAX = 255 };

typedef struct js_writer {
    js_output info, abbrev, line, loc, ranges, frame;
    /* types of the unit at hand: DIE offsets from the unit's start */
    struct js_writer_type *types;
    size_t ntypes, types_capacity;
    size_t unit;                            /* offset in info of the unit at hand */
    uint32_t float64;                       /* offset of the type for expressions, from there */
    uint32_t bytes[JS_WRITE_BYTES_MAX + 1]; /* offsets of js_write_bytes's types, from there; 0: none */
    js_output expr;                         /* room for js_write_expr */
} js_writer;

enum js_abbrev {
    ABBREV_UNIT = 1,
    ABBREV_FUNCTION,
    ABBREV_ABSTRACT,
    ABBREV_INLINED,
    ABBREV_BLOCK,
    ABBREV_ARGUMENT,
    ABBREV_ARGUMENT_AT,   /* one expression */
    ABBREV_ARGUMENT_LIST, /* location list */
    ABBREV_VARIABLE,
    ABBREV_VARIABLE_AT,
    ABBREV_VARIABLE_LIST,
    ABBREV_BASE,
    ABBREV_BYTES, /* without a name */
    ABBREV_POINTER,
    ABBREV_POINTER_VOID,
    ABBREV_TYPEDEF,
    ABBREV_STRUCT,
    ABBREV_STRUCT_EMPTY,
    ABBREV_MEMBER,
    ABBREV_ARRAY,
    ABBREV_SUBRANGE,
    ABBREV_VARIANT_PART,
    ABBREV_TAG,
    ABBREV_VARIANT,
    ABBREV_STOP, /* a block around one address */
    ABBREV_STOP_LABEL,
};

/* types.c: the DIE of a type in the unit at hand, written on first use. */
int js_write_type(js_writer *writer, const js_type *type, uint32_t *out);
void js_write_types_reset(js_writer *writer, size_t unit);

/* expression.c: where a variable is, in the unit at hand; *out is overwritten. has_homes: as js_function's.
 */
int js_write_expr(js_writer *writer, const js_type *type, bool has_homes, const uint8_t *expr, size_t size,
                  js_output *out);

/* types.c: types of so many bytes, by which expressions read values. js_write_bytes makes it, where it
 * is not yet; js_write_bytes_type is its place, 0: there is none. */
void js_write_bytes(js_writer *writer, uint64_t size);
uint32_t js_write_bytes_type(const js_writer *writer, uint64_t size);

/* types.c: write float64, the type that expressions use for floats. */
void js_write_float64(js_writer *writer);

/* lines.c: one line table; offset in .debug_line. `files` are the unit's, 1-based in DWARF. */
typedef struct js_unit {
    js_object *object;
    js_function **functions;
    size_t nfunctions;
    js_file *files; /* the unit's files; files[0] is its own */
    size_t nfiles;
} js_unit;
/* Index (1-based) of the object's file in the unit's table, added if need be; 0 when there is no room. */
uint32_t js_unit_file(js_unit *unit, js_object *object, uint32_t file);
int js_write_lines(js_writer *writer, const js_unit *unit, size_t *offset);
/* lines.c: the beginning of a line table, up to its folders. Returns the offset of header_length. */
size_t js_write_line_header(js_output *line, bool is_stmt);

/* frames.c: call frame information of one object as .debug_frame entries. */
int js_write_frames(js_writer *writer, js_object *object);
/* frame_rows.c: the rows of the code from `lo`, each where the stack pointer has moved. */
void js_write_frame_rows(js_output *out, js_object *object, uint64_t lo, const uint8_t *rows, size_t size);

/* changing.c: locals that are of several types, in blocks of their own, with the stops that are there.
 * No block: *blocks is 0. */
int js_write_changing(js_writer *writer, uint32_t file, const js_function *function, size_t *blocks);
/* Return a version that represents the local everywhere, if its value is of one type wherever it is known;
 * else NULL. An argument is of the type that it was passed as. */
const js_variable *js_local_only_version(const js_local *local);

/* variables.c: one local, where it is known and of the version's type; `count` pairs of addresses, whose
 * offset in .debug_ranges is returned. */
int js_write_variable(js_writer *writer, uint32_t file, const js_function *function, const js_local *local,
                      const js_variable *version, bool is_argument);
uint64_t js_write_ranges(js_writer *writer, const uint64_t *ranges, size_t count);

/* stops.c: all statements of one scope (1 + index of inlined code; 0: the function), or of those of its
 * addresses that are in the ranges. Of the statements of one line in one block GDB sets a breakpoint at the
 * first only: the others get blocks. */
int js_write_stops(js_writer *writer, const js_function *function, uint32_t scope, const uint64_t *ranges,
                   size_t nranges);

/* info.c: one unit with its functions. */
int js_write_unit(js_writer *writer, js_unit *unit);
void js_write_abbrevs(js_writer *writer);
/* Rows of `width`: a number, DW_TAG_*, whether it has children, then pairs of DW_AT_* and DW_FORM_*, and 0
 * where there is room left. */
void js_write_abbrev_rows(js_output *out, const uint16_t *rows, size_t count, size_t width);

/* symbols.c: the contents of .symtab, whose sections are numbered from 1 as the objects, and .strtab.
 */
int js_write_symbols(js_object *const *objects, size_t count, js_output *symtab, js_output *strtab);

/* write.c: the file. */
int js_write_objects(js_object *const *objects, size_t count, const char *path);

#endif
