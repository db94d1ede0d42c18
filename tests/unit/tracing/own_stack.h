// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <cstdint>

#include "tracing/recorder/stacks/walk/stack_walk.h"

namespace holos::tracing::stacks {

/// The stack of the calling thread.
inline code::Stack ownStack() {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    ::pthread_getattr_np(::pthread_self(), &attributes);
    ::pthread_attr_getstack(&attributes, &low, &size);
    ::pthread_attr_destroy(&attributes);
    return {reinterpret_cast<std::uint64_t>(low), reinterpret_cast<std::uint64_t>(low) + size};
}

}  // namespace holos::tracing::stacks
