/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread leaves in keys is destroyed as it ends, in regions. One of the destructors leaves a value
 * once more, so that it is called again behind all others. */
#include <holos/holos.h>
#include <pthread.h>
#include <stddef.h>

enum { kKeys = 20 };
static pthread_key_t early[kKeys], late[kKeys], again;

static void destroy(void* value) {
    (void)value;
    HOLOS_REGION_BEGIN(region, "destroy");
    HOLOS_REGION_END(region);
}

static void destroyTwice(void* value) {
    HOLOS_REGION_BEGIN(region, "destroy twice");
    HOLOS_REGION_END(region);
    if (value != (void*)&again) pthread_setspecific(again, &again);
}

static void* work(void* keys) {
    for (int i = 0; i < kKeys; ++i) pthread_setspecific(((pthread_key_t*)keys)[i], keys);
    pthread_setspecific(again, keys);
    return NULL;
}

static int runWith(pthread_key_t* keys) {
    pthread_t thread;
    for (int i = 0; i < kKeys; ++i)
        if (pthread_key_create(&keys[i], destroy) != 0) return 0;
    return pthread_create(&thread, NULL, work, keys) == 0 && pthread_join(thread, NULL) == 0;
}

int main(void) {
    if (pthread_key_create(&again, destroyTwice) != 0) return 1;
    return runWith(early) && runWith(late) ? 0 : 2;
}
