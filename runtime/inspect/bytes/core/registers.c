/* Reads the registers of a thread from NT_PRSTATUS. Source: Linux include/uapi/linux/elfcore.h (struct
 * elf_prstatus), arch/x86/include/asm/user_64.h (struct user_regs_struct); DWARF's numbers: System V ABI for
 * x86-64, figure 3.36. */
#include <string.h>

#include "bytes/core/contents.h"

/* How one machine stores a thread: offsets in NT_PRSTATUS. The registers are words from `registers` on. */
typedef struct machine_layout {
    uint16_t machine;
    size_t signal, native_id, registers;
    size_t count;                        /* words at `registers` */
    uint8_t words[JS_CORE_REGISTERS];    /* for each number of DWARF, the word */
    uint8_t numbers;                     /* how many numbers of DWARF this machine has */
    uint8_t thread_pointer, system_call; /* words */
} machine_layout;

static const machine_layout layouts[] = {
    {.machine = EM_X86_64,
     .signal = 12,
     .native_id = 32,
     .registers = 112,
     .count = 27,
     /* rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip */
     .words = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16},
     .numbers = 17,
     .thread_pointer = 21,
     .system_call = 15},
};

static const machine_layout *find_layout(uint16_t machine)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (layouts[i].machine == machine) {
            return &layouts[i];
        }
    }
    return NULL;
}

bool js_core_knows_machine(uint16_t machine)
{
    return find_layout(machine) != NULL;
}

static uint64_t word_at(const machine_layout *layout, const uint8_t *status, size_t word)
{
    uint64_t value;
    memcpy(&value, status + layout->registers + word * sizeof value, sizeof value);
    return value;
}

int js_core_read_thread(uint16_t machine, const uint8_t *status, size_t size, js_core_thread *out)
{
    const machine_layout *layout = find_layout(machine);
    if (!layout || size < layout->registers + layout->count * sizeof(uint64_t)) {
        return JS_EBAD;
    }
    int16_t signal;
    int32_t native_id;
    memcpy(&signal, status + layout->signal, sizeof signal);
    memcpy(&native_id, status + layout->native_id, sizeof native_id);
    *out = (js_core_thread){.native_id = native_id,
                            .signal = signal,
                            .thread_pointer = word_at(layout, status, layout->thread_pointer),
                            .system_call = word_at(layout, status, layout->system_call)};
    for (size_t number = 0; number < layout->numbers; number++) {
        out->registers[number] = word_at(layout, status, layout->words[number]);
    }
    return JS_OK;
}
