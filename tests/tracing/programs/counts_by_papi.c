/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by PAPI itself, as PAPI's documentation shows it: fails where one of its calls does, or counts
 * something else than what `made_up_papi.cpp` says. */
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int result, const char* call) {
    if (result == PAPI_OK) return;
    fprintf(stderr, "%s: %s\n", call, PAPI_strerror(result));
    exit(1);
}

static void* count(void* unused) {
    int set = PAPI_NULL;
    long long values[2] = {0, 0}, sums[2] = {0, 0};
    check(PAPI_register_thread(), "PAPI_register_thread");
    check(PAPI_create_eventset(&set), "PAPI_create_eventset");
    check(PAPI_add_named_event(set, "PAPI_TOT_CYC"), "PAPI_add_named_event");
    check(PAPI_add_named_event(set, "PAPI_TOT_INS"), "PAPI_add_named_event");
    check(PAPI_start(set), "PAPI_start");
    check(PAPI_accum(set, sums), "PAPI_accum");
    check(PAPI_accum(set, sums), "PAPI_accum");
    check(PAPI_read(set, values), "PAPI_read");
    check(PAPI_stop(set, values), "PAPI_stop");
    check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
    check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
    if (sums[0] != 200 || sums[1] != 400 || values[0] != 200 || values[1] != 400) {
        fprintf(stderr, "counted %lld %lld %lld %lld\n", sums[0], sums[1], values[0], values[1]);
        exit(1);
    }
    return unused;
}

int main(void) {
    pthread_t other;
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) return 1;
    check(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
    count(NULL);
    pthread_create(&other, NULL, &count, NULL);
    pthread_join(other, NULL);
    puts("counted");
    return 0;
}
