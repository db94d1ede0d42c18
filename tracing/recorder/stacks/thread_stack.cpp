// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/thread_stack.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "tracing/recorder/core/thread.h"

/// The dynamic linker's: where the stack of the first thread begins.

extern "C" void* __libc_stack_end __attribute__((weak));

namespace holos::tracing::stacks {
namespace {

/// More than that below its start the first thread's stack may be other memory.
constexpr std::uint64_t kMostOfFirst = std::uint64_t{128} << 20U;

code::Stack firstThreadsStack() noexcept {
    rlimit limit{};
    ::getrlimit(RLIMIT_STACK, &limit);
    const auto high = reinterpret_cast<std::uint64_t>(__libc_stack_end);
    return {high - std::min<std::uint64_t>(limit.rlim_cur, kMostOfFirst), high};
}

/// The C library allocates memory of the program's heap for this.
code::Stack stackByTheLibrary() noexcept {
    pthread_attr_t attributes;
    code::Stack stack;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return stack;
    void* low = nullptr;
    std::size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &low, &size) == 0)
        stack = {reinterpret_cast<std::uint64_t>(low), reinterpret_cast<std::uint64_t>(low) + size};
    ::pthread_attr_destroy(&attributes);
    return stack;
}

}  // namespace

std::size_t stackBytesOf(const pthread_attr_t* attributes) noexcept {
    std::size_t bytes = 0;
    if (attributes != nullptr && ::pthread_attr_getstacksize(attributes, &bytes) == 0) return bytes;
    pthread_attr_t usual;
    if (::pthread_attr_init(&usual) != 0) return 0;
    ::pthread_attr_getstacksize(&usual, &bytes);
    ::pthread_attr_destroy(&usual);
    return bytes;
}

code::Stack stackOfThread(std::size_t bytes) noexcept {
    // The C library keeps what it knows of a thread above its stack, in the same piece of memory.
    const auto self = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
    if (bytes != 0) return {self - bytes, self};
    const bool isFirst = ::getpid() == ::gettid() && &__libc_stack_end != nullptr;
    return isFirst ? firstThreadsStack() : stackByTheLibrary();
}

}  // namespace holos::tracing::stacks
