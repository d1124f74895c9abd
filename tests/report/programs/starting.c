/* A thread that C code starts, and what it does: overflow its stack, or write to address 8 when it ends. */
#include <pthread.h>

static pthread_key_t key;

static int deeper(int number)
{
    volatile char room[512];
    room[0] = (char)number;
    return number < 0 ? 0 : deeper(number + 1) + room[0];
}

static void *overflow(void *argument)
{
    return (void *)(long)deeper(*(int *)argument);
}

static void end(void *argument)
{
    *(volatile int *)8 = *(int *)argument;
}

static void *leave(void *argument)
{
    pthread_setspecific(key, argument);
    return 0;
}

static void start(void *(*routine)(void *))
{
    int one = 1;
    pthread_t thread;
    if (pthread_create(&thread, 0, routine, &one) == 0) {
        pthread_join(thread, 0);
    }
}

void start_overflow(void)
{
    start(overflow);
}

void start_leave(void)
{
    if (pthread_key_create(&key, end) == 0) {
        start(leave);
    }
}
