/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload: a processor that counts two of its events at a time. A group of more is never
 * counted; single ones take turns. An event counts 100 a reading while it is counted, which is half of the
 * time where it takes turns. */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "perf_calls.h"

enum { REGISTERS = 2, MOST_GROUP = 8 };
static const char kName[] = "/memfd:made-up event";

/* What is in the file of an event. */
struct Event {
    uint64_t readings, members;
};

static int isMadeUp(int file) {
    char link[64], name[64] = "";
    const char digits[] = "0123456789";
    size_t end = strlen(strcpy(link, "/proc/self/fd/"));
    int place = 1;
    while (file / place >= 10) place *= 10;
    for (; place > 0; place /= 10) link[end++] = digits[file / place % 10];
    link[end] = '\0';
    return file >= 0 && readlink(link, name, sizeof name - 1) > 0 &&
           strncmp(name, kName, sizeof kName - 1) == 0;
}

static int openEvent(int leader) {
    struct Event event = {0, 1};
    const int file = memfd_create("made-up event", MFD_CLOEXEC);
    pwrite(file, &event, sizeof event, 0);
    if (leader < 0) return file;
    pread(leader, &event, sizeof event, 0);
    ++event.members;
    pwrite(leader, &event, sizeof event, 0);
    return file;
}

/* Number of values, time enabled, time running, values. */
ssize_t read(int file, void* to, size_t size) {
    uint64_t values[3 + MOST_GROUP];
    struct Event event;
    uint64_t i;
    if (!isMadeUp(file)) return readOfTheLibrary(file, to, size);
    pread(file, &event, sizeof event, 0);
    ++event.readings;
    pwrite(file, &event, sizeof event, 0);
    values[0] = event.members;
    values[1] = 1000 * event.readings;
    values[2] = event.members > REGISTERS ? 0 : event.members > 1 ? values[1] : values[1] / 2;
    for (i = 0; i < MOST_GROUP; ++i) values[3 + i] = event.members > REGISTERS ? 0 : 100 * event.readings;
    memcpy(to, values, size);
    return (ssize_t)size;
}
