/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that runs itself in every way that there is, each time in a child whose LD_PRELOAD names another
 * library (`ways`), or whose environment is empty (`bare`), or becomes itself as another user, itself or in a
 * child (`user NUMBER`, `user's child NUMBER`), or under a umask that takes everything away (`umask`), or has
 * a child in a namespace of process numbers of its own (`numbers`; 77 where it may not).
 * `reached`: enters a region. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <holos/holos.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* path;
static char* words[] = {"other_programs", "reached", NULL};

static void execve_(void) {
    execve(path, words, environ);
}
static void execv_(void) {
    execv(path, words);
}
static void execvp_(void) {
    execvp(path, words);
}
static void execvpe_(void) {
    execvpe(path, words, environ);
}
static void execl_(void) {
    execl(path, words[0], words[1], (char*)NULL);
}
static void execlp_(void) {
    execlp(path, words[0], words[1], (char*)NULL);
}
static void execle_(void) {
    execle(path, words[0], words[1], (char*)NULL, environ);
}
static void fexecve_(void) {
    fexecve(open(path, O_RDONLY), words, environ);
}
static void execveat_(void) {
    execveat(AT_FDCWD, path, words, environ, 0);
}
static void posix_spawn_(void) {
    pid_t child;
    if (posix_spawn(&child, path, NULL, NULL, words, environ) == 0) _exit(waitpid(child, NULL, 0) != child);
}
static void posix_spawnp_(void) {
    pid_t child;
    if (posix_spawnp(&child, path, NULL, NULL, words, environ) == 0) _exit(waitpid(child, NULL, 0) != child);
}

static int enter(void) {
    HOLOS_REGION_BEGIN(region, "reached");
    HOLOS_REGION_END(region);
    return 0;
}

static int runInEveryWay(void) {
    void (*const ways[])(void) = {execve_, execv_,   execvp_,   execvpe_,     execl_,       execlp_,
                                  execle_, fexecve_, execveat_, posix_spawn_, posix_spawnp_};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            ways[i]();
            _exit(1);
        }
        int status = 1;
        if (waitpid(child, &status, 0) != child || status != 0) return 1;
    }
    return 0;
}

int main(int count, char** all) {
    (void)count;
    path = "/proc/self/exe";
    char own[4096] = {0};
    if (readlink("/proc/self/exe", own, sizeof own - 1) > 0) path = own;
    if (strcmp(all[1], "reached") == 0) return enter();
    if (strcmp(all[1], "ways") == 0) return setenv("LD_PRELOAD", "libm.so.6", 1) != 0 || runInEveryWay();
    if (strcmp(all[1], "umask") == 0) umask(0777);
    enter();
    if (strcmp(all[1], "bare") == 0) {
        static char* none[] = {NULL};
        environ = none;
        return runInEveryWay();
    }
    if (strcmp(all[1], "numbers") == 0) {
        if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return 77;
        if (fork() == 0) exit(0);
        return wait(NULL) < 0;
    }
    if (strncmp(all[1], "user", 4) == 0 && setuid((uid_t)atoi(all[2])) != 0) return 1;
    if (strcmp(all[1], "user's child") == 0 && fork() != 0) return wait(NULL) < 0;
    execv(path, words);
    return 1;
}
