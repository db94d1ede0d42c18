/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without MPI and OpenMP that ends in the way its argument says. */
#include <holos/holos.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int times) {
    int i;
    for (i = 0; i < times; ++i) {
        HOLOS_REGION_BEGIN(region, "work");
        HOLOS_REGION_END(region);
    }
}

static void* threadWork(void* times) {
    work(*(int*)times);
    return NULL;
}

static void runThreads(void) {
    pthread_t threads[3];
    int times = 10;
    int i;
    for (i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, threadWork, &times);
    for (i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int isReady = 0;

static void* makeReady(void* unused) {
    pthread_mutex_lock(&mutex);
    isReady = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* The other thread locks the mutex while this one waits. */
static void waitForCondition(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, makeReady, NULL);
    while (!isReady) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static volatile int lateThreadWorks = 0;

static void* workForever(void* unused) {
    (void)unused;
    for (;;) {
        work(1);
        lateThreadWorks = 1;
    }
    return NULL;
}

/* The thread is still at work when main returns. */
static void startLateThread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, workForever, NULL);
    pthread_detach(thread);
    while (!lateThreadWorks) usleep(100);
}

static void* exitHere(void* status) {
    work(10);
    exit(*(int*)status);
}

static void exitInThread(void) {
    pthread_t thread;
    int status = 9;
    pthread_create(&thread, NULL, exitHere, &status);
    pthread_join(thread, NULL);
}

/* The child ends as programs do, with its exit handlers. */
static void forkAndExit(void) {
    const pid_t child = fork();
    if (child == 0) {
        runThreads();
        work(1000);
        exit(0);
    }
    waitpid(child, NULL, 0);
    work(50);
}

static void runChild(const char* program) {
    const pid_t child = fork();
    if (child == 0) {
        work(1000); /* of a forked process: nobody's events */
        if (program != NULL) execl(program, program, "exit", (char*)NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Until the events were written three times. Its own files get the same number all the time. */
static void waitForSyncs(const char* notes) {
    int number = -1;
    int rounds = 0;
    while (rounds < 3) {
        static char line[4096];
        FILE* file = fopen(notes, "r");
        rounds = 0;
        if (file == NULL) continue;
        if (number >= 0 && fileno(file) != number) exit(3);
        number = fileno(file);
        while (fgets(line, sizeof line, file) != NULL)
            if (strstr(line, "/events") != NULL) ++rounds;
        fclose(file);
    }
}

static void end(const char* way, const char* program) {
    if (strcmp(way, "kill") == 0) raise(SIGKILL);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "exit") == 0) exit(7);
    if (strcmp(way, "_exit") == 0) _exit(8);
    if (strcmp(way, "quick_exit") == 0) quick_exit(9);
    if (strcmp(way, "threads") == 0) runThreads();
    if (strcmp(way, "condition") == 0) waitForCondition();
    if (strcmp(way, "fork") == 0) runChild(NULL);
    if (strcmp(way, "exec") == 0) runChild(program);
    if (strcmp(way, "fork and exit") == 0) forkAndExit();
    if (strcmp(way, "late thread") == 0) startLateThread();
    if (strcmp(way, "exit in thread") == 0) exitInThread();
    if (strcmp(way, "many") == 0) work(200000);
    if (strcmp(way, "syncs") == 0) waitForSyncs(getenv("NOTED_SYNCS"));
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "return";
    HOLOS_REGION_BEGIN(main_region, "main");
    printf("output of %s\n", way);
    fflush(stdout);
    work(100);
    end(way, argv[0]);
    HOLOS_REGION_END(main_region);
    return 0;
}
