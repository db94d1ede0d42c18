/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload stands between a program and the kernel's performance events: what it defines here
 * as openEvent is called for an event of hardware, everything else goes to the C library. */
#pragma once
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The file of a new event in the group of the event in the file leader, or by itself where that is -1. */
static int openEvent(int leader);

long syscall(long number, ...) {
    static long (*next)(long, ...);
    long a[6];
    va_list list;
    int i;
    va_start(list, number);
    for (i = 0; i < 6; ++i) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_perf_event_open && ((const struct perf_event_attr*)a[0])->type == PERF_TYPE_HARDWARE)
        return openEvent((int)a[3]);
    if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static ssize_t readOfTheLibrary(int file, void* to, size_t size) {
    static ssize_t (*next)(int, void*, size_t);
    if (next == NULL) next = (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
    return next(file, to, size);
}
