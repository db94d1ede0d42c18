/* SPDX-License-Identifier: BSD-3-Clause */
/* constrained_program REGIONS WHEN RESOURCE LIMIT: says all that it finds of its surroundings, works, and
 * says it again. The limit is there when the program begins (WHEN is `before`), or from the first work on
 * (`later`). What others may see must be the same with and without the recorder, whose own variables are left
 * out. `traps` is no resource: from then on an inexact result ends the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <holos/holos.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static const struct {
    const char* name;
    int number;
} resources[] = {
    {"AS", RLIMIT_AS},
    {"CORE", RLIMIT_CORE},
    {"CPU", RLIMIT_CPU},
    {"DATA", RLIMIT_DATA},
    {"FSIZE", RLIMIT_FSIZE},
    {"MEMLOCK", RLIMIT_MEMLOCK},
    {"MSGQUEUE", RLIMIT_MSGQUEUE},
    {"NICE", RLIMIT_NICE},
    {"NOFILE", RLIMIT_NOFILE},
    {"NPROC", RLIMIT_NPROC},
    {"RSS", RLIMIT_RSS},
    {"RTPRIO", RLIMIT_RTPRIO},
    {"RTTIME", RLIMIT_RTTIME},
    {"SIGPENDING", RLIMIT_SIGPENDING},
    {"STACK", RLIMIT_STACK},
};
enum { kResources = sizeof resources / sizeof resources[0] };

static void limitResource(const char* name, const char* most) {
    int i;
    for (i = 0; i < kResources; ++i)
        if (strcmp(resources[i].name, name) == 0) {
            struct rlimit limit;
            getrlimit(resources[i].number, &limit);
            limit.rlim_cur = strtoul(most, NULL, 10);
            if (setrlimit(resources[i].number, &limit) != 0) exit(77);
            /* The system's administrator may have as many processes as there are. */
            if (resources[i].number == RLIMIT_NPROC && geteuid() == 0 && setuid(65534) != 0) exit(77);
        }
}

static int isOfRecorder(const char* variable) {
    return strncmp(variable, "HOLOS_", 6) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0 ||
           strncmp(variable, "ASAN_OPTIONS=", 13) == 0 || strncmp(variable, "KOKKOS_TOOLS_LIBS=", 18) == 0 ||
           strncmp(variable, "NVTX_INJECTION64_PATH=", 22) == 0 ||
           strncmp(variable, "INTEL_LIBITTNOTIFY64=", 21) == 0;
}

static int compareTexts(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static void sayEnvironment(void) {
    static char* all[10000];
    size_t n = 0;
    size_t i;
    for (i = 0; environ[i] != NULL && n < 10000; ++i)
        if (!isOfRecorder(environ[i])) all[n++] = environ[i];
    qsort(all, n, sizeof all[0], compareTexts);
    for (i = 0; i < n; ++i) printf("variable %s\n", all[i]);
}

static void sayDescriptors(void) {
    int i;
    for (i = 0; i < 4096; ++i) {
        struct stat facts;
        const int flags = fcntl(i, F_GETFD);
        if (flags >= 0 && fstat(i, &facts) == 0)
            printf("descriptor %d flags %d status %d type %o\n", i, flags, fcntl(i, F_GETFL),
                   facts.st_mode & S_IFMT);
    }
}

static void saySet(const char* what, const sigset_t* set) {
    int i;
    printf("%s", what);
    for (i = 1; i < NSIG; ++i)
        if (sigismember(set, i) == 1) printf(" %d", i);
    printf("\n");
}

static void saySignals(void) {
    sigset_t set;
    int i;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    saySet("blocked", &set);
    sigpending(&set);
    saySet("pending", &set);
    for (i = 1; i < NSIG; ++i) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0 && (action.sa_handler != SIG_DFL || action.sa_flags != 0))
            printf("signal %d ignored %d flags %x\n", i, action.sa_handler == SIG_IGN,
                   (unsigned)action.sa_flags);
    }
}

static void sayLimits(void) {
    int i;
    for (i = 0; i < kResources; ++i) {
        struct rlimit limit;
        getrlimit(resources[i].number, &limit);
        printf("limit %s %llu %llu\n", resources[i].name, (unsigned long long)limit.rlim_cur,
               (unsigned long long)limit.rlim_max);
    }
}

static void sayTimers(void) {
    int i;
    for (i = ITIMER_REAL; i <= ITIMER_PROF; ++i) {
        struct itimerval timer;
        getitimer(i, &timer);
        printf("timer %d %ld\n", i, (long)timer.it_value.tv_sec);
    }
}

static void sayProcess(void) {
    char folder[4096];
    char name[17] = "";
    cpu_set_t processors;
    const mode_t mask = umask(0);
    umask(mask);
    prctl(PR_GET_NAME, name);
    CPU_ZERO(&processors);
    sched_getaffinity(0, sizeof processors, &processors);
    printf("folder %s mask %o name %s\n", getcwd(folder, sizeof folder), mask, name);
    printf("group %d session %d\n", getpgrp() == getpgid(getppid()), getsid(0) == getsid(getppid()));
    printf("nice %d scheduler %d processors %d\n", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0),
           CPU_COUNT(&processors));
    printf("dumpable %d privileges %d sandbox %d slack %d\n", prctl(PR_GET_DUMPABLE),
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_SECCOMP), prctl(PR_GET_TIMERSLACK));
    errno = 0;
    printf("children %d", (int)waitpid(-1, NULL, WNOHANG));
    printf(" error %d\n", errno);
    printf("rounding %d exceptions %d locale %s\n", fegetround(), fetestexcept(FE_ALL_EXCEPT),
           setlocale(LC_ALL, NULL));
}

static void sayAll(void) {
    sayEnvironment();
    sayDescriptors();
    saySignals();
    sayLimits();
    sayTimers();
    sayProcess();
    fflush(stdout);
}

static void work(int times) {
    int i;
    for (i = 0; i < times; ++i) {
        HOLOS_REGION_BEGIN(region, "work");
        HOLOS_REGION_END(region);
    }
}

static void* threadWork(void* unused) {
    work(10);
    return unused;
}

static int createImpossibleThread(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    int error;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 60);
    error = pthread_create(&thread, &attributes, threadWork, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* What it may do, and which numbers it gets. */
static void useResources(void) {
    pthread_t thread;
    const int file = open("/dev/null", O_RDWR);
    const int created = pthread_create(&thread, NULL, threadWork, NULL);
    void* const memory = malloc(1 << 20);
    printf("file %d thread %d memory %d\n", file, created, memory != NULL);
    if (created == 0) pthread_join(thread, NULL);
    printf("impossible thread %d\n", createImpossibleThread());
    free(memory);
    if (file >= 0) close(file);
}

static void runShell(void) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "ulimit -a; umask; trap; exit 3", (char*)NULL);
        _exit(127);
    }
    printf("forked %d\n", child > 0);
    if (child > 0) waitpid(child, &status, 0);
    printf("shell %x\n", (unsigned)status);
}

int main(int argc, char** argv) {
    const int error = errno;
    if (argc != 5) return 2;
    if (strcmp(argv[2], "before") == 0) {
        limitResource(argv[3], argv[4]);
        execl(argv[0], argv[0], argv[1], "limited", argv[3], argv[4], (char*)NULL);
        return 126;
    }
    printf("error %d\n", error);
    sayAll();
    if (strcmp(argv[2], "later") == 0) {
        work(1);
        limitResource(argv[3], argv[4]);
    }
    if (strcmp(argv[3], "traps") == 0) feenableexcept(FE_ALL_EXCEPT);
    work(atoi(argv[1]));
    useResources();
    fflush(stdout);
    runShell();
    if (strcmp(argv[3], "CPU") == 0)
        for (;;) continue;
    sayAll();
    return 5;
}
