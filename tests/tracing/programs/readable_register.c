/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload: a processor whose events user space can read. Register 77 shows 10 more at each
 * reading, and its event had counted 1000 before. No processor has such a register: the instruction that
 * reads it raises a signal, whose handler takes the processor's place. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { REGISTER = 77, LENGTH_OF_RDPMC = 2 };
static uint64_t shown;
static uint64_t asked; /* readings by a system call */
static int file = -1;  /* of the event that was opened last */

#ifdef __x86_64__
static void readRegister(int signal, siginfo_t* info, void* context) {
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    const unsigned char* code = (const unsigned char*)registers[REG_RIP];
    (void)info;
    if (code[0] != 0x0f || code[1] != 0x33 || registers[REG_RCX] != REGISTER) {
        struct sigaction usual = {0};
        usual.sa_handler = SIG_DFL;
        sigaction(signal, &usual, NULL);
        return;
    }
    shown += 10;
    registers[REG_RAX] = (greg_t)(shown & 0xFFFFFFFF);
    registers[REG_RDX] = (greg_t)(shown >> 32);
    registers[REG_RIP] += LENGTH_OF_RDPMC;
}

static void becomeTheProcessor(void) {
    struct sigaction action = {0};
    action.sa_sigaction = readRegister;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
}
#else
static void becomeTheProcessor(void) {}
#endif

static int openEvent(void) {
    struct perf_event_mmap_page page;
    memset(&page, 0, sizeof page);
    page.index = REGISTER + 1;
    page.offset = 1000;
    page.cap_user_rdpmc = 1;
    page.pmc_width = 48;
    becomeTheProcessor();
    file = memfd_create("event with a register", MFD_CLOEXEC);
    if (write(file, &page, sizeof page) != sizeof page) return -1;
    return file;
}

long syscall(long number, ...) {
    static long (*next)(long, ...);
    long a[6];
    va_list list;
    int i;
    va_start(list, number);
    for (i = 0; i < 6; ++i) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_perf_event_open && ((const struct perf_event_attr*)a[0])->type == PERF_TYPE_HARDWARE)
        return openEvent();
    if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Number of values, time enabled, time running, value. */
ssize_t read(int from, void* to, size_t size) {
    static ssize_t (*next)(int, void*, size_t);
    const uint64_t values[4] = {1, 1000, 1000, 0};
    if (next == NULL) next = (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
    if (size != sizeof values || ++asked > 1) return next(from, to, size);
    memcpy(to, values, size);
    return (ssize_t)size;
}
