/* Names a second: js_name_init against __cxa_demangle, in turn, on the symbols of a file (one a line).
 *     names_rate FILE ROUNDS MINIMUM-NAMES
 * prints one line a round: seconds of ours, seconds of theirs, names of each. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/names/names.h"

typedef char *(*demangle_fn)(const char *, char *, size_t *, int *);

/* Seconds of processor time. */
static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void ours(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        js_name name;
        if (js_name_init(&name, names[i], strlen(names[i])) < 0) {
            abort();
        }
        js_name_deinit(&name);
    }
}

static void theirs(demangle_fn demangle, char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int status;
        free(demangle(names[i], NULL, NULL, &status));
    }
}

int main(int argc, char **argv)
{
    static char line[65536];
    static char *names[65536];
    void *library = dlopen("libstdc++.so.6", RTLD_NOW);
    demangle_fn demangle = NULL;
    if (library) {
        *(void **)&demangle = dlsym(library, "__cxa_demangle");
    }
    FILE *file = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        return 2;
    }
    size_t count = 0;
    while (count < sizeof names / sizeof *names && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        names[count++] = strdup(line);
    }
    fclose(file);
    size_t repeats = strtoul(argv[3], NULL, 10) / (count ? count : 1) + 1;
    int rounds = atoi(argv[2]);
    for (int round = 0; round <= rounds; round++) {
        double spent[2] = {0, 0};
        for (size_t i = 0; i < repeats; i++) {
            double start = now();
            ours(names, count);
            double middle = now();
            if (demangle) {
                theirs(demangle, names, count);
            }
            spent[0] += middle - start;
            spent[1] += now() - middle;
        }
        if (round) { /* the first warms up */
            printf("%.9f %.9f %zu\n", spent[0], demangle ? spent[1] : 0, repeats * count);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    return 0;
}
