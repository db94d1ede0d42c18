// SPDX-License-Identifier: BSD-3-Clause
#include "cli/roomy_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <cstddef>

namespace holos::cli {
namespace {

constexpr std::size_t kEnough = std::size_t{1} << 20;
constexpr std::size_t kRoom = std::size_t{8} << 20;
constexpr std::size_t kGuard = std::size_t{64} << 10;  // a multiple of every size of pages

/// A context's function takes no pointers.
struct {
    int (*command)(int, char**);
    int argc;
    char** argv;
    int result;
} call;

void runCall() {
    call.result = call.command(call.argc, call.argv);
}

bool isNarrow() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kEnough;
}

void giveThreadsRoom() {
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return;
    if (::pthread_attr_setstacksize(&attributes, kRoom) == 0) ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
}

/// Its lowest part cannot be written. Null where there is no memory.
void* makeStack() {
    void* const stack = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return nullptr;
    ::mprotect(stack, kGuard, PROT_NONE);
    return stack;
}

}  // namespace

int onRoomyStack(int (*command)(int, char**), int argc, char** argv) {
    if (!isNarrow()) return command(argc, argv);
    giveThreadsRoom();
    ucontext_t here;
    ucontext_t there;
    void* const stack = makeStack();
    if (stack == nullptr || ::getcontext(&there) != 0) return command(argc, argv);
    call = {command, argc, argv, 0};
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = kRoom;
    there.uc_link = &here;
    ::makecontext(&there, &runCall, 0);
    ::swapcontext(&here, &there);
    return call.result;
}

}  // namespace holos::cli
