/* The machine code of one function, decoded as far as values can be followed through it. Internal to
 * program/. */
#ifndef JS_PROGRAM_MACHINE_CODE_H
#define JS_PROGRAM_MACHINE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/arena.h"

struct js_function;

enum {
    JS_CODE_REGISTERS = 48, /* 0-15 general, DWARF order; 16-47 vector */
    JS_CODE_VECTOR = 16,
    JS_CODE_RAX = 0,
    JS_CODE_RSP = 7,
    JS_CODE_RBP = 6,
    JS_CODE_INSNS = 1000000, /* instructions of one function, at most */
};

/* What an instruction does, as far as it matters here. */
typedef enum js_op {
    JS_OP_OTHER,   /* computes something: what it writes is new */
    JS_OP_MOVE,    /* the low `width` bytes of to become those of from */
    JS_OP_ZERO,    /* to becomes 0 */
    JS_OP_ADDRESS, /* register to becomes the address `from` */
    JS_OP_PUSH,
    JS_OP_POP,
    JS_OP_STACK, /* rsp += value */
    JS_OP_ALIGN, /* rsp is aligned downwards: its distance from the frame is lost */
    JS_OP_LEAVE,
    JS_OP_CALL,
    JS_OP_JUMP,     /* to target; JS_CODE_NOWHERE: leaves the function */
    JS_OP_BRANCH,   /* to target, or on */
    JS_OP_INDIRECT, /* jumps to where a register, or a table, says */
    JS_OP_END,      /* returns or traps */
    JS_OP_PAD,      /* nop, int3: may be where nothing leads */
} js_op;

typedef enum js_place_kind {
    JS_PLACE_NONE,
    JS_PLACE_REGISTER,
    JS_PLACE_FRAME,   /* base is rsp or rbp, no index: value is the displacement */
    JS_PLACE_INDEXED, /* base is rsp or rbp, with an index */
    JS_PLACE_MEMORY,  /* anywhere else */
    JS_PLACE_VALUE,   /* the constant value */
} js_place_kind;

typedef struct js_place {
    uint8_t kind, reg; /* js_place_kind; register or base */
    uint8_t size;      /* bytes touched */
    uint8_t index,
        scale;     /* JS_PLACE_MEMORY: register (JS_CODE_REGISTERS: none) and its factor; reg: so, too */
    int64_t value; /* JS_PLACE_MEMORY: the displacement */
} js_place;

#define JS_CODE_NOWHERE UINT32_MAX

typedef struct js_insn {
    uint64_t address;
    uint64_t written, read; /* bit sets of registers */
    js_place to, from;
    /* Index of an instruction, or JS_CODE_NOWHERE; of a jump through a table the first of its ways. */
    uint32_t target;
    /* Length 0: the instruction represents a way through a jump table, and has the address of the code's end.
     */
    uint8_t length, op, width;
    uint8_t
        extra_to; /* a second operand in memory that is written: its kind (xchg, xadd), else JS_PLACE_NONE */
    bool stores;  /* it writes `to`, which is in memory; false: it may, or does not */
    bool is_packed; /* arithmetic on several numbers at once */
    bool is_masked; /* an operand in memory is read or written only where a mask says so */
    bool converts;  /* one number, to another type, in a register: a byte to a truth value, too */
    bool is_locked; /* atomic: of the compiler's reference counts, or of a loop's threads */
    uint16_t id;    /* the same for the same operation */
    int64_t step;   /* it does nothing but add this to the register `to`; 0: it does not */
} js_insn;

typedef struct js_basic_block {
    uint32_t first, count;  /* instructions */
    uint32_t successors[2]; /* blocks; JS_CODE_NOWHERE: none */
    uint32_t order;         /* position in reverse post-order; JS_CODE_NOWHERE: nothing leads here */
} js_basic_block;

typedef struct js_code {
    js_insn *insns;
    size_t ninsns;
    js_basic_block *blocks;
    size_t nblocks;
    uint32_t *order; /* reachable blocks, in reverse post-order */
    size_t norder;
    bool has_frame; /* rbp is the frame's */
} js_code;

/* Decode function->code. JS_EUNSUP: another machine, or code whose control flow is unknown (a jump
 * through a table that is not known, bytes that are no instruction). Everything is allocated in the arena. */
int js_code_init(js_code *code, js_arena *arena, uint16_t machine, const struct js_function *function);
/* Index of the instruction at or around the address; JS_CODE_NOWHERE outside. */
uint32_t js_code_find(const js_code *code, uint64_t address);
/* The block that the instruction is in. */
uint32_t js_code_block(const js_code *code, size_t insn);
/* Marks the blocks that the end of block `from` leads to; what is marked already is not followed again.
 * waiting: room for all blocks. */
void js_code_mark_behind(const js_code *code, uint32_t from, uint8_t *behind, uint32_t *waiting);
/* True if the place may be an array's element: memory outside of the frame. */
bool js_code_is_element(const js_code *code, const js_place *place);
/* The instruction from `first` on that loads what instruction `index` stores from the frame; JS_CODE_NOWHERE:
 * the store is no such copy. */
uint32_t js_code_copied_by(const js_code *code, uint32_t first, uint32_t index);
/* For each block how many ways lead to it from blocks that can be reached; allocated in the arena. */
int js_code_ways(const js_code *code, js_arena *arena, uint32_t **out);

/* For each block the header of the innermost loop that it is in; JS_CODE_NOWHERE: none. Allocated in the
 * arena. JS_EUNSUP: there is a loop with a second way in. */
int js_code_loops(const js_code *code, js_arena *arena, uint32_t **innermost);

/* Marks the instructions that may run twice in a call; allocated in the arena. */
int js_code_cycles(const js_code *code, js_arena *arena, uint8_t **is_cyclic);

/* ---- code_x86_64_vex.c ---- */
/* Length of an instruction with a VEX or EVEX prefix; insn says what it may write; 0: it is none, or
 * writes somewhere in the frame. */
size_t js_code_skip_x86_64(js_insn *insn, const uint8_t *bytes, size_t size);
/* True if the instruction has a mask and an operand in memory. */
bool js_code_is_masked_x86_64(const uint8_t *bytes, size_t size);

/* ---- code_x86_64.c ---- */
int js_code_decode_x86_64(js_code *code, js_arena *arena, const uint8_t *bytes, size_t size,
                          uint64_t address);
/* What the one instruction, a call, calls: a register, a word of memory (a constant address has no base), or
 * the address itself. False: it is no call. */
bool js_code_called_x86_64(const uint8_t *bytes, size_t size, uint64_t address, js_place *out);
/* ---- code_x86_64_registers.c ---- */
/* Registers that a call may change. */
uint64_t js_code_call_clobbers(void);
/* DWARF number of a register, and back (JS_CODE_REGISTERS: none). */
unsigned js_code_to_dwarf(unsigned reg);
unsigned js_code_from_dwarf(uint64_t number);
/* Registers that integers and pointers are passed in, in order. */
enum { JS_CODE_ARGUMENT_REGISTERS = 6, JS_CODE_ARGUMENT_VECTORS = 8 };
extern const uint8_t js_code_argument_registers[JS_CODE_ARGUMENT_REGISTERS];

#endif
