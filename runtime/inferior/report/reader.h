/* Starts the program that reads the copy of this process and writes the report. Async-signal-safe. */
#ifndef JITSCOPE_READER_H
#define JITSCOPE_READER_H

#include <stdint.h>
#include <sys/types.h>

/* The program, and its words and environment, which end in NULL. */
typedef struct reader_command {
    const char *path;
    char *const *argv, *const *envp;
    int output; /* the file that is its standard output and error; -1: none */
} reader_command;

/* Start it with the socket as its standard input, and no other file but its outputs. It is ended when the
 * calling thread ends. Returns its number, whose end __WALL waits for, or -errno. */
pid_t reader_start(const reader_command *command, int socket);
/* Wait for its end, until `until` (clock_ms()), and end it then. Returns its status (wait(2)), or -1: it has
 * taken too long. */
int reader_wait(pid_t pid, int64_t until);

#endif
