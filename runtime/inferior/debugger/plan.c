/* Prepares a start of GDB: finds the program, and copies its arguments and environment. */
#include "debugger/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jitscope.h"

extern char **environ;

enum { TIMEOUT_MS = 30000, MAX_ARGUMENTS = 1000 };

static char *script; /* handshake.py; set once, before the first attach */

int jitscope_set_script(const char *path)
{
    char *copy = path ? strdup(path) : NULL;
    if (!copy) {
        return JITSCOPE_ESYSTEM;
    }
    script = copy; /* the previous one is not freed: another thread may be using it, and this happens once */
    return 0;
}

/* True if the argument gives GDB a command to run. Source: GDB manual, "Choosing Files". */
static bool is_command(const char *argument)
{
    static const char *const options[] = {"-ex",           "-x",           "-batch", "-command",
                                          "-eval-command", "-batch-silent"};
    const char *name = argument[0] == '-' && argument[1] == '-' ? argument + 1 : argument;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        size_t length = strlen(options[i]);
        if (strncmp(name, options[i], length) == 0 && (name[length] == '\0' || name[length] == '=')) {
            return true;
        }
    }
    return false;
}

static bool is_program(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode) && access(path, X_OK) == 0;
}

/* Return the first program of this name on PATH, to be freed; NULL: there is none. */
static char *find_on_path(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *start = path ? path : "/usr/local/bin:/usr/bin:/bin"; start;) {
        const char *end = strchr(start, ':');
        int length = end ? (int)(end - start) : (int)strlen(start);
        char *candidate;
        if (asprintf(&candidate, "%.*s/%s", length ? length : 1, length ? start : ".", name) < 0) {
            return NULL;
        }
        if (is_program(candidate)) {
            return candidate;
        }
        free(candidate);
        start = end ? end + 1 : NULL;
    }
    return NULL;
}

static int find_gdb(attach_plan *plan)
{
    static const char *const variables[] = {"JITSCOPE_GDB", "NUMBA_GDB_BINARY"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *named = getenv(variables[i]);
        if (!named || !*named) {
            continue;
        }
        plan->gdb = strchr(named, '/') ? strdup(named) : find_on_path(named);
        if (!plan->gdb || access(plan->gdb, F_OK) != 0) {
            snprintf(plan->message, sizeof(plan->message),
                     "jitscope: %s names %s, which %s; the program goes on without a debugger", variables[i],
                     named, strchr(named, '/') ? "does not exist" : "is not on PATH");
            return JITSCOPE_EGDB;
        }
        return 0;
    }
    plan->gdb = find_on_path("gdb");
    if (!plan->gdb) {
        snprintf(plan->message, sizeof(plan->message),
                 "jitscope: gdb is not on PATH: install it (Debian: apt-get install gdb), set JITSCOPE_GDB "
                 "to its path, or start the program in LLDB, where it stops here; the program goes on "
                 "without a debugger");
        return JITSCOPE_EGDB;
    }
    return 0;
}

static int make_arguments(attach_plan *plan, const char *const *arguments, uint32_t flags)
{
    size_t count = 0, at = 0;
    while (arguments && arguments[count]) {
        if (++count > MAX_ARGUMENTS) {
            return JITSCOPE_ESYSTEM;
        }
    }
    plan->argv = calloc(count + 5, sizeof(plan->argv[0]));
    if (!plan->argv) {
        return JITSCOPE_ESYSTEM;
    }
    plan->argv[at++] = strdup(plan->gdb);
    if (!(flags & JITSCOPE_BANNER)) {
        plan->argv[at++] = strdup("-q");
    }
    plan->argv[at++] = strdup("-ex");
    if (asprintf(&plan->argv[at++], "source %s", script) < 0) {
        plan->argv[at - 1] = NULL;
        return JITSCOPE_ESYSTEM;
    }
    for (size_t i = 0; i < count; i++) {
        plan->commands = plan->commands || is_command(arguments[i]);
        plan->argv[at++] = strdup(arguments[i]);
    }
    for (size_t i = 0; i < at; i++) {
        if (!plan->argv[i]) {
            return JITSCOPE_ESYSTEM;
        }
    }
    return 0;
}

/* Copy this environment without the variables of this Python: GDB has a Python of another version. */
static int make_environment(attach_plan *plan)
{
    size_t count = 0, at = 0;
    while (environ && environ[count]) {
        count++;
    }
    plan->envp = calloc(count + 2, sizeof(plan->envp[0]));
    if (!plan->envp) {
        return JITSCOPE_ESYSTEM;
    }
    plan->envp[at++] = plan->handshake;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "PYTHON", 6) != 0 && !(plan->envp[at++] = strdup(environ[i]))) {
            return JITSCOPE_ESYSTEM;
        }
    }
    return 0;
}

static int32_t timeout(void)
{
    const char *text = getenv("JITSCOPE_ATTACH_TIMEOUT"); /* seconds */
    double seconds = text ? strtod(text, NULL) : 0;
    return seconds > 0 && seconds < 1e6 ? (int32_t)(seconds * 1000) : TIMEOUT_MS;
}

int plan_init(attach_plan *plan, const char *const *arguments, int32_t wait_ms, uint32_t flags)
{
    *plan = (attach_plan){.wait_ms = wait_ms, .timeout_ms = timeout()};
    int status = JITSCOPE_ESYSTEM;
    if (!script) {
        snprintf(plan->message, sizeof(plan->message),
                 "jitscope: nobody has called jitscope_set_script; the program goes on without a debugger");
    } else {
        status = find_gdb(plan);
        if (!status) {
            status = make_arguments(plan, arguments, flags);
        }
        if (!status) {
            status = make_environment(plan);
        }
        if (status && !plan->message[0]) {
            snprintf(plan->message, sizeof(plan->message),
                     "jitscope: no memory to start GDB; the program goes on without a debugger");
        }
    }
    if (status) {
        plan_deinit(plan);
    }
    return status;
}

void plan_deinit(attach_plan *plan)
{
    for (size_t i = 0; plan->argv && plan->argv[i]; i++) {
        free(plan->argv[i]);
    }
    for (size_t i = 0; plan->envp && plan->envp[i]; i++) {
        if (plan->envp[i] != plan->handshake) {
            free(plan->envp[i]);
        }
    }
    free(plan->argv);
    free(plan->envp);
    free(plan->gdb);
    plan->argv = plan->envp = NULL;
    plan->gdb = NULL;
}
