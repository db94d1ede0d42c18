// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/frames.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace holos::tracing::stacks::python {
namespace {

/// The kernel reads a set of signals before it finds out that it does not know what to do with it.
bool canRead(std::uint64_t page) noexcept {
    constexpr int kNothingToDo = -1;
    constexpr std::size_t kSetBytes = 8;
    const int saved = errno;
    const long result = ::syscall(SYS_rt_sigprocmask, kNothingToDo, page, nullptr, kSetBytes);
    const bool canBeRead = result != 0 && errno == EINVAL;
    errno = saved;
    return canBeRead;
}

}  // namespace

bool Memory::areReadable(std::uint64_t address, std::uint64_t bytes) noexcept {
    for (std::uint64_t page = address & ~(kPage - 1); page < address + bytes; page += kPage) {
        if (std::find(pages_.begin(), pages_.end(), page) != pages_.end()) continue;
        if (!canRead(page)) return false;
        pages_[next_] = page;
        next_ = (next_ + 1) % pages_.size();
    }
    return true;
}

namespace {

/// More than the interpreter allows; what goes on further leads round in circles.
constexpr std::size_t kMostFrames = 1U << 20U;

/// References may have marks in their lowest bits (3.14).
constexpr std::uint64_t kMarks = 7;

}  // namespace

void FrameParts::begin(const Interpreter& interpreter, std::uint64_t thread, const code::Stack& stack,
                       Memory& memory) noexcept {
    const Layout& layout = interpreter.layout;
    interpreter_ = &interpreter;
    memory_ = &memory;
    stack_ = stack;
    isCut_ = false;
    end();
    std::uint64_t innermost = 0;
    if (!memory.read(thread + layout.thread.frames, innermost)) return;
    // What was read is the thread's as long as the interpreter did not begin to end before, and throw away
    // the states of all threads but one.
    std::atomic_thread_fence(std::memory_order_acquire);
    std::uint64_t endingThread = 0;
    if (!memory.read(interpreter.runtime + layout.runtime.finalizing, endingThread)) return;
    if (endingThread != 0 && endingThread != thread) return;
    if (!layout.control.exists) {
        frame_ = innermost;
        return;
    }
    block_ = innermost;
    startAt(block_);
}

/// Outside of the interpreter's loop the thread's state has a control block of its own.
void FrameParts::startAt(std::uint64_t block) noexcept {
    if (!stack_.contains(block, 3 * sizeof(std::uint64_t))) return;
    const Layout& layout = interpreter_->layout;
    if (layout.frame.hasEntryFlag)
        anchor_ = block;
    else if (!memory_->read(block + layout.control.frame, frame_))
        leavePart();
}

bool FrameParts::isWithinLoop(std::uint64_t low, std::uint64_t high) noexcept {
    if (block_ >= low && block_ < high) {
        fromEnd_ = high - block_;
    } else if (fromEnd_ != 0) {  // nothing was found from that block on
        leavePart();
        startAt(high - fromEnd_);
    }
    return isWithin(low, high);
}

bool FrameParts::read(std::uint64_t address, Frame& frame) noexcept {
    const auto& layout = interpreter_->layout.frame;
    std::uint8_t flag = 0;
    if (address % sizeof(std::uint64_t) != 0 || !memory_->read(address + layout.code, frame.code.code) ||
        !memory_->read(address + layout.instruction, frame.code.instruction) ||
        !memory_->read(address + layout.previous, frame.previous) ||
        (layout.hasEntryFlag && !memory_->read(address + layout.entryFlag, flag)))
        return false;
    frame.code.code &= ~kMarks;
    frame.isEntry = flag != 0;
    return true;
}

/// Up to the frame of the loop, which lies on the native stack.
void FrameParts::findPart() noexcept {
    std::uint64_t address = frame_;
    leavePart();
    count_ = 0;
    areTooMany_ = false;
    Frame frame;
    for (std::size_t n = 0; n < kMostFrames && address != 0 && read(address, frame); ++n) {
        if (stack_.contains(address)) {
            anchor_ = address;
            return;
        }
        keep(frame.code);
        address = frame.previous;
    }
}

/// Up to the frame with the flag. False where the parts do not fit together, as while the loop begins.
bool FrameParts::readFlaggedPart() noexcept {
    const auto& control = interpreter_->layout.control;
    const std::uint64_t block = anchor_;
    std::uint64_t address = 0;
    std::uint64_t outerBlock = 0;
    std::uint64_t outer = 0;
    leavePart();
    count_ = 0;
    areTooMany_ = false;
    if (!memory_->read(block + control.frame, address) ||
        !memory_->read(block + control.previous, outerBlock) ||
        !memory_->read(outerBlock + control.frame, outer))
        return false;
    Frame frame;
    for (std::size_t n = 0; n < kMostFrames && !frame.isEntry; ++n) {
        if (!read(address, frame)) return false;
        keep(frame.code);
        address = frame.previous;
    }
    if (!frame.isEntry || frame.previous != outer) return false;
    if (outerBlock > block && stack_.contains(outerBlock, 3 * sizeof(std::uint64_t))) anchor_ = outerBlock;
    return true;
}

std::span<const RunningCode> FrameParts::take() noexcept {
    if (interpreter_->layout.frame.hasEntryFlag) {
        if (!readFlaggedPart()) return {};
    } else {
        Frame loop;
        const bool isRead = read(anchor_, loop);
        leavePart();
        if (!isRead) return {};
        frame_ = loop.previous;
    }
    block_ = fromEnd_ = 0;
    isCut_ = isCut_ || areTooMany_;
    return {codes_.data(), count_};
}

}  // namespace holos::tracing::stacks::python
