/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled by `holos cc` for x86-64: whether what it calls at start and end of functions changes a register.
 */
#include <stdio.h>
#include <string.h>

/* rax, rcx, rdx, rsi, rdi, r8 to r11, rbp, and a number that is not used; the vector registers; st(0). */
struct registers {
    unsigned long general[10];
    unsigned char vectors[16][32];
    unsigned char number[16];
};

/* Fill the registers, call what instrumented functions call, and look at them. */
void at_begin(const struct registers* before, struct registers* after);
void at_end(const struct registers* before, struct registers* after);
void at_begin_with_avx(const struct registers* before, struct registers* after);
void at_end_with_avx(const struct registers* before, struct registers* after);

__asm__(
    "    .macro each_vector operation, register, to_memory\n"
    "    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
    "    .if \\to_memory\n"
    "    \\operation %\\register\\i, 80+32*\\i(%rdi)\n"
    "    .else\n"
    "    \\operation 80+32*\\i(%rdi), %\\register\\i\n"
    "    .endif\n"
    "    .endr\n"
    "    .endm\n"
    "    .macro probe name, called, operation, register\n"
    "    .globl \\name\n"
    "    .type \\name, @function\n"
    "\\name:\n"
    "    pushq %rbp\n"
    "    pushq %rsi\n"
    "    each_vector \\operation, \\register, 0\n"
    "    fldt 592(%rdi)\n"
    "    movq 0(%rdi), %rax\n"
    "    movq 8(%rdi), %rcx\n"
    "    movq 16(%rdi), %rdx\n"
    "    movq 24(%rdi), %rsi\n"
    "    movq 40(%rdi), %r8\n"
    "    movq 48(%rdi), %r9\n"
    "    movq 56(%rdi), %r10\n"
    "    movq 64(%rdi), %r11\n"
    "    movq 72(%rdi), %rbp\n"
    "    movq 32(%rdi), %rdi\n"
    "    call \\called\n"
    "    xchgq %rdi, (%rsp)\n"
    "    movq %rax, 0(%rdi)\n"
    "    movq %rcx, 8(%rdi)\n"
    "    movq %rdx, 16(%rdi)\n"
    "    movq %rsi, 24(%rdi)\n"
    "    movq %r8, 40(%rdi)\n"
    "    movq %r9, 48(%rdi)\n"
    "    movq %r10, 56(%rdi)\n"
    "    movq %r11, 64(%rdi)\n"
    "    movq %rbp, 72(%rdi)\n"
    "    popq %rax\n"
    "    movq %rax, 32(%rdi)\n"
    "    each_vector \\operation, \\register, 1\n"
    "    fstpt 592(%rdi)\n"
    "    popq %rbp\n"
    "    ret\n"
    "    .size \\name, .-\\name\n"
    "    .endm\n"
    "    .text\n"
    "    probe at_begin, __holos_begin, movups, xmm\n"
    "    probe at_end, __holos_end, movups, xmm\n"
    "    probe at_begin_with_avx, __holos_begin, vmovups, ymm\n"
    "    probe at_end_with_avx, __holos_end, vmovups, ymm\n");

static int differences(const struct registers* a, const struct registers* b, const char* where) {
    size_t i;
    int count = 0;
    for (i = 0; i < sizeof *a; ++i)
        if (((const char*)a)[i] != ((const char*)b)[i] && count++ == 0)
            printf("%s changed byte %d of the registers\n", where, (int)i);
    return count != 0;
}

int main(void) {
    struct registers before;
    struct registers after;
    const int has_avx = __builtin_cpu_supports("avx");
    long double number = 1.25L;
    int failed = 0;
    int i;
    memset(&before, 0, sizeof before);
    for (i = 0; i < 592; ++i) ((unsigned char*)&before)[i] = (unsigned char)(i * 7 + 3);
    if (!has_avx)
        for (i = 0; i < 16; ++i) memset(before.vectors[i] + 16, 0, 16);
    memcpy(before.number, &number, 10);
    for (i = 0; i < 5; ++i) {
        memset(&after, 0, sizeof after);
        (has_avx ? at_begin_with_avx : at_begin)(&before, &after);
        failed += differences(&before, &after, "the start");
        memset(&after, 0, sizeof after);
        (has_avx ? at_end_with_avx : at_end)(&before, &after);
        failed += differences(&before, &after, "the end");
    }
    return failed;
}
