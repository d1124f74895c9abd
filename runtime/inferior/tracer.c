#include "tracer.h"

#include <stdlib.h>
#include <string.h>

#include "jitscope.h"
#include "lines.h"

/* Source: proc(5), /proc/PID/status. Both processes are in the target's PID namespace, or 0 stands there. */
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

bool tracer_is_gdb(int pid, char *name, size_t size)
{
    char path[64];
    line_text line;
    line_init(&line, path, sizeof(path));
    line_add(&line, "/proc/");
    line_add_number(&line, pid);
    line_add(&line, "/comm");
    long length = line_read_file(path, name, size);
    if (length <= 0) {
        name[0] = '\0';
        return true; /* a process that cannot be looked at: take it for the debugger that it most likely is */
    }
    if (name[length - 1] == '\n') {
        name[length - 1] = '\0';
    }
    return strstr(name, "gdb") || strstr(name, "lldb");
}
