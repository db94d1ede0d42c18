/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits until somebody writes to the first file, touches pages in two functions of its first thread, in a
 * thread and in a child, and then writes to the second file. Has no frame pointers. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPage = 4096 };

__attribute__((noinline)) static long touch(long pages) {
    char* const memory =
        mmap(NULL, (size_t)pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, (size_t)pages * kPage, MADV_NOHUGEPAGE);
    for (long i = 0; i < pages; ++i) memory[i * kPage] = 1;
    munmap(memory, (size_t)pages * kPage);
    return pages;
}

__attribute__((noinline)) static long many(void) {
    return touch(3000) + 1;
}

__attribute__((noinline)) static long few(void) {
    return touch(1000) + 1;
}

static void* in_thread(void* unused) {
    touch(2000);
    return unused;
}

static void wait_for(const char* name) {
    char one = 0;
    const int file = open(name, O_RDONLY);
    if (file < 0 || read(file, &one, 1) < 0) exit(1);
    close(file);
}

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    wait_for(argv[1]);
    const long touched = many() + few();
    pthread_t thread;
    pthread_create(&thread, NULL, &in_thread, NULL);
    pthread_join(thread, NULL);
    const pid_t child = fork();
    if (child == 0) _exit(touch(500) == 500 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    printf("%ld pages, child %d\n", touched, status);
    fflush(stdout);
    const int file = open(argv[2], O_WRONLY);
    return file < 0 || write(file, "x", 1) != 1;
}
