/* SPDX-License-Identifier: BSD-3-Clause */
/* `threads.c` by the functions of C11. Each kind of mutex can be waited for, tried, and waited for until a
 * time. */
#include <stddef.h>
#include <threads.h>
#include <time.h>

enum { kLeft = 7 };

static mtx_t mutex, held;
static cnd_t condition;
static int isReady = 0;

static int work(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    isReady = 1;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
    thrd_exit(kLeft);
}

static int fails(void* unused) {
    (void)unused;
    const struct timespec early = {0, 0};
    return mtx_trylock(&held) == thrd_busy && mtx_timedlock(&held, &early) == thrd_timedout ? kLeft : 0;
}

static int joined(thrd_t thread) {
    int left = 0;
    return thrd_join(thread, &left) == thrd_success && left == kLeft;
}

int main(void) {
    thrd_t thread;
    if (mtx_init(&mutex, mtx_plain) != thrd_success || mtx_init(&held, mtx_timed) != thrd_success) return 1;
    if (cnd_init(&condition) != thrd_success || mtx_trylock(&held) != thrd_success) return 1;
    if (thrd_create(&thread, fails, NULL) != thrd_success || !joined(thread)) return 1;
    mtx_lock(&mutex);
    if (thrd_create(&thread, work, NULL) != thrd_success) return 1;
    while (!isReady) cnd_wait(&condition, &mutex);
    mtx_unlock(&mutex);
    return !joined(thread);
}
