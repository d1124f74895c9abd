#include "system/signals.h"

#include <signal.h>
#include <stddef.h>

void signals_reset(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &action, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
