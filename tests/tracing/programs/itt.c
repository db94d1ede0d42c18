/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that says what it does by ITT, with a part of the interface's layout of its own. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tool_library.h"

struct id {
    unsigned long long parts[3];
};
struct api {
    const char* name;
    void** function;
    void *first, *none;
    int group;
};
static void *threadName, *domainCreate, *textCreate, *taskBegin, *taskEnd, *frameBegin, *frameEnd,
    *overlappedBegin, *overlappedEnd, *counterCreate, *counterSet, *counterAdd, *metadata, *marker,
    *eventCreate, *eventStart, *eventEnd, *pauseAll, *resumeAll, *pauseScoped, *resumeScoped, *detach;
static void* unknown = &unknown;
static struct api functions[] = {{"__itt_domain_create", &domainCreate, NULL, NULL, 0},
                                 {"__itt_string_handle_create", &textCreate, NULL, NULL, 0},
                                 {"__itt_task_begin", &taskBegin, NULL, NULL, 0},
                                 {"__itt_task_end", &taskEnd, NULL, NULL, 0},
                                 {"__itt_frame_begin_v3", &frameBegin, NULL, NULL, 0},
                                 {"__itt_frame_end_v3", &frameEnd, NULL, NULL, 0},
                                 {"__itt_task_begin_overlapped", &overlappedBegin, NULL, NULL, 0},
                                 {"__itt_task_end_overlapped", &overlappedEnd, NULL, NULL, 0},
                                 {"__itt_counter_create_typed", &counterCreate, NULL, NULL, 0},
                                 {"__itt_counter_set_value", &counterSet, NULL, NULL, 0},
                                 {"__itt_counter_inc_delta", &counterAdd, NULL, NULL, 0},
                                 {"__itt_metadata_add", &metadata, NULL, NULL, 0},
                                 {"__itt_marker", &marker, NULL, NULL, 0},
                                 {"__itt_event_create", &eventCreate, NULL, NULL, 0},
                                 {"__itt_event_start", &eventStart, NULL, NULL, 0},
                                 {"__itt_event_end", &eventEnd, NULL, NULL, 0},
                                 {"__itt_pause", &pauseAll, NULL, NULL, 0},
                                 {"__itt_resume", &resumeAll, NULL, NULL, 0},
                                 {"__itt_pause_scoped", &pauseScoped, NULL, NULL, 0},
                                 {"__itt_resume_scoped", &resumeScoped, NULL, NULL, 0},
                                 {"__itt_detach", &detach, NULL, NULL, 0},
                                 {"__itt_thread_set_name", &threadName, NULL, NULL, 0},
                                 {"__itt_of_the_future", &unknown, NULL, NULL, 0},
                                 {NULL, NULL, NULL, NULL, 0}};
static struct {
    unsigned char magic[8];
    unsigned long version[3];
    volatile long states[3];
    pthread_mutex_t mutex;
    void* library;
    void* errors;
    const char** path;
    struct api* functions;
} linked = {{0}, {3, 23, 0}, {0}, PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL, functions};

#define CALL(function, Type, ...) ((Type)function)(__VA_ARGS__)
typedef void (*onDomain)(void*);
typedef void (*onTask)(void*, struct id, struct id, void*);
typedef void (*onFrame)(void*, struct id*);
typedef void (*withNothing)(void);
typedef void (*withScope)(int);

/* A task of this name. */
static void runTask(void* domain, const char* text) {
    const struct id none = {{0, 0, 0}};
    CALL(taskBegin, onTask, domain, none, none, CALL(textCreate, void* (*)(const char*), text));
    CALL(taskEnd, onDomain, domain);
}

/* Tasks in pauses, and around their begins and ends. */
static void pauseAndResume(void* domain) {
    const struct id none = {{0, 0, 0}};
    CALL(pauseAll, withNothing);
    runTask(domain, "in a pause");
    CALL(taskBegin, onTask, domain, none, none, CALL(textCreate, void* (*)(const char*), "out of a pause"));
    CALL(resumeAll, withNothing);
    CALL(taskEnd, onDomain, domain);
    runTask(domain, "after a pause");
    CALL(pauseScoped, withScope, 2); /* of devices */
    runTask(domain, "on this machine");
    CALL(pauseScoped, withScope, 3);
    runTask(domain, "in another pause");
    CALL(resumeScoped, withScope, 1);
    CALL(taskBegin, onTask, domain, none, none, CALL(textCreate, void* (*)(const char*), "into a pause"));
    CALL(pauseAll, withNothing);
    CALL(taskEnd, onDomain, domain);
    CALL(resumeAll, withNothing);
    runTask(domain, "at last");
    CALL(detach, withNothing);
    runTask(domain, "after all");
}

int main(void) {
    const struct id none = {{0, 0, 0}}, one = {{1, 2, 3}};
    void* const init = toolFunction("INTEL_LIBITTNOTIFY64", "__itt_api_init");
    if (init == NULL) return 0;
    ((void (*)(void*, int))init)(&linked, -1);
    if (unknown != NULL) return 2;
    if (taskBegin == NULL) return 0; /* not wanted */
    void* const domain = CALL(domainCreate, void* (*)(const char*), "code");
    void* const name = CALL(textCreate, void* (*)(const char*), "task");
    void* const key = CALL(textCreate, void* (*)(const char*), "size");
    if (domain == NULL || name == NULL || *(int*)domain == 0) return 3;

    CALL(threadName, void (*)(const char*), "solver");
    CALL(frameBegin, onFrame, domain, NULL);
    CALL(taskBegin, onTask, domain, none, none, name);
    const int32_t size = -5;
    CALL(metadata, void (*)(void*, struct id, void*, int, size_t, const void*), domain, none, key, 4, 1,
         &size);
    CALL(taskEnd, onDomain, domain);
    CALL(frameEnd, onFrame, domain, NULL);
    CALL(taskEnd, onDomain, domain); /* none is open */

    CALL(overlappedBegin, onTask, domain, one, none, name);
    CALL(overlappedEnd, void (*)(void*, struct id), domain, one);

    void* const queue = CALL(counterCreate, void* (*)(const char*, const char*, int), "queue", "code", 8);
    const double length = 2.5;
    CALL(counterSet, void (*)(void*, const void*), queue, &length);
    void* const count = CALL(counterCreate, void* (*)(const char*, const char*, int), "count", NULL, 1);
    for (int i = 0; i < 2; ++i) CALL(counterAdd, void (*)(void*, unsigned long long), count, 3);

    CALL(marker, void (*)(void*, struct id, void*, int), domain, none, name, 1);
    const int event = CALL(eventCreate, int (*)(const char*, int), "event", 5);
    for (int i = 0; i < 2; ++i) CALL(eventStart, int (*)(int), event);
    CALL(eventEnd, int (*)(int), event);
    pauseAndResume(domain);
    return 0;
}
