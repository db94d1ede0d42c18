/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a folder its root folder, there becomes `/inside` (`become FOLDER`) or starts it: in a child of fork
   or vfork, by posix_spawn, or as the shell of system or popen (`fork FOLDER`, ...). That one is this
   program, too, compiled with INSIDE and linked statically: it succeeds when nothing is to be preloaded. Ends
   with 77 where the root folder cannot be another one. */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef INSIDE
int main(void) {
    const char* const preloaded = getenv("LD_PRELOAD");
    return preloaded != 0 && *preloaded != 0;
}
#else
static char* names[] = {"inside", 0};

static void become(void) {
    execl("/inside", "inside", (char*)0);
    _exit(4);
}

static int started(const char* how) {
    int status = 0;
    pid_t child = 0;
    if (strcmp(how, "system") == 0) return system("inside");
    if (strcmp(how, "popen") == 0) return pclose(popen("inside", "r"));
    if (strcmp(how, "spawn") == 0 && posix_spawn(&child, "/inside", 0, 0, names, environ) != 0) return 5;
    if (strcmp(how, "fork") == 0 && (child = fork()) == 0) become();
    if (strcmp(how, "vfork") == 0 && (child = vfork()) == 0) become();
    return waitpid(child, &status, 0) == child ? status : 3;
}

int main(int count, char** words) {
    if (count != 3) return 2;
    usleep(20000); /* an event */
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0) return 77;
    if (chroot(words[2]) != 0 || chdir("/") != 0) return 77;
    if (strcmp(words[1], "become") == 0) become();
    return started(words[1]) != 0;
}
#endif
