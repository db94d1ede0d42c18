// SPDX-License-Identifier: BSD-3-Clause
// The child of a vfork runs in the memory of its parent, as the thread that made it and on that thread's
// stack, until it runs another program or ends; the thread waits so long. What the child does is not the
// thread's: it is paused meanwhile. The function returns twice, which no C function can do: the second time
// its frame would be overwritten.
#include <cerrno>
#include <cstddef>

#include "tracing/recorder/core/thread.h"

#if defined(__x86_64__)

namespace {

using holos::tracing::core::Thread;
static_assert(offsetof(Thread, state) == 16 && Thread::kOnePause == 2, "as in the code below");

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) long holosVforkFailed(int error) noexcept {
    errno = error;
    return -1;
}

// The return address waits in a register, which the kernel keeps for each of the two.
__asm__(R"(
    .text
    .globl vfork
    .type vfork, @function
    .p2align 4
vfork:
    .cfi_startproc
    endbr64
    movq _ZN5holos7tracing4core10thisThreadE@gottpoff(%rip), %rsi
    addl $2, %fs:16(%rsi)
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax                # SYS_vfork
    syscall
    testq %rax, %rax
    jz 1f
    subl $2, %fs:16(%rsi)         # in the parent, or where there is no child
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
    cmpq $-4095, %rax
    jae 2f
    ret
1:  jmp *%rdi
2:  negl %eax
    movl %eax, %edi
    jmp holosVforkFailed
    .cfi_endproc
    .size vfork, . - vfork
)");

#endif
