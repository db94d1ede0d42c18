// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/known_stack.h"

namespace holos::tracing::stacks {

/// False where there is no memory for it.
bool KnownStack::beginMixed(const code::Stack& stack, python::Memory::Trust trust) noexcept {
    if (mixed_ == nullptr) mixed_ = python::makeMixedStack();
    if (mixed_ == nullptr) return false;
    mixed_->begin(python::interpreter(), stack, trust);
    return true;
}

void KnownStack::addMixed(const Function& function, std::uint64_t end) noexcept {
    if (function.owner != CodeOwner::Runtime)
        mixed_->add({function.place.pc, function.place.sp, end, function.owner});
}

/// Where an interpreter's functions are among the native ones. These may be what they were, though others of
/// Python run: those are looked at for each event.
PathNumber KnownStack::mixedPath(const code::Stack& stack) noexcept {
    if (!beginMixed(stack, python::Memory::Trust::All)) return kUnknownCallers;
    for (std::size_t i = count_; i-- > 0 && !mixed_->isFull();)
        addMixed(functions_[i], i > 0 ? functions_[i - 1].place.sp : stack.high);
    return mixed_->path(root_);
}

}  // namespace holos::tracing::stacks
