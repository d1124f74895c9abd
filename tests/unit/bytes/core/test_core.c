/* bytes/core: made-up cores, complete, truncated and hostile ones, with and without their files. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "made_core.h"

enum { STACK = 0x7000000000, CODE = 0x400000, PAGE = 4096 };

/* NT_PRSTATUS of a thread whose registers are 1000, 1001 … in the order of the kernel. */
static void add_thread(made_core *made, int32_t native_id, int16_t number)
{
    uint8_t status[336] = {0};
    memcpy(status + 12, &number, sizeof number);
    memcpy(status + 32, &native_id, sizeof native_id);
    for (uint64_t word = 0; word < 27; word++) {
        uint64_t value = 1000 + word;
        memcpy(status + 112 + 8 * word, &value, sizeof value);
    }
    made_note(made, NT_PRSTATUS, status, sizeof status);
}

static void test_threads(void **state)
{
    (void)state;
    static made_core made;
    made_init(&made);
    add_thread(&made, 12, SIGSEGV);
    uint8_t information[128] = {SIGSEGV, [8] = SEGV_ACCERR, [16] = 0x10};
    made_note(&made, NT_SIGINFO, information, sizeof information);
    add_thread(&made, 13, 0);
    information[0] = SIGTERM;
    made_note(&made, NT_SIGINFO, information, sizeof information);
    uint8_t process[136] = {0};
    memcpy(process + 24, &(int32_t){12}, 4);
    memcpy(process + 40, "0123456789abcdef", 16);
    memcpy(process + 56, "python x.py", 11);
    made_note(&made, NT_PRPSINFO, process, sizeof process);
    made_note(&made, NT_PRSTATUS, process, 100); /* too short for registers: left out */
    js_core *core = made_open(&made);
    size_t count;
    const js_core_thread *threads = js_core_threads(core, &count);
    assert_int_equal(count, 2);
    assert_int_equal(threads[0].native_id, 12);
    assert_int_equal(threads[0].signal, SIGSEGV);
    assert_true(threads[0].has_siginfo);
    assert_int_equal(threads[0].siginfo_code, SEGV_ACCERR);
    assert_int_equal(threads[0].siginfo_address, 0x10);
    assert_int_equal(threads[1].siginfo_address, 0); /* no address belongs to this signal */
    static const uint64_t words[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};
    for (size_t i = 0; i < JS_CORE_REGISTERS; i++) {
        assert_int_equal(threads[0].registers[i], 1000 + words[i]);
    }
    assert_int_equal(threads[0].thread_pointer, 1021);
    assert_int_equal(threads[0].system_call, 1015);
    assert_int_equal(js_core_process_of(core)->pid, 12);
    assert_string_equal(js_core_process_of(core)->name, "0123456789abcdef");
    assert_string_equal(js_core_process_of(core)->arguments, "python x.py");
    assert_int_equal(js_core_machine(core), EM_X86_64);
    js_core_destroy(core);
}

static void expect_text(js_core *core, uint64_t address, const char *expected)
{
    js_text text;
    js_text_init(&text, 0);
    js_core_explain(core, address, &text);
    assert_string_equal(text.data ? text.data : "", expected);
    js_text_deinit(&text);
}

static void test_memory_and_what_a_truncated_core_lacks(void **state)
{
    (void)state;
    static made_core made;
    static uint8_t content[3 * PAGE], out[4 * PAGE];
    for (size_t i = 0; i < sizeof content; i++) {
        content[i] = (uint8_t)(i / 7);
    }
    made_init(&made);
    made_segment(&made, STACK, 2 * PAGE, content, 2 * PAGE, PF_R | PF_W);
    made_segment(&made, STACK + 2 * PAGE, 2 * PAGE, content + 2 * PAGE, PAGE, PF_R | PF_W);
    js_core *core = made_open(&made);
    js_bytes *bytes = js_core_bytes(core);
    assert_int_equal(js_core_lacking(core), 0);
    assert_int_equal(js_bytes_read(bytes, STACK + 10, out, sizeof content - 10), JS_OK);
    assert_memory_equal(out, content + 10, sizeof content - 10);
    assert_int_equal(js_bytes_read(bytes, STACK, out, sizeof content + 1), JS_EFAULT);
    assert_int_equal(js_bytes_read(bytes, STACK - 1, out, 1), JS_EFAULT);
    expect_text(core, STACK, "");
    expect_text(core, STACK + 3 * PAGE, "the core leaves it out");
    expect_text(core, STACK + 4 * PAGE, "nothing is mapped there");
    js_core_destroy(core);

    int fd = made_file(&made, 0);
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    assert_int_equal(ftruncate(fd, info.st_size - PAGE - 100), 0);
    assert_int_equal(js_core_create_fd(fd, &core), JS_OK);
    bytes = js_core_bytes(core);
    assert_int_equal(js_core_lacking(core), PAGE + 100);
    assert_int_equal(js_bytes_read(bytes, STACK, out, 2 * PAGE - 100), JS_OK);
    assert_memory_equal(out, content, 2 * PAGE - 100);
    assert_int_equal(js_bytes_read(bytes, STACK, out, 2 * PAGE - 99), JS_EFAULT);
    expect_text(core, STACK + 2 * PAGE - 100, "the core is truncated before it");
    js_core_destroy(core);
    close(fd);
}

static void test_every_length(void **state)
{
    (void)state;
    static made_core made;
    static const uint8_t content[64] = {1};
    made_init(&made);
    add_thread(&made, 7, SIGABRT);
    made_segment(&made, STACK, sizeof content, content, sizeof content, PF_R);
    int fd = made_file(&made, 0);
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    for (off_t size = info.st_size; size >= 0; size--) {
        js_core *core;
        uint8_t byte = 0;
        size_t count = 0;
        assert_int_equal(ftruncate(fd, size), 0);
        int status = js_core_create_fd(fd, &core);
        if (size < (off_t)sizeof(Elf64_Ehdr)) {
            assert_int_equal(status, size < SELFMAG ? JS_ENOTFOUND : JS_EFAULT);
            continue;
        }
        assert_int_equal(status, JS_OK);
        assert_int_equal(js_core_lacking(core) != 0, size != info.st_size);
        bool has_memory = size > info.st_size - 64;
        assert_int_equal(js_bytes_read(js_core_bytes(core), STACK, &byte, 1), has_memory ? JS_OK : JS_EFAULT);
        assert_int_equal(byte, has_memory);
        js_core_threads(core, &count);
        assert_true(count == 1 || !has_memory);
        js_core_destroy(core);
    }
    close(fd);
}

static void test_more_segments_than_the_header_counts(void **state)
{
    (void)state;
    static made_core made;
    static const uint8_t content[64] = {42};
    made_init(&made);
    add_thread(&made, 7, SIGABRT);
    made_segment(&made, STACK, sizeof content, content, sizeof content, PF_R);
    js_core *damaged;
    int fd = made_file(&made, 70000);
    const uint32_t most = UINT32_MAX; /* as the section header says it */
    off_t place = (off_t)(made.head.e_shoff + offsetof(Elf64_Shdr, sh_info));
    assert_int_equal(pwrite(fd, &most, sizeof most, place), sizeof most);
    assert_int_equal(js_core_create_fd(fd, &damaged), JS_ELIMIT);
    close(fd);
    fd = made_file(&made, 70000);
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    for (int is_truncated = 0; is_truncated < 2; is_truncated++) {
        js_core *core;
        uint8_t byte = 0;
        size_t count;
        assert_int_equal(ftruncate(fd, info.st_size - is_truncated), 0);
        assert_int_equal(js_core_create_fd(fd, &core), JS_OK);
        assert_int_equal(js_core_lacking(core), is_truncated);
        assert_int_equal(js_bytes_read(js_core_bytes(core), STACK, &byte, 1), JS_OK);
        assert_int_equal(byte, 42);
        js_core_threads(core, &count);
        assert_int_equal(count, 1);
        js_core_destroy(core);
    }
    close(fd);
}

/* Open a core whose header is changed. */
static int status_of(const made_core *made)
{
    made_core copy = *made;
    js_core *core;
    int fd = made_file(&copy, 0);
    assert_int_equal(pwrite(fd, &made->head, 24, 0), 24);
    assert_int_equal(pwrite(fd, &made->head.e_phentsize, 2, offsetof(Elf64_Ehdr, e_phentsize)), 2);
    int status = js_core_create_fd(fd, &core);
    close(fd);
    js_core_destroy(core);
    return status;
}

static void test_what_is_no_core(void **state)
{
    (void)state;
    static made_core made;
    js_core *core;
    made_init(&made);
    assert_int_equal(status_of(&made), JS_OK);
    made.head.e_phentsize = 32;
    assert_int_equal(status_of(&made), JS_EBAD);
    made.head.e_machine = EM_S390;
    assert_int_equal(status_of(&made), JS_EUNSUP);
    made.head.e_type = ET_DYN;
    assert_int_equal(status_of(&made), JS_EARG);
    made.head.e_ident[EI_CLASS] = ELFCLASS32;
    assert_int_equal(status_of(&made), JS_EUNSUP);
    made.head.e_ident[0] = 'x';
    assert_int_equal(status_of(&made), JS_ENOTFOUND);
    assert_int_equal(js_core_create("/proc/self/exe", &core), JS_EARG);
    assert_null(core);
    assert_int_equal(js_core_create("/nowhere/at/all", &core), JS_ESYS);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(js_core_create("/", &core), JS_ESYS);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(js_core_create("/dev/zero", &core), JS_ESYS);
    assert_int_equal(js_core_create_fd(-1, &core), JS_ESYS);
    js_core_destroy(NULL);
}

/* ---- mapped files ---- */

typedef struct made_mapping {
    uint64_t start, end, page;
    const char *path;
} made_mapping;

static void add_mappings(made_core *made, const made_mapping *mappings, uint64_t count)
{
    uint8_t note[2048];
    uint64_t head[2] = {count, PAGE};
    size_t at = sizeof head;
    memcpy(note, head, sizeof head);
    for (uint64_t i = 0; i < count; i++, at += 24) {
        memcpy(note + at, &mappings[i], 24);
    }
    for (uint64_t i = 0; i < count; i++) {
        size_t size = strlen(mappings[i].path) + 1;
        memcpy(note + at, mappings[i].path, size);
        at += size;
    }
    made_note(made, NT_FILE, note, at);
}

/* A program of two read-only pages and a writable one, as it is in the file "program". */
static uint8_t program[3 * PAGE];

static void make_program(const char *path)
{
    Elf64_Ehdr head = {.e_type = ET_DYN,
                       .e_machine = EM_X86_64,
                       .e_phoff = sizeof head,
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 3};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    Elf64_Phdr parts[] = {
        {.p_type = PT_LOAD, .p_filesz = 2 * PAGE, .p_memsz = 2 * PAGE, .p_flags = PF_R | PF_X},
        {.p_type = PT_LOAD,
         .p_offset = 2 * PAGE,
         .p_vaddr = 3 * PAGE,
         .p_filesz = PAGE,
         .p_memsz = PAGE,
         .p_flags = PF_R | PF_W},
        {.p_type = PT_NOTE, .p_offset = 0x200, .p_filesz = 24},
    };
    Elf64_Nhdr note = {.n_namesz = 4, .n_descsz = 8, .n_type = NT_GNU_BUILD_ID};
    for (size_t i = 0; i < sizeof program; i++) {
        program[i] = (uint8_t)(i / 5);
    }
    memcpy(program, &head, sizeof head);
    memcpy(program + sizeof head, parts, sizeof parts);
    memcpy(program + 0x200, &note, sizeof note);
    memcpy(program + 0x200 + sizeof note, "GNU\0identity", 12);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(program, 1, sizeof program, file), sizeof program);
    fclose(file);
}

static const char *made_path(void **state)
{
    return *state;
}

static int set_up(void **state)
{
    char *path = strdup("/tmp/jitscope-core-XXXXXX");
    int fd = mkstemp(path);
    close(fd);
    *state = path;
    return fd < 0;
}

static int tear_down(void **state)
{
    unlink(*state);
    free(*state);
    return 0;
}

/* Make a core that holds the program's first page and leaves out the others. */
static js_core *core_of(const char *path, uint64_t held)
{
    static made_core made;
    uint64_t auxiliary[] = {AT_PHDR, CODE + 0x40, AT_NULL, 0};
    const made_mapping mappings[] = {
        {CODE, CODE + 2 * PAGE, 0, path},
        {CODE + 3 * PAGE, CODE + 4 * PAGE, 2, path},
        {STACK, STACK + PAGE, 0, "/dev/zero (deleted)"},
    };
    made_init(&made);
    made_note(&made, NT_AUXV, auxiliary, sizeof auxiliary);
    add_mappings(&made, mappings, 3);
    made_segment(&made, CODE, 2 * PAGE, program, held, PF_R | PF_X);
    made_segment(&made, CODE + 3 * PAGE, PAGE, program, 0, PF_R); /* relocated, then read-only */
    return made_open(&made);
}

static void expect_missing(js_core *core, const char *path, js_core_reason reason)
{
    js_core_missing_file *missing;
    size_t count;
    assert_int_equal(js_core_missing(core, &missing, &count), JS_OK);
    assert_int_equal(count, 1);
    assert_string_equal(missing[0].path, path);
    assert_int_equal(missing[0].reason, reason);
    js_free(missing);
}

static void test_pages_of_the_same_file(void **state)
{
    make_program(made_path(state));
    for (int is_held = 1; is_held >= 0; is_held--) { /* without its first page, size and time are the proof */
        js_core *core = core_of(made_path(state), is_held ? PAGE : 0);
        js_bytes *bytes = js_core_bytes(core);
        uint8_t out[2 * PAGE];
        js_core_missing_file *missing;
        size_t count;
        assert_int_equal(js_bytes_read(bytes, CODE, out, 2 * PAGE), JS_OK);
        assert_memory_equal(out, program, 2 * PAGE);
        assert_int_equal(js_bytes_read(bytes, CODE + 3 * PAGE, out, 1), JS_EFAULT); /* it was written to */
        assert_int_equal(js_bytes_read(bytes, CODE + 2 * PAGE, out, 1), JS_EFAULT);
        char text[200];
        snprintf(text, sizeof text, "the core leaves it out, and %s may differ from the memory there",
                 made_path(state));
        expect_text(core, CODE + 3 * PAGE, text);
        assert_int_equal(js_core_missing(core, &missing, &count), JS_OK);
        assert_int_equal(count, 0);
        js_free(missing);
        assert_string_equal(js_core_executable(core), made_path(state));
        const js_core_file *files = js_core_files(core, &count);
        assert_int_equal(count, 2);
        assert_int_equal(files[0].start, CODE);
        assert_string_equal(js_core_file_name(&files[0]), made_path(state) + 5);
        int fd;
        assert_int_equal(js_core_file_open(core, &files[0], &fd), JS_OK);
        assert_int_equal(pread(fd, out, 16, 0), 16);
        assert_memory_equal(out, program, 16);
        close(fd);
        assert_int_equal(js_core_mappings(core, &count)[1].offset, 2 * PAGE);
        assert_int_equal(count, 3);
        js_core_destroy(core);
    }
}

/* The loader has mapped the file whole, so that what lies between two parts is a mapping of the file, too. */
static void test_a_hole_between_two_parts(void **state)
{
    static made_core made;
    uint64_t auxiliary[] = {AT_PHDR, CODE + 0x40, AT_NULL, 0};
    js_core_missing_file *missing;
    size_t count;
    uint8_t out[PAGE];
    for (int is_shifted = 0; is_shifted < 2; is_shifted++) { /* a part that is elsewhere is another file's */
        const made_mapping mappings[] = {
            {CODE, CODE + 2 * PAGE, 0, made_path(state)},
            {CODE + 2 * PAGE, CODE + 3 * PAGE, 2, made_path(state)},
            {CODE + 3 * PAGE, CODE + 4 * PAGE, is_shifted ? 1 : 2, made_path(state)},
        };
        make_program(made_path(state));
        made_init(&made);
        made_note(&made, NT_AUXV, auxiliary, sizeof auxiliary);
        add_mappings(&made, mappings, 3);
        made_segment(&made, CODE, 2 * PAGE, program, 0, PF_R | PF_X);
        js_core *core = made_open(&made);
        assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, out, PAGE),
                         is_shifted ? JS_EFAULT : JS_OK);
        if (is_shifted) {
            expect_missing(core, made_path(state), JS_CORE_UNPROVEN);
        } else {
            assert_memory_equal(out, program + PAGE, PAGE);
            assert_int_equal(js_core_missing(core, &missing, &count), JS_OK);
            assert_int_equal(count, 0);
            js_free(missing);
        }
        js_core_destroy(core);
    }
}

static void test_pages_of_another_file(void **state)
{
    const char *path = made_path(state);
    uint8_t byte;
    char text[200];
    make_program(path);
    js_core *core = core_of(path, PAGE);
    program[0x200 + 16]++; /* the build-id */
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(program, 1, sizeof program, file), sizeof program);
    fclose(file);
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_EFAULT);
    expect_missing(core, path, JS_CORE_DIFFERENT);
    snprintf(text, sizeof text, "the core leaves it out, and %s is another file here", path);
    expect_text(core, CODE + PAGE, text);
    js_core_destroy(core);

    make_program(path);
    core = core_of(path, 0);
    const struct timespec later[2] = {{.tv_sec = time(NULL) + 1000}, {.tv_sec = time(NULL) + 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, later, 0), 0); /* newer than the core */
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE, &byte, 1), JS_EFAULT);
    expect_missing(core, path, JS_CORE_UNPROVEN);
    js_core_destroy(core);

    for (off_t size = sizeof program - 1; size >= 0; size -= PAGE - 1) {
        core = core_of(path, PAGE); /* the build-id is the same, but the end is missing */
        assert_int_equal(truncate(path, size), 0);
        expect_missing(core, path, JS_CORE_NO_OBJECT);
        js_core_destroy(core);
    }

    core = core_of(path, PAGE);
    unlink(path);
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE, &byte, 1), JS_OK); /* the core holds it */
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_EFAULT);
    expect_missing(core, path, JS_CORE_ABSENT);
    js_core_destroy(core);
}

static void test_a_deleted_file(void **state)
{
    const char *path = made_path(state);
    char named[200];
    uint8_t byte;
    snprintf(named, sizeof named, "%s (deleted)", path);
    make_program(path); /* the build-id proves that what is there now is the same */
    js_core *core = core_of(named, PAGE);
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_OK);
    js_core_destroy(core);
    core = core_of(named, 0);
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_EFAULT);
    expect_missing(core, path, JS_CORE_DELETED);
    js_core_destroy(core);
}

static void test_files_of_another_machine(void **state)
{
    char root[] = "/tmp/jitscope-root-XXXXXX", folder[64], inner[200];
    const char *path = made_path(state); /* in /tmp */
    uint8_t byte;
    assert_non_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/tmp", root);
    snprintf(inner, sizeof inner, "%s%s", root, path);
    assert_int_equal(mkdir(folder, 0700), 0);
    make_program(inner);
    js_core *core = core_of(path, PAGE); /* the file that is there is empty */
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_EFAULT);
    expect_missing(core, path, JS_CORE_NO_OBJECT);
    assert_int_equal(js_core_set_root(core, root), JS_OK);
    assert_int_equal(js_bytes_read(js_core_bytes(core), CODE + PAGE, &byte, 1), JS_OK);
    assert_int_equal(byte, program[PAGE]);
    assert_int_equal(js_core_set_root(core, "/nowhere/at/all"), JS_OK);
    expect_missing(core, path, JS_CORE_ABSENT);
    assert_int_equal(js_core_set_root(core, ""), JS_OK);
    expect_missing(core, path, JS_CORE_NO_OBJECT);
    js_core_destroy(core);
    unlink(inner);
    rmdir(folder);
    rmdir(root);
}

static void test_texts(void **state)
{
    (void)state;
    for (int status = JS_OK; status >= JS_EBUSY; status--) {
        assert_true(strlen(js_core_status_text(status)) > 0);
    }
    assert_string_equal(js_core_status_text(JS_ENOMEM), "out of memory");
    assert_string_equal(js_core_status_text(JS_OK), "is a core file");
    assert_string_equal(js_core_status_text(JS_ELIMIT),
                        "is damaged: it has more segments, threads or notes than a process can have");
    assert_string_equal(js_core_reason_text(JS_CORE_DELETED),
                        "was deleted or replaced while the program ran");
    assert_string_equal(js_core_reason_text(JS_CORE_UNPROVEN), "may be another file here");
    assert_string_equal(js_core_reason_text(JS_CORE_NO_OBJECT), "is no complete program or library");
    for (int reason = JS_CORE_PRESENT; reason <= JS_CORE_NO_OBJECT; reason++) {
        assert_string_not_equal(js_core_reason_text((js_core_reason)reason), "is not known");
    }
    assert_string_equal(js_core_reason_text((js_core_reason)99), "is not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory_and_what_a_truncated_core_lacks),
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_more_segments_than_the_header_counts),
        cmocka_unit_test(test_what_is_no_core),
        cmocka_unit_test_setup_teardown(test_pages_of_the_same_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_hole_between_two_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pages_of_another_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_deleted_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_of_another_machine, set_up, tear_down),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
