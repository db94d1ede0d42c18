/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload: a processor whose events user space can read. Register 77 shows 10 more at each
 * reading, and its event had counted 1000 before. No processor has such a register: the instruction that
 * reads it raises a signal, whose handler takes the processor's place. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "perf_calls.h"

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

static int openEvent(int leader) {
    struct perf_event_mmap_page page;
    (void)leader;
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

/* Number of values, time enabled, time running, value. */
ssize_t read(int from, void* to, size_t size) {
    const uint64_t values[4] = {1, 1000, 1000, 0};
    if (size != sizeof values || ++asked > 1) return readOfTheLibrary(from, to, size);
    memcpy(to, values, size);
    return (ssize_t)size;
}
