// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/instrumentation/stubs.h"

namespace holos::instrumentation {

std::string_view stubs() {
    return R"(	.att_syntax
	.macro	holos.stub here, there
	.section	.text.\here,"axG",@progbits,\here,comdat
	.p2align 4
	.weak	\there
	.globl	\here
	.hidden	\here
	.type	\here, @function
\here:
	.cfi_startproc
	cmpq	$0, \there@GOTPCREL(%rip)
	jne	1f
	ret
1:	jmp	*\there@GOTPCREL(%rip)
	.cfi_endproc
	.size	\here, .-\here
	.endm
	holos.stub	__holos_begin, holos_function_begin
	holos.stub	__holos_end, holos_function_end
)";
}

}  // namespace holos::instrumentation
