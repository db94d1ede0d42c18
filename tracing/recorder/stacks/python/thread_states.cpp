// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/thread_states.h"

#include <pthread.h>

#include "tracing/recorder/stacks/python/memory.h"

namespace holos::tracing::stacks::python {

std::span<const std::uint64_t> ThreadStates::find(const Interpreter& interpreter) noexcept {
    constexpr std::size_t kMostLooked = 512;  // one that is changed may lead round in circles
    const Layout& layout = interpreter.layout;
    const auto self = static_cast<std::uint64_t>(::pthread_self());
    Memory memory(Memory::Trust::None);
    std::size_t looked = 0;
    std::size_t found = 0;
    std::uint64_t one = 0;
    std::uint64_t thread = 0;
    std::uint64_t id = 0;
    if (!memory.read(interpreter.runtime + layout.runtime.interpreters, one)) return {};
    for (; one != 0 && looked < kMostLooked; ++looked) {
        if (!memory.read(one + layout.interpreter.threads, thread)) break;
        for (; thread != 0 && looked < kMostLooked; ++looked) {
            if (!memory.read(thread + layout.thread.threadId, id)) break;
            if (id == self && found < kMost) states_[found++] = thread;
            if (!memory.read(thread + layout.thread.next, thread)) break;
        }
        if (!memory.read(one + layout.interpreter.next, one)) break;
    }
    return {states_.data(), found};
}

}  // namespace holos::tracing::stacks::python
