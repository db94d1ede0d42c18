// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/mixed_stack.h"

#include <pthread.h>

#include <utility>

#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/python/functions.h"

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

namespace {

/// Whether a thread's state is the calling thread's: otherwise it is not where this recorder takes it to be.
bool isOwn(const Interpreter& interpreter, std::uint64_t thread) noexcept {
    Memory memory(Memory::Trust::None);
    std::uint64_t id = 0;
    return memory.read(thread + interpreter.layout.thread.threadId, id) &&
           id == static_cast<std::uint64_t>(::pthread_self());
}

}  // namespace

void MixedStack::begin(const Interpreter* interpreter, const code::Stack& stack,
                       Memory::Trust trust) noexcept {
    count_ = 0;
    functions_.begin();
    parts_.end();
    others_.end();
    hasStates_ = false;
    stack_ = stack;
    isInterrupted_ = trust == Memory::Trust::None;
    memory_ = Memory(trust);
    interpreter_ = interpreter;
    if (interpreter_ == nullptr) return;
    const auto thread = reinterpret_cast<std::uint64_t>(interpreter_->ownThread());
    if (thread == 0) return;
    if (thread != checkedThread_ && !isOwn(*interpreter_, thread)) return;
    checkedThread_ = thread;
    parts_.begin(*interpreter_, thread, stack, memory_);
}

/// False where there is nothing in it.
bool MixedStack::addPart(FrameParts& parts) noexcept {
    const auto part = parts.take();
    for (const RunningCode& one : part)
        if (const std::uint64_t call = functions_.callOf(one, *interpreter_, memory_)) put(call);
    return !part.empty();
}

/// Looks for a state of the thread by which that call of the interpreter's loop runs functions.
bool MixedStack::findOthers(const NativeFunction& function) noexcept {
    if (!std::exchange(hasStates_, true)) states_ = threadStates_.find(*interpreter_);
    for (const std::uint64_t state : states_) {
        if (state == checkedThread_) continue;
        memory_ = Memory(Memory::Trust::None);
        others_.begin(*interpreter_, state, stack_, memory_);
        if (others_.isWithinLoop(function.low, function.high)) return true;
    }
    others_.end();
    return false;
}

/// False where none is known.
bool MixedStack::addPartOf(const NativeFunction& function) noexcept {
    const auto isWithin = [&](FrameParts& parts) {
        return function.owner == CodeOwner::InterpreterLoop
                   ? parts.isWithinLoop(function.low, function.high)
                   : isOfInterpreter(function.owner) && parts.isWithin(function.low, function.high);
    };
    if (isWithin(parts_)) return addPart(parts_);
    if (isWithin(others_)) return addPart(others_);
    const bool isLoop = function.owner == CodeOwner::InterpreterLoop && interpreter_ != nullptr;
    return isLoop && findOthers(function) && addPart(others_);
}

void MixedStack::add(const NativeFunction& function) noexcept {
    const bool isLoop = function.owner == CodeOwner::InterpreterLoop;
    if (addPartOf(function)) {
        isInterrupted_ = false;
        return;
    }
    // The innermost may have been interrupted before it began to run a function, or when that had ended.
    const bool isHidden =
        function.owner == CodeOwner::Interpreter || (isLoop && std::exchange(isInterrupted_, false));
    if (!isHidden) put(function.address);
}

PathNumber MixedStack::path(PathNumber root) noexcept {
    if (isFull()) root = kMoreCallers;
    const Unloadings::Moment now = unloadings.now();
    if (root != root_ || now != moment_ || !now.isQuiet()) lastCount_ = 0;
    root_ = root;
    moment_ = now;
    PathNumber path = root;
    bool isSame = true;
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint64_t address = calls_[count_ - 1 - i];
        isSame = isSame && i < lastCount_ && last_[i].address == address;
        path = isSame ? last_[i].path : pathBelow(path, address);
        last_[i] = {address, path};
    }
    lastCount_ = count_;
    return path;
}

MixedStack* makeMixedStack() noexcept {
    void* const memory = heap::allocate(sizeof(MixedStack));
    return memory != nullptr ? new (memory) MixedStack : nullptr;
}

void release(MixedStack* stack) noexcept {
    if (stack != nullptr) heap::release(stack);
}

}  // namespace holos::tracing::stacks::python
