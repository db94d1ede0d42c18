/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that makes it hard to keep files open, or to open some, as its argument says. Prints how many
   writes to a closed descriptor, or reads, went anywhere. */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user_regions.h"

static volatile int isDone = 0;
static long written = 0; /* or read */

/* Of whoever has the number 1 now. */
static void* writeToClosed(void* unused) {
    for (long i = 0; i < 100000 || !isDone; ++i)
        if (write(1, "bytes of the program\n", 21) > 0) ++written;
    return unused;
}

static void closeOutput(void) {
    pthread_t writer;
    close(1);
    pthread_create(&writer, NULL, writeToClosed, NULL);
    for (int i = 0; i < 10; ++i) {
        work(5000);
        nameRegions(500);
    }
    isDone = 1;
    pthread_join(writer, NULL);
}

static void* readFromClosed(void* unused) {
    char bytes[16];
    for (long i = 0; i < 100000 || !isDone; ++i)
        if (read(0, bytes, sizeof bytes) > 0) ++written;
    return unused;
}

/* Long enough for the recorder to want to know how such a thread was moved. */
static void* sleepAMoment(void* unused) {
    usleep(15000);
    return unused;
}

static void closeInput(void) {
    pthread_t reader, sleeper;
    close(0);
    pthread_create(&reader, NULL, readFromClosed, NULL);
    for (int i = 0; i < 30; ++i) {
        pthread_create(&sleeper, NULL, sleepAMoment, NULL);
        pthread_join(sleeper, NULL);
    }
    isDone = 1;
    pthread_join(reader, NULL);
}

static void closeAll(void) {
    for (int i = 0; i < 1024; ++i)
        if (i != 2) close(i);
    work(100000);
}

static void takeDescriptors(void) {
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    work(100000);
    nameRegions(1000);
    setrlimit(RLIMIT_NOFILE, &before);
    work(100000);
}

static void enterSandbox(unsigned whatOpeningDoes) {
    const struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, whatOpeningDoes),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], (struct sock_filter*)filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(77);
}

static void forbidOpening(void) {
    work(1000);
    enterSandbox(SECCOMP_RET_KILL_PROCESS);
    work(100000);
    nameRegions(1000);
}

static void* workInAThread(void* unused) {
    work(50000);
    return unused;
}

static void workInThreads(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, workInAThread, NULL);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

/* Until the file of events has all of them. */
static void waitForEvents(long bytes) {
    char pattern[4096];
    struct stat facts = {0};
    snprintf(pattern, sizeof pattern, "%s/*/events", getenv("HOLOS_RECORDING"));
    while (facts.st_size < bytes) {
        glob_t found;
        if (glob(pattern, 0, NULL, &found) == 0) stat(found.gl_pathv[0], &facts);
        globfree(&found);
        usleep(1000);
    }
}

/* What is recorded from now on goes to pages that were written to the disk already, which is full. */
static void fillTheDisk(void) {
    static const char block[1 << 20] = "full";
    char path[4096];
    snprintf(path, sizeof path, "%s.fill", getenv("HOLOS_RECORDING"));
    FILE* const file = fopen(path, "w");
    if (file == NULL || unlink(path) != 0) exit(3);
    for (size_t size = sizeof block; size > 0; size /= 2)
        while (write(fileno(file), block, size) > 0) continue;
    sync(); /* the file stays open until the end */
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "sandbox") == 0) {
        enterSandbox(SECCOMP_RET_ALLOW);
        execl(argv[0], argv[0], "many", (char*)NULL);
    }
    if (strcmp(way, "full disk") == 0) fillTheDisk();
    work(100);
    if (strcmp(way, "full disk") == 0) work(200000);
    if (strcmp(way, "closed output") == 0) closeOutput();
    if (strcmp(way, "closed input") == 0) closeInput();
    if (strcmp(way, "all closed") == 0) closeAll();
    if (strcmp(way, "no descriptors") == 0) takeDescriptors();
    if (strcmp(way, "no opening") == 0) forbidOpening();
    if (strcmp(way, "many") == 0) work(200000);
    if (strcmp(way, "very many") == 0) work(4000000);
    if (strcmp(way, "threads") == 0) workInThreads();
    if (strcmp(way, "kill when copied") == 0) {
        work(19900);
        waitForEvents(20000L * 2 * 2 * 8);
        raise(SIGKILL);
    }
    fprintf(stderr, "%ld writes\n", written);
    return 0;
}
