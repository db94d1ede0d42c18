/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight threads, each joined as soon as it is made, before it need have begun. The next one may have its id.
 */
#include <pthread.h>
#include <stddef.h>

static void* idle(void* unused) {
    return unused;
}

int main(void) {
    for (int i = 0; i < 8; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, idle, NULL) != 0) return 1;
        pthread_join(thread, NULL);
    }
}
