// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/known_stack.h"

#include <algorithm>

#include "tracing/stacks/known_steps.h"

namespace holos::tracing::stacks {

inline bool KnownStack::isUnchanged(std::size_t index) const noexcept {
    const CallerReads& reads = reads_[index];
    // One question for both, as the answer is nearly always the same.
    const bool areChanged = (reads.returnAddress.change() | reads.pointer.change()) != 0;
    return !areChanged && (!hasReadFrames_ || functions_[index].frame.change() == 0);
}

void KnownStack::forget() noexcept {
    count_ = 0;
    leftOut_ = 0;
    followed_ = 0;
    hasReadFrames_ = false;
    hasInterpreter_ = false;
}

void KnownStack::release() noexcept {
    forget();
    python::release(mixed_);
    mixed_ = nullptr;
}

inline void KnownStack::move(std::size_t from, std::size_t to) noexcept {
    functions_[to] = functions_[from];
    reads_[to] = reads_[from];
}

/// As many of the first `known` from the innermost on as are unchanged are left out, several at a time.
inline std::size_t KnownStack::skipUnchanged(std::size_t known) const noexcept {
    constexpr std::size_t kTogether = 4;
    std::uint64_t change = 0;
    while (known >= kTogether) {
        for (std::size_t i = known - kTogether; i < known; ++i)
            change |= reads_[i].returnAddress.change() | reads_[i].pointer.change();
        if (change != 0) break;
        known -= kTogether;
    }
    return known;
}

/// Looks for the function at a place among the first `known`. Where it is there, and the calls that led to it
/// are unchanged, these are the first `known` from then on. Where one has changed, `at` is the place of that
/// one: it is to be found anew, and those within are among the `fresh`.
inline bool KnownStack::findAgain(std::size_t& known, std::size_t& fresh, Place& at) noexcept {
    while (known > 0 && functions_[known - 1].place.sp < at.sp) --known;
    if (known == 0 || functions_[known - 1].place != at) return false;
    std::size_t unchanged = hasReadFrames_ ? known : skipUnchanged(known);
    while (unchanged > 0 && isUnchanged(unchanged - 1)) --unchanged;
    if (unchanged == 0) return true;
    while (known > unchanged) move(--known, --fresh);
    at = functions_[--known].place;
    return false;
}

inline Caller KnownStack::add(std::size_t index, const Place& place, const Stack& stack) noexcept {
    const Step step = stepAt(place.pc);
    Function& function = functions_[index];
    function = {place, {}, step.owner, kNoPath};
    reads_[index] = {};
    hasReadFrames_ = hasReadFrames_ || step.kind == Step::Kind::AtFramePointer;
    hasInterpreter_ = hasInterpreter_ || isOfInterpreter(step.owner);
    return findCaller(place, step, stack, reads_[index], function.frame);
}

/// From a path on by the calls of some functions.
inline PathNumber KnownStack::extend(PathNumber path, std::size_t from, std::size_t to) noexcept {
    for (std::size_t i = from; i < to; ++i) {
        Function& function = functions_[i];
        if (function.owner != CodeOwner::Runtime) path = pathBelow(path, function.place.pc);
        function.path = path;
    }
    return path;
}

/// Of more functions than are shown: the outermost, unless these are not known, and the innermost.
PathNumber KnownStack::shortPath() noexcept {
    PathNumber path = root_;
    if (root_ != kMoreCallers) path = pathBelow(functions_[kOutermost - 1].path, kCallsLeftOut);
    for (std::size_t i = count_ - kInnermost; i < count_; ++i)
        if (functions_[i].owner != CodeOwner::Runtime) path = pathBelow(path, functions_[i].place.pc);
    return path;
}

/// How many functions there are from a place on, as far as that matters; what they are is not kept.
std::size_t KnownStack::countOuter(Place at, const Stack& stack) const noexcept {
    std::size_t count = 0;
    // Before all of them have room again, they are counted anew.
    while (count++ < kRoom) {
        CallerReads reads;
        ReadWord frame;
        const Caller caller = findCaller(at, stepAt(at.pc), stack, reads, frame);
        if (caller.kind != Caller::Kind::Found) break;
        at = caller.place;
    }
    return count;
}

/// What was found anew, behind what is known; of too many the innermost.
PathNumber KnownStack::join(std::size_t known, std::size_t fresh, const Stack& stack) noexcept {
    count_ = known + kRoom - fresh;
    for (std::size_t i = known; i < count_; ++i) move(fresh++, i);
    if (count_ > kMost) {
        const std::size_t left = count_ - kMost;
        for (std::size_t i = 0; i < kMost; ++i) move(i + left, i);
        count_ = kMost;
        leftOut_ += left;
        root_ = kMoreCallers;
        known = 0;
    }
    followed_ = std::min(followed_, known);
    if (hasInterpreter_) return mixedPath(stack);
    const bool isWhole = count_ <= kMostShown && root_ != kMoreCallers;
    const std::size_t from = followed_;
    if (isWhole)
        followed_ = count_;
    else if (root_ != kMoreCallers)
        followed_ = std::max(from, kOutermost);
    const PathNumber path = extend(from > 0 ? functions_[from - 1].path : root_, from, followed_);
    return isWhole ? path : shortPath();
}

PathNumber KnownStack::pathOf(const Place& here, const Stack& stack, const WantedPart& wanted) noexcept {
    const Unloadings::Moment now = unloadings.now();
    if (wanted != wanted_ || now != moment_ || !now.isQuiet()) forget();
    wanted_ = wanted;
    moment_ = now;
    Place at = here;
    std::size_t known = count_;
    std::size_t fresh = kRoom;
    while (!findAgain(known, fresh, at)) {
        if (kRoom - fresh >= kMost) {
            leftOut_ = countOuter(at, stack);
            root_ = kMoreCallers;
            return join(0, fresh, stack);
        }
        const Caller caller = add(--fresh, at, stack);
        if (caller.kind == Caller::Kind::Unusual) return unusualPath(stack, wanted);
        const bool isFound = caller.kind == Caller::Kind::Found;
        const bool isOutermost = isFound && wanted.function != 0 && caller.place.sp > wanted.function &&
                                 functions_[fresh].owner == CodeOwner::Program;
        const bool isOfTask = isFound && wanted.task != 0 && caller.place.sp > wanted.task;
        if (!isFound || isOutermost || isOfTask) {
            root_ = caller.kind == Caller::Kind::Unknown ? kUnknownCallers
                    : isOfTask && !isOutermost           ? wanted.creation
                                                         : kNoPath;
            leftOut_ = 0;
            return join(0, fresh, stack);
        }
        at = caller.place;
    }
    // What the path is must not depend on what was known before.
    const std::size_t count = known + kRoom - fresh;
    const bool isToBeFoundAnew = leftOut_ > 0 && (leftOut_ + count <= kMost || count < kInnermost);
    if (!isToBeFoundAnew) return join(known, fresh, stack);
    forget();
    return pathOf(here, stack, wanted);
}

PathNumber KnownStack::siteOf(const Place& here, const Stack& stack, PathNumber root) noexcept {
    Place place = here;
    bool isMixed = false;
    for (std::size_t n = 0; n < kMostShown; ++n) {
        const Step step = stepAt(place.pc);
        if (step.owner == CodeOwner::Program) return pathBelow(root, place.pc);
        CallerReads reads;
        ReadWord frame;
        const Caller caller = findCaller(place, step, stack, reads, frame);
        if (caller.kind == Caller::Kind::None) return root;
        if (caller.kind != Caller::Kind::Found) break;
        if (isOfInterpreter(step.owner)) {
            isMixed = isMixed || beginMixed(stack, python::Memory::Trust::All);
            if (isMixed) mixed_->add({place.pc, place.sp, caller.place.sp, step.owner});
            if (isMixed && !mixed_->calls().empty()) return pathBelow(root, mixed_->calls().front());
        }
        place = caller.place;
    }
    return kUnknownCallers;
}

}  // namespace holos::tracing::stacks
