/* A JIT of its own: machine code in a page of memory, its own array, its own mangling, its own thread pool.
 * Nothing in jitscope knows it; what a debugger shows of it comes from the descriptors that it registers.
 *
 *     toyjit SOURCE.toy [once|serve|crash|retype]
 */
#include <jitscope.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 12, COLUMNS = 2, CHUNK = 3, WORKERS = 4 };

/* The toy's array: strides first, the data last, axes of 32 bits. */
typedef struct toy_array {
    int32_t steps[2];
    void *owner;
    int32_t dims[2];
    double *first;
} toy_array;

/* What the compiler made of SOURCE.toy: total at 0, run at RUN. */
enum {
    PROLOGUE = 0x19,
    LOOP = 0x22,
    ADD = 0x2c,
    RETURN = 0x54,
    END = 0x5a,
    RUN = 0x5b,
    CALL = 0x63,
    DONE = 0x65,
    RUN_RETURN = 0x69
};
static const unsigned char machine_code[] = {
    0x55,                         /* total: push %rbp */
    0x48, 0x89, 0xe5,             /*        mov %rsp,%rbp */
    0x48, 0x83, 0xec, 0x30,       /*        sub $48,%rsp */
    0x48, 0x89, 0x7d, 0xf8,       /*        mov %rdi,-8(%rbp)      values */
    0xf2, 0x0f, 0x11, 0x45, 0xf0, /*        movsd %xmm0,-16(%rbp)  factor */
    0x48, 0x89, 0x75, 0xe8,       /*        mov %rsi,-24(%rbp)     row */
    0x48, 0x89, 0x55, 0xe0,       /*        mov %rdx,-32(%rbp)     end */
    0x66, 0x0f, 0xef, 0xc0,       /*        pxor %xmm0,%xmm0 */
    0xf2, 0x0f, 0x11, 0x45, 0xd8, /*        movsd %xmm0,-40(%rbp)  sum */
    0x48, 0x8b, 0x45, 0xe8,       /* loop:  mov -24(%rbp),%rax */
    0x48, 0x3b, 0x45, 0xe0,       /*        cmp -32(%rbp),%rax */
    0x7d, 0x28,                   /*        jge return */
    0x48, 0x8b, 0x4d, 0xf8,       /* add:   mov -8(%rbp),%rcx */
    0x48, 0x63, 0x11,             /*        movslq (%rcx),%rdx     steps[0] */
    0x48, 0x0f, 0xaf, 0xd0,       /*        imul %rax,%rdx */
    0x48, 0x03, 0x51, 0x18,       /*        add 24(%rcx),%rdx      first */
    0xf2, 0x0f, 0x10, 0x02,       /*        movsd (%rdx),%xmm0 */
    0xf2, 0x0f, 0x59, 0x45, 0xf0, /*        mulsd -16(%rbp),%xmm0 */
    0xf2, 0x0f, 0x58, 0x45, 0xd8, /*        addsd -40(%rbp),%xmm0 */
    0xf2, 0x0f, 0x11, 0x45, 0xd8, /*        movsd %xmm0,-40(%rbp) */
    0x48, 0xff, 0x45, 0xe8,       /*        incq -24(%rbp) */
    0xeb, 0xce,                   /*        jmp loop */
    0xf2, 0x0f, 0x10, 0x45, 0xd8, /* return: movsd -40(%rbp),%xmm0 */
    0xc9,                         /*        leave */
    0xc3,                         /*        ret */
    0x48, 0x83, 0xec, 0x18,       /* run:   sub $24,%rsp           no frame pointer */
    0x48, 0x89, 0x3c, 0x24,       /*        mov %rdi,(%rsp)        values */
    0xff, 0xd1,                   /*        call *%rcx */
    0x48, 0x83, 0xc4, 0x18,       /*        add $24,%rsp */
    0xc3,                         /*        ret */
};

typedef double toy_total(const toy_array *, double, int64_t, int64_t);
typedef double toy_run(const toy_array *, double, int64_t, int64_t, toy_total *);

/* A global of the toy program, at a fixed address. */
static struct toy_limits {
    double low;
    uint8_t closed;
    double high;
} limits = {-1.5, 1, 24.0};

static unsigned char *code;
static const char *source;
static uint64_t total_handle, run_handle, region_handle;

static void check(int status, const char *what)
{
    if (status != JITSCOPE_OK) {
        fprintf(stderr, "toyjit: %s: status %d\n", what, status);
        exit(1);
    }
}

/* ---- what the debugger is told ---- */

static void describe(uint32_t kind, const char *name, const char *element, uint64_t bytes, uint64_t count,
                     const jitscope_member *members, uint32_t nmembers)
{
    jitscope_layout layout;
    uint64_t handle;
    jitscope_layout_init(&layout);
    layout.kind = kind;
    layout.name = name;
    layout.element = element;
    layout.bytes = bytes;
    layout.count = count;
    layout.align = 8;
    layout.ndim = kind == JITSCOPE_ARRAY ? 2 : 0;
    layout.members = members;
    layout.nmembers = nmembers;
    check(jitscope_layout_register(&layout, &handle), name);
}

static void describe_types(void)
{
    const jitscope_member array[] = {
        {"steps", "axes", offsetof(toy_array, steps), JITSCOPE_ROLE_STRIDES, 0},
        {"owner", "void*", offsetof(toy_array, owner), JITSCOPE_ROLE_OWNER, 0},
        {"dims", "axes", offsetof(toy_array, dims), JITSCOPE_ROLE_SHAPE, 0},
        {"first", "number*", offsetof(toy_array, first), JITSCOPE_ROLE_DATA, 0},
    };
    const jitscope_member range[] = {
        {"low", "float64", offsetof(struct toy_limits, low), JITSCOPE_ROLE_NONE, 0},
        {"closed", "bool", offsetof(struct toy_limits, closed), JITSCOPE_ROLE_NONE, 0},
        {"high", "float64", offsetof(struct toy_limits, high), JITSCOPE_ROLE_NONE, 0},
    };
    describe(JITSCOPE_VECTOR, "axes", "int32", 8, 2, NULL, 0);
    describe(JITSCOPE_POINTER, "number*", "float64", 8, 0, NULL, 0);
    describe(JITSCOPE_ARRAY, "Matrix", "float64", sizeof(toy_array), 0, array, 4);
    describe(JITSCOPE_STRUCT, "Range", NULL, sizeof limits, 0, range, 3);
}

static void describe_total(void)
{
    const uint64_t low = (uint64_t)(uintptr_t)code;
    const uint64_t body = low + PROLOGUE, loop = low + LOOP, end = low + END;
    /* the frame's registers lie 16 bytes below the canonical frame address */
    const jitscope_location values_at[] = {{low, body, JITSCOPE_AT_REGISTER, 5, 0},
                                           {body, end, JITSCOPE_BEHIND_FRAME, 0, -16 - 8}};
    const jitscope_location factor_at[] = {{low, body, JITSCOPE_IN_REGISTER, 17, 0},
                                           {body, end, JITSCOPE_AT_FRAME, 0, -16 - 16}};
    const jitscope_location row_at[] = {{low, body, JITSCOPE_IN_REGISTER, 4, 0},
                                        {body, end, JITSCOPE_AT_REGISTER, 6, -24}};
    const jitscope_location end_at[] = {{low, body, JITSCOPE_IN_REGISTER, 1, 0},
                                        {body, end, JITSCOPE_AT_FRAME, 0, -16 - 32}};
    const jitscope_location sum_at[] = {{low, loop, JITSCOPE_UNASSIGNED, 0, 0},
                                        {loop, end, JITSCOPE_AT_FRAME, 0, -16 - 40}};
    const jitscope_location limits_at[] = {{0, 0, JITSCOPE_AT_ADDRESS, 0, (int64_t)(uintptr_t)&limits}};
    const jitscope_location width_at[] = {{0, 0, JITSCOPE_CONSTANT, 0, -COLUMNS}};
    const jitscope_variable variables[] = {
        {"values", "Matrix", 1, JITSCOPE_ARGUMENT, values_at, 2, 0},
        {"factor", "float64", 1, JITSCOPE_ARGUMENT, factor_at, 2, 0},
        {"row", "int64", 1, JITSCOPE_ARGUMENT, row_at, 2, 0},
        {"end", "int64", 1, JITSCOPE_ARGUMENT, end_at, 2, 0},
        {"sum", "float64", 2, 0, sum_at, 2, 0},
        {"limits", "Range", 0, 0, limits_at, 1, 0},
        {"width", "int32", 0, 0, width_at, 1, 0},
        {"folded", "int64", 0, 0, NULL, 0, 0},
    };
    const jitscope_line lines[] = {
        {low, NULL, 1, JITSCOPE_STATEMENT},          {body, NULL, 2, JITSCOPE_STATEMENT | JITSCOPE_BODY},
        {loop, NULL, 3, JITSCOPE_STATEMENT},         {low + ADD, NULL, 4, JITSCOPE_STATEMENT},
        {low + RETURN, NULL, 5, JITSCOPE_STATEMENT},
    };
    jitscope_function function;
    jitscope_function_init(&function);
    function.low = low;
    function.high = low + RUN;
    function.name = "total";
    function.linkage_name = "toy.total!mdll";
    function.signature = "(Matrix, float64, int64, int64)";
    function.file = source;
    function.line = 1;
    function.result = "float64";
    function.unwind = JITSCOPE_UNWIND_FRAME_POINTER;
    function.variables = variables;
    function.nvariables = sizeof variables / sizeof *variables;
    function.lines = lines;
    function.nlines = sizeof lines / sizeof *lines;
    check(jitscope_function_register(&function, &total_handle), "total");
}

/* How run unwinds, as an .eh_frame: a CIE, and an FDE whose address and length are filled in. */
static unsigned char run_frames[] = {
    20,   0,    0,  0,    0,  0, 0, 0, /* length, CIE */
    1,    0,    1,  0x78, 16,          /* version, no augmentation, factors 1 and -8, return address */
    0x0c, 7,    8,  0x90, 1,           /* CFA is rsp + 8, the return address lies 8 below it */
    0,    0,    0,  0,    0,  0,       /* nops */
    28,   0,    0,  0,    28, 0, 0, 0, /* length, FDE of the CIE 28 bytes before */
    0,    0,    0,  0,    0,  0, 0, 0, /* address */
    0,    0,    0,  0,    0,  0, 0, 0, /* length of the code */
    0x44, 0x0e, 32,                    /* after sub $24,%rsp: CFA is rsp + 32 */
    0x4a, 0x0e, 8,                     /* at ret: as at the entry */
    0,    0,                           /* nops */
    0,    0,    0,  0,                 /* the end */
};
enum { FRAMES_LOW = 32, FRAMES_LENGTH = 40 };

static void describe_run(void)
{
    const uint64_t low = (uint64_t)(uintptr_t)code + RUN, length = sizeof machine_code - RUN;
    memcpy(run_frames + FRAMES_LOW, &low, sizeof low);
    memcpy(run_frames + FRAMES_LENGTH, &length, sizeof length);
    const jitscope_location values_at[] = {
        {low, low + CALL - RUN, JITSCOPE_AT_REGISTER, 5, 0},
        {low + CALL - RUN, low + RUN_RETURN - RUN, JITSCOPE_BEHIND_REGISTER, 7, 0}};
    const jitscope_variable variables[] = {{"values", "Matrix", 7, JITSCOPE_ARGUMENT, values_at, 2, 0}};
    const jitscope_line lines[] = {
        {low, NULL, 7, JITSCOPE_STATEMENT},
        {low + CALL - RUN, NULL, 8, JITSCOPE_STATEMENT | JITSCOPE_BODY},
        {low + DONE - RUN, NULL, 9, JITSCOPE_STATEMENT},
    };
    jitscope_function function;
    jitscope_function_init(&function);
    function.low = low;
    function.high = (uint64_t)(uintptr_t)code + sizeof machine_code;
    function.name = "run";
    function.linkage_name = "toy.run!mdll";
    function.file = source;
    function.line = 7;
    function.unwind = JITSCOPE_UNWIND_EH_FRAME;
    function.eh_frame = run_frames;
    function.eh_frame_size = sizeof run_frames;
    function.variables = variables;
    function.nvariables = 1;
    function.lines = lines;
    function.nlines = 3;
    check(jitscope_function_register(&function, &run_handle), "run");
    jitscope_region region;
    jitscope_region_init(&region);
    region.schedule = JITSCOPE_DYNAMIC;
    region.name = "run.parallel";
    region.function = run_handle;
    region.line = 8;
    region.nworkers = WORKERS;
    region.end = ROWS;
    region.chunk = CHUNK;
    check(jitscope_region_register(&region, &region_handle), "region");
}

/* ---- the pool ---- */

static toy_array values;
static atomic_int next_row, rounds;
static pthread_barrier_t barrier;

static void *work(void *sum)
{
    toy_run *run = (toy_run *)(uintptr_t)(code + RUN);
    toy_total *total = (toy_total *)(uintptr_t)code;
    while (pthread_barrier_wait(&barrier), atomic_load(&rounds)) {
        int row;
        jitscope_region_enter(region_handle);
        while ((row = atomic_fetch_add(&next_row, CHUNK)) < ROWS) {
            jitscope_region_chunk(row, row + CHUNK);
            *(double *)sum += run(&values, 2.0, row, row + CHUNK, total);
        }
        jitscope_region_leave();
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void compile(void)
{
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) {
        exit(1);
    }
    memcpy(code, machine_code, sizeof machine_code);
    mprotect(code, 4096, PROT_READ | PROT_EXEC);
    describe_types();
    describe_total();
    describe_run();
}

static void make_values(double *items)
{
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        items[i] = i / 2.0;
    }
    values = (toy_array){{COLUMNS * (int)sizeof *items, (int)sizeof *items}, NULL, {ROWS, COLUMNS}, items};
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[2] : "once";
    double items[ROWS * COLUMNS], sums[WORKERS] = {0};
    pthread_t workers[WORKERS];
    if (argc < 2) {
        return 2;
    }
    source = argv[1];
    make_values(items);
    compile();
    pthread_barrier_init(&barrier, NULL, WORKERS + 1);
    atomic_store(&rounds, 1);
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&workers[i], NULL, work, &sums[i]);
    }
    for (int round = 0; round == 0 || !strcmp(mode, "serve"); round++) {
        atomic_store(&next_row, 0);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (round == 0) {
            printf("%g\nready\n", sums[0] + sums[1] + sums[2] + sums[3]);
            fflush(stdout);
        }
        if (!strcmp(mode, "serve")) {
            usleep(1000);
        }
    }
    if (!strcmp(mode, "crash")) {
        values.first = (double *)8;
        atomic_store(&next_row, 0);
        pthread_barrier_wait(&barrier);
        pause();
    }
    atomic_store(&rounds, 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
    }
    check(jitscope_region_unregister(region_handle), "region");
    check(jitscope_function_unregister(total_handle), "total");
    raise(SIGUSR1);
    check(jitscope_function_unregister(run_handle), "run");
    munmap(code, 4096);
    return 0;
}
