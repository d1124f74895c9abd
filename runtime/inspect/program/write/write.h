/* Writes the model as one ELF file with DWARF 4 that any debugger reads. session/program.c calls
 * js_write_objects(); the files of write/ call the rest. Sections are written to js_output, whose `failed` is
 * looked at in the end; functions that return a status fail with JS_ENOMEM. */
#ifndef JS_PROGRAM_WRITE_WRITE_H
#define JS_PROGRAM_WRITE_WRITE_H

#include "program/model/object.h"
#include "program/model/output.h"

enum { JS_WRITE_BYTES_MAX = 255 };

typedef struct js_writer {
    js_output info, abbrev, line, loc, ranges, frame;
    /* types of the unit that is being written: DIE offsets from the unit's start */
    struct js_writer_type *types;
    size_t ntypes, types_capacity;
    size_t unit;                            /* offset of that unit in info */
    uint32_t float64;                       /* DIE offset of js_write_float64()'s type */
    uint32_t bytes[JS_WRITE_BYTES_MAX + 1]; /* DIE offsets of js_write_bytes()'s types by size; 0: none */
    js_output expr;                         /* room for js_write_expr() */
    bool is_for_lldb;                       /* as js_write_objects() has it */
} js_writer;

enum js_abbrev {
    ABBREV_UNIT = 1,
    ABBREV_FUNCTION,
    ABBREV_ABSTRACT,
    ABBREV_INLINED,
    ABBREV_BLOCK,
    ABBREV_ARGUMENT,
    ABBREV_ARGUMENT_AT,   /* with one expression */
    ABBREV_ARGUMENT_LIST, /* with a location list */
    ABBREV_VARIABLE,
    ABBREV_VARIABLE_AT,
    ABBREV_VARIABLE_LIST,
    ABBREV_BASE,
    ABBREV_BYTES, /* a base type without a name */
    ABBREV_POINTER,
    ABBREV_POINTER_VOID,
    ABBREV_TYPEDEF,
    ABBREV_CONST,
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

/* types.c: find the DIE of a type in the unit, which is written on first use; *out receives its offset. */
int js_write_type(js_writer *writer, const js_type *type, uint32_t *out);

/* Like js_write_type(), for the type of a variable. LLDB would assign to a copy, or to a place that the
 * program does not read again, and so gets a constant type, to which its expressions refuse to assign. */
int js_write_variable_type(js_writer *writer, const js_type *type, uint32_t *out);
/* Begin a unit at this offset of info: it has no types yet. */
void js_write_types_reset(js_writer *writer, size_t unit);

/* expression.c: write the location of a variable of this type, an expression of `size` bytes; *out is
 * overwritten. has_homes: as in js_function_build. */
int js_write_expr(js_writer *writer, const js_type *type, bool has_homes, const uint8_t *expr, size_t size,
                  js_output *out);

/* types.c: true for a member without which an array or a str is complete. LLDB does not see it, and an
 * expression may leave it out. */
bool js_write_hides(const js_type *type, const js_member *member);

/* types.c: write the type of `size` bytes by which expressions read values, unless the unit has it. */
void js_write_bytes(js_writer *writer, uint64_t size);
/* Return the DIE offset of this type; 0: the unit does not have it. */
uint32_t js_write_bytes_type(const js_writer *writer, uint64_t size);

/* types.c: write float64, the type that expressions use for floats. */
void js_write_float64(js_writer *writer);

/* The functions of one file of one object, which are one unit and have one line table. */
typedef struct js_unit {
    js_object *object;
    js_function **functions;
    size_t nfunctions;
    js_file *files; /* the unit's files; files[0] is its own. DWARF counts them from 1 */
    size_t nfiles;
} js_unit;
/* lines.c: return the number, from 1, of the object's file in the unit's table; it is added if need be. 0:
 * there is no such file, or no room. */
uint32_t js_unit_file(js_unit *unit, js_object *object, uint32_t file);
/* lines.c: write the unit's line table; *offset receives its offset in .debug_line. */
int js_write_lines(js_writer *writer, const js_unit *unit, size_t *offset);
/* lines.c: write the beginning of a line table, up to its folders. Returns the offset of header_length. */
size_t js_write_line_header(js_output *line, bool is_stmt);

/* frames.c: write the call frame information of one object as entries of .debug_frame. */
int js_write_frames(js_writer *writer, js_object *object);
/* frame_rows.c: write the call frame instructions (`size` bytes) of the code from `lo` on, with each row
 * where the stack pointer has moved. */
void js_write_frame_rows(js_output *out, js_object *object, uint64_t lo, const uint8_t *rows, size_t size);

/* changing.c: write the locals whose type changes, in blocks of their own, with the stops of these addresses.
 * *blocks receives the number of blocks. */
int js_write_changing(js_writer *writer, uint32_t file, const js_function *function, size_t *blocks);
/* Return a version with the type that the local's value has wherever it is known; NULL: it has several types.
 * An argument has the type that it was passed as. */
const js_variable *js_local_only_version(const js_local *local);

/* variables.c: write one local, with the locations where it is exact and has the version's type. */
int js_write_variable(js_writer *writer, uint32_t file, const js_function *function, const js_local *local,
                      const js_variable *version, bool is_argument);
/* Write `count` pairs of addresses, and return their offset in .debug_ranges. */
uint64_t js_write_ranges(js_writer *writer, const uint64_t *ranges, size_t count);

/* stops.c: write a block for each statement of a scope but the first of its line. scope: 1 + index of inlined
 * code; 0: the function. ranges: only statements in these pairs of addresses; NULL: all. GDB sets a
 * breakpoint at one statement of a line in each block. */
int js_write_stops(js_writer *writer, const js_function *function, uint32_t scope, const uint64_t *ranges,
                   size_t nranges);

/* info.c: write one unit with its functions. */
int js_write_unit(js_writer *writer, js_unit *unit);
/* info.c: write the abbreviations of all units. */
void js_write_abbrevs(js_writer *writer);
/* Write `count` abbreviations. Each has `width` numbers: js_abbrev, DW_TAG_*, whether it has children, then
 * pairs of DW_AT_* and DW_FORM_*, and 0 where there is room left. */
void js_write_abbrev_rows(js_output *out, const uint16_t *rows, size_t count, size_t width);

/* symbols.c: replace *out by the function's name for debuggers: the source's name for the user's functions,
 * and other names for wrappers, so that `break foo` is one place. Returns the status of `out`. */
int js_write_name(const js_function *function, js_text *out);
/* symbols.c: write the contents of .symtab and .strtab. The section of each object's code has the object's
 * number, from 1. */
int js_write_symbols(js_object *const *objects, size_t count, js_output *symtab, js_output *strtab);

/* lldb_rows.c: take the line from rows at which LLDB would set breakpoints though no statement begins there.
 * JS_ENOMEM. */
int js_lldb_rows(const js_function *function, js_row *rows, size_t count);

/* write.c: write the file. is_for_lldb: with operators that LLDB knows. JS_ENOTFOUND: there are no objects;
 * JS_ELIMIT: too many; JS_ESYS: errno says why the file could not be written. */
int js_write_objects(js_object *const *objects, size_t count, bool is_for_lldb, const char *path);

#endif
