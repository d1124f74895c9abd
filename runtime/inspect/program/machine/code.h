/* The machine code of one function, decoded as far as values can be followed through it. Used by all of
 * program/ that looks at code. */
#ifndef JS_PROGRAM_MACHINE_CODE_H
#define JS_PROGRAM_MACHINE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/arena.h"

struct js_function;

enum {
    JS_CODE_REGISTERS = 48, /* 0-15 general, in DWARF's order; 16-47 vector; as a register: none */
    JS_CODE_VECTOR = 16,
    JS_CODE_RAX = 0,
    JS_CODE_RSP = 7,
    JS_CODE_RBP = 6,
    JS_CODE_INSNS = 1000000, /* instructions of one function, at most */
};

/* Kinds of instructions. `to`, `from`, `width` and `target` are members of js_insn. */
typedef enum js_op {
    JS_OP_OTHER,   /* computes something: what it writes is a new value */
    JS_OP_MOVE,    /* copies the low `width` bytes of `from` to `to` */
    JS_OP_ZERO,    /* sets `to` to 0 */
    JS_OP_ADDRESS, /* puts the address of `from` into the register `to` */
    JS_OP_PUSH,
    JS_OP_POP,
    JS_OP_STACK, /* adds to.value to rsp */
    JS_OP_ALIGN, /* aligns rsp downwards: its distance from the frame is lost */
    JS_OP_LEAVE,
    JS_OP_CALL,
    JS_OP_JUMP,     /* jumps to `target`; JS_CODE_NOWHERE: leaves the function */
    JS_OP_BRANCH,   /* jumps to `target`, or runs on */
    JS_OP_INDIRECT, /* jumps to the address in a register or a table */
    JS_OP_END,      /* returns or traps */
    JS_OP_PAD,      /* nop, int3: it may lie where no code leads */
} js_op;

typedef enum js_place_kind {
    JS_PLACE_NONE,
    JS_PLACE_REGISTER,
    JS_PLACE_FRAME,   /* memory at rsp or rbp, without an index; `value` is the displacement */
    JS_PLACE_INDEXED, /* memory at rsp or rbp, with an index */
    JS_PLACE_MEMORY,  /* any other operand in memory */
    JS_PLACE_VALUE,   /* no place, but the constant `value` */
} js_place_kind;

typedef struct js_place {
    uint8_t kind, reg;    /* js_place_kind; register or base (JS_PLACE_MEMORY: JS_CODE_REGISTERS is none) */
    uint8_t size;         /* bytes that are read or written */
    uint8_t index, scale; /* in memory: index register (JS_CODE_REGISTERS: none) and its factor */
    int64_t value;        /* in memory: the displacement */
} js_place;

#define JS_CODE_NOWHERE UINT32_MAX /* no instruction, or no block */

typedef struct js_insn {
    uint64_t address;
    uint64_t written, read; /* bit sets of registers */
    js_place to, from;
    /* Index of an instruction, or JS_CODE_NOWHERE; for a jump through a table the first of its branches. */
    uint32_t target;
    /* Length 0: the instruction is a branch of a jump table that jump_tables.c has added, at the code's end.
     */
    uint8_t length, op, width; /* bytes; js_op; bytes */
    uint8_t extra_to; /* kind of a second memory operand that is written (xchg, xadd), or JS_PLACE_NONE */
    bool stores;      /* it certainly writes `to`, which is in memory; false: it may, or does not */
    bool is_packed;   /* arithmetic on several numbers at once */
    bool is_masked;   /* an operand in memory is read or written only where a mask says so */
    bool converts;    /* it converts one number in a register to another type, or a byte to a truth value */
    bool is_locked;   /* atomic, as in the compiler's reference counts or between a loop's threads */
    uint16_t id;      /* number of the operation; equal operations have equal numbers */
    int64_t step;     /* it only adds this to the register `to`; 0: it does something else */
} js_insn;

typedef struct js_basic_block {
    uint32_t first, count;  /* instructions */
    uint32_t successors[2]; /* indices of blocks; JS_CODE_NOWHERE: none */
    uint32_t order;         /* position in reverse post-order; JS_CODE_NOWHERE: no code leads here */
} js_basic_block;

typedef struct js_code {
    js_insn *insns;
    size_t ninsns;
    js_basic_block *blocks;
    size_t nblocks;
    uint32_t *order; /* reachable blocks, in reverse post-order */
    size_t norder;
    bool has_frame; /* rbp points to the frame */
} js_code;

/* Decode function->code. machine: EM_… of ELF. Everything is allocated in the arena. JS_EUNSUP: another
 * machine than x86-64, no code, or code whose control flow is unknown (a jump through an unknown table, bytes
 * that are no instruction). JS_ELIMIT: too large. JS_ENOMEM. */
int js_code_init(js_code *code, js_arena *arena, uint16_t machine, const struct js_function *function);
/* Return the index of the instruction that has a byte at the address; JS_CODE_NOWHERE: none has. */
uint32_t js_code_find(const js_code *code, uint64_t address);
/* Return the index of the block that the instruction is in. */
uint32_t js_code_block(const js_code *code, size_t insn);
/* Mark in `after` the blocks that the end of block `from` leads to. Blocks that are marked already are not
 * followed again. waiting: room for all blocks. */
void js_code_mark_after(const js_code *code, uint32_t from, uint8_t *after, uint32_t *waiting);
/* True if the place may be an array's element: memory outside of the frame. */
bool js_code_is_element(const js_code *code, const js_place *place);
/* Return the index of the instruction, from `first` on, that loads from the frame what instruction `index`
 * stores; JS_CODE_NOWHERE: the store is no such copy. */
uint32_t js_code_copied_by(const js_code *code, uint32_t first, uint32_t index);
/* Count for each block the edges that lead to it from reachable blocks; *out is allocated in the arena.
 * JS_ENOMEM. */
int js_code_count_predecessors(const js_code *code, js_arena *arena, uint32_t **out);

/* Find for each block the header (a block) of the innermost loop that it is in; JS_CODE_NOWHERE: none.
 * *innermost is allocated in the arena. JS_EUNSUP: a loop has a second entry. JS_ELIMIT: the search takes too
 * long. JS_ENOMEM. */
int js_code_loops(const js_code *code, js_arena *arena, uint32_t **innermost);

/* Mark the instructions that may run twice in one call; *is_cyclic is allocated in the arena. JS_ENOMEM. */
int js_code_cycles(const js_code *code, js_arena *arena, uint8_t **is_cyclic);

/* ---- code_x86_64_vex.c ---- */
/* Return the length in bytes of an instruction with a VEX or EVEX prefix, and fill `insn` with what it may
 * write. 0: it is no such instruction, or it may write to the frame. */
size_t js_code_skip_x86_64(js_insn *insn, const uint8_t *bytes, size_t size);
/* True if the instruction has a mask and an operand in memory. */
bool js_code_is_masked_x86_64(const uint8_t *bytes, size_t size);

/* ---- code_x86_64.c ---- */
/* Decode the instructions; js_code_init() does the rest. Errors as there. */
int js_code_decode_x86_64(js_code *code, js_arena *arena, const uint8_t *bytes, size_t size,
                          uint64_t address);
/* Find where one instruction, a call, takes the called address from: a register, a word of memory (a constant
 * address has no base), or the address itself (JS_PLACE_VALUE). False: it is no call. */
bool js_code_called_x86_64(const uint8_t *bytes, size_t size, uint64_t address, js_place *out);
/* ---- code_x86_64_registers.c ---- */
/* Return the bit set of registers that a call may change. */
uint64_t js_code_call_clobbers(void);
/* Convert a register to its DWARF number, and back (JS_CODE_REGISTERS: it has none here). */
unsigned js_code_to_dwarf(unsigned reg);
unsigned js_code_from_dwarf(uint64_t number);
/* The registers that integers and pointers are passed in, in order. */
enum { JS_CODE_ARGUMENT_REGISTERS = 6, JS_CODE_ARGUMENT_VECTORS = 8 };
extern const uint8_t js_code_argument_registers[JS_CODE_ARGUMENT_REGISTERS];

#endif
