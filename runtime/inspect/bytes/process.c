/* Reads facts about a process from /proc. */
#include "bytes/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int js_process_file(const char *path, size_t size, char *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return JS_ENOTFOUND;
    }
    size_t length = 0;
    while (length < size - 1) {
        ssize_t got = read(fd, out + length, size - 1 - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            close(fd);
            return JS_ENOTFOUND;
        }
        if (got == 0) {
            break;
        }
        length += (size_t)got;
    }
    close(fd);
    out[length] = 0;
    if (length && out[length - 1] == '\n') {
        out[length - 1] = 0;
    }
    return JS_OK;
}

/* Return what follows "KEY:\t" at the beginning of a line, or NULL. */
static const char *find_line(const char *status, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = status; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == ':') {
            return line + length + 1;
        }
    }
    return NULL;
}

pid_t js_process_own_id(pid_t pid, pid_t thread)
{
    char path[64], status[8192];
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)thread);
    const char *ids = js_process_file(path, sizeof status, status) ? NULL : find_line(status, "NSpid");
    long id = 0;
    for (const char *at = ids; at && *at == '\t';) { /* one for each namespace, the innermost last */
        char *end;
        id = strtol(at, &end, 10);
        at = end;
    }
    return (pid_t)id;
}

static uint64_t read_number(const char *status, const char *key, int base)
{
    const char *text = find_line(status, key);
    return text ? strtoull(text, NULL, base) : 0;
}

static void read_ids(const char *status, const char *key, uint32_t ids[JS_IDS])
{
    const char *text = find_line(status, key);
    for (int i = 0; text && i < JS_IDS; i++) {
        char *end;
        ids[i] = (uint32_t)strtoul(text, &end, 10);
        text = end;
    }
}

static void read_name(const char *status, char *name, size_t size)
{
    const char *text = find_line(status, "Name");
    size_t length = 0;
    for (text += text && *text == '\t'; text && *text && *text != '\n' && length < size - 1; text++) {
        name[length++] = *text >= ' ' && *text <= '~' ? *text : '?';
    }
    name[length] = 0;
}

static const char *path_of(const char *proc, pid_t pid, const char *file, size_t size, char *out)
{
    if (pid) {
        snprintf(out, size, "%s/%d%s", proc, (int)pid, file);
    } else {
        snprintf(out, size, "%s/self%s", proc, file);
    }
    return out;
}

int js_process_read(const char *proc, pid_t pid, js_process *out)
{
    *out = (js_process){0};
    char path[512], status[8192];
    if (js_process_file(path_of(proc, pid, "/status", sizeof path, path), sizeof status, status) < 0) {
        return JS_ENOTFOUND;
    }
    const char *state = find_line(status, "State");
    if (!state || !find_line(status, "Pid")) {
        return JS_EBAD;
    }
    out->pid = (pid_t)read_number(status, "Pid", 10);
    out->group = (pid_t)read_number(status, "Tgid", 10);
    out->parent = (pid_t)read_number(status, "PPid", 10);
    out->tracer = (pid_t)read_number(status, "TracerPid", 10);
    read_name(status, out->name, sizeof out->name);
    out->state = state[strspn(state, "\t ")];
    out->has_memory = find_line(status, "VmSize") != NULL;
    read_ids(status, "Uid", out->uid);
    read_ids(status, "Gid", out->gid);
    out->permitted = read_number(status, "CapPrm", 16);
    out->effective = read_number(status, "CapEff", 16);
    out->seccomp = (int)read_number(status, "Seccomp", 10);
    out->no_new_privs = read_number(status, "NoNewPrivs", 10) != 0;
    struct stat file;
    if (stat(path, &file) < 0) {
        return JS_ENOTFOUND;
    }
    out->owner = file.st_uid;
    path_of(proc, pid, "/ns/user", sizeof path, path);
    out->user_namespace = stat(path, &file) == 0 ? file.st_ino : 0;
    path_of(proc, pid, "/uid_map", sizeof path, path);
    if (js_process_file(path, sizeof out->user_map, out->user_map) < 0) {
        out->user_map[0] = 0;
    }
    path_of(proc, pid, "/attr/current", sizeof path, path);
    if (js_process_file(path, sizeof out->label, out->label) < 0) {
        out->label[0] = 0;
    }
    return JS_OK;
}
