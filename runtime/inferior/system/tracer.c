/* Finds the process that traces this one, and whether it is a debugger: jitscope_tracer. */
#include "system/tracer.h"

#include <stdlib.h>
#include <string.h>

#include "jitscope.h"
#include "system/lines.h"

/* Read TracerPid (proc(5), /proc/PID/status). The field is 0 unless both processes are in the target's PID
 * namespace. */
int jitscope_tracer(void)
{
    char status[4096];
    if (line_read_file("/proc/self/status", status, sizeof(status)) < 0) {
        return 0;
    }
    const char *found = strstr(status, "\nTracerPid:");
    if (!found) {
        return 0;
    }
    int pid = 0;
    for (found += strlen("\nTracerPid:"); *found == '\t' || *found == ' '; found++) {
    }
    for (; *found >= '0' && *found <= '9'; found++) {
        pid = pid * 10 + (*found - '0');
    }
    return pid;
}

/* Read a file of /proc/PID. */
static long read_of(int pid, const char *file, char *data, size_t size)
{
    char path[64];
    line_text line;
    line_init(&line, path, sizeof(path));
    line_add(&line, "/proc/");
    line_add_number(&line, pid);
    line_add(&line, file);
    return line_read_file(path, data, size);
}

static bool names_debugger(const char *name)
{
    return strstr(name, "gdb") || strstr(name, "lldb");
}

/* True if one of the command's words is a debugger's path. A program that is started by its own loader
 * (ld-linux-x86-64.so.2 --library-path … gdb …) has the loader's name. */
static bool loads_debugger(int pid)
{
    char words[1024];
    long length = read_of(pid, "/cmdline", words, sizeof(words));
    for (const char *word = words; length > 0 && word < words + length; word += strlen(word) + 1) {
        const char *slash = strrchr(word, '/');
        if (slash && names_debugger(slash + 1)) {
            return true;
        }
    }
    return false;
}

bool tracer_is_gdb(int pid, char *name, size_t size)
{
    long length = read_of(pid, "/comm", name, size);
    if (length <= 0) {
        name[0] = '\0';
        return true; /* the process cannot be looked at: it most likely is a debugger */
    }
    if (name[length - 1] == '\n') {
        name[length - 1] = '\0';
    }
    return names_debugger(name) || (strncmp(name, "ld-", 3) == 0 && loads_debugger(pid));
}
