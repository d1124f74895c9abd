/* A JIT of one function, and what it tells a debugger: build/describe. Its source:

function twice(x)
  return x + x
*/
#include <jitscope.h>
#include <stdio.h>
#include <sys/mman.h>

enum { DEFINED = 3, RETURNS };

static const unsigned char machine_code[] = {
    0x55,                   /* push %rbp */
    0x48, 0x89, 0xe5,       /* mov %rsp,%rbp */
    0x48, 0x89, 0x7d, 0xf8, /* mov %rdi,-8(%rbp) */
    0x48, 0x8d, 0x04, 0x3f, /* lea (%rdi,%rdi),%rax */
    0x5d,                   /* pop %rbp */
    0xc3,                   /* ret */
};
enum { BODY = 8, POP = 12 };

static int describe(uint64_t low, uint64_t *handle)
{
    /* x comes in rdi (5), then lies 24 bytes below what the stack pointer was before the call */
    const jitscope_location places[] = {{low, low + BODY, JITSCOPE_IN_REGISTER, 5, 0},
                                        {low + BODY, low + POP, JITSCOPE_AT_FRAME, 0, -24}};
    const jitscope_variable variables[] = {{"x", "int64", DEFINED, JITSCOPE_ARGUMENT, places, 2, 0}};
    const jitscope_line lines[] = {{low, NULL, DEFINED, JITSCOPE_STATEMENT},
                                   {low + BODY, NULL, RETURNS, JITSCOPE_STATEMENT | JITSCOPE_BODY}};
    jitscope_function function;
    jitscope_function_init(&function);
    function.low = low;
    function.high = low + sizeof machine_code;
    function.name = "twice";
    function.signature = "(int64)";
    function.result = "int64";
    function.file = __FILE__;
    function.line = DEFINED;
    function.unwind = JITSCOPE_UNWIND_FRAME_POINTER;
    function.variables = variables;
    function.nvariables = 1;
    function.lines = lines;
    function.nlines = 2;
    return jitscope_function_register(&function, handle);
}

int main(void)
{
    uint64_t handle;
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    memcpy(code, machine_code, sizeof machine_code);
    if (mprotect(code, 4096, PROT_READ | PROT_EXEC) || describe((uint64_t)(uintptr_t)code, &handle))
        return 1;
    long (*twice)(long) = (long (*)(long))(uintptr_t)code;
    printf("%ld\n", twice(21));
    jitscope_function_unregister(handle); /* before the code goes */
    return munmap(code, 4096);
}
