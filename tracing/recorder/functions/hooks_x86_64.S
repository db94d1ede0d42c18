/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions call that were instrumented after inlining: where they begin, before their arguments are used,
   and at their end, when their result, or the arguments of a jump to another function, are in their places.
   All registers but the flags are kept.

   On entry: 0(%rsp) is where the call returns to, in the function; 8(%rsp) is where the function returns to.
   Its frame is told as HOLOS_OWN_FRAME of a function that it called. */
	.text

	/* Saved: the general registers of which C functions keep nothing, and %rbp for the stack's alignment. */
	.macro	SAVE_GENERAL
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	andq	$-16, %rsp
	.endm

	.macro	RESTORE_GENERAL
	leaq	-72(%rbp), %rsp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.endm

	/* Calls a function with the arguments of ARGUMENTS_OF_..., all other registers saved: 512 bytes for
	   fxsave, 2688 for the parts of xsave that are used, whose header has to be zero. */
	.macro	CALL_SLOWLY arguments, function
	movl	vectorState(%rip), %eax
	cmpl	$-1, %eax
	jne	1f
	call	holosVectorState
	movl	%eax, vectorState(%rip)
1:	subq	$2752, %rsp
	andq	$-64, %rsp
	xorl	%edx, %edx
	testl	%eax, %eax
	jz	2f
	movq	%rdx, 512(%rsp)
	movq	%rdx, 520(%rsp)
	movq	%rdx, 528(%rsp)
	movq	%rdx, 536(%rsp)
	movq	%rdx, 544(%rsp)
	movq	%rdx, 552(%rsp)
	movq	%rdx, 560(%rsp)
	movq	%rdx, 568(%rsp)
	xsave64	(%rsp)
	fninit
	\arguments
	call	\function
	movl	vectorState(%rip), %eax
	xorl	%edx, %edx
	xrstor64 (%rsp)
	jmp	3f
2:	fxsave64 (%rsp)
	fninit
	\arguments
	call	\function
	fxrstor64 (%rsp)
3:
	.endm

	.macro	BEGIN_ARGUMENTS
	movq	8(%rbp), %rdi
	movq	%rbp, %rsi
	.endm

	.macro	END_ARGUMENTS
	movq	%rbp, %rdi
	.endm

	.p2align 4
	.globl	holos_function_begin
	.type	holos_function_begin, @function
holos_function_begin:
	SAVE_GENERAL
	BEGIN_ARGUMENTS
	call	holosBeginQuickly
	testb	%al, %al
	jnz	4f
	CALL_SLOWLY BEGIN_ARGUMENTS, holosBeginSlowly
4:	RESTORE_GENERAL
	.size	holos_function_begin, .-holos_function_begin

	.p2align 4
	.globl	holos_function_end
	.type	holos_function_end, @function
holos_function_end:
	SAVE_GENERAL
	END_ARGUMENTS
	call	holosEndQuickly
	testb	%al, %al
	jnz	4f
	CALL_SLOWLY END_ARGUMENTS, holosEndSlowly
4:	RESTORE_GENERAL
	.size	holos_function_end, .-holos_function_end

	.data
	.p2align 2
vectorState:
	.long	-1

	.section .note.GNU-stack, "", @progbits
