// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/known_stack.h"

#include <algorithm>
#include <memory>

#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/memory/heap.h"

namespace holos::tracing::stacks {
namespace {

constexpr std::uint8_t kRegisterWithOffset = 0x70;  // DW_OP_breg0
constexpr std::uint8_t kDereference = 0x06;         // DW_OP_deref

template <class Small>
bool fits(std::int64_t value, Small& small) noexcept {
    small = static_cast<Small>(value);
    return small == value;
}

/// Expressions "what lies at the frame pointer plus offset", and the same without reading.
bool isAtFramePointer(code::ByteReader expression, bool reads, std::int64_t& offset) noexcept {
    if (expression.get<std::uint8_t>() != kRegisterWithOffset + code::Registers::kFramePointer) return false;
    offset = expression.getSigned();
    if (reads && expression.get<std::uint8_t>() != kDereference) return false;
    return expression.isGood() && expression.isAtEnd();
}

/// Where the frame begins; false where a step cannot say it.
bool findFrame(const code::FrameRules& rules, Step& step) noexcept {
    std::int64_t offset = rules.frameOffset;
    if (rules.isExpression) {
        step.kind = Step::Kind::AtFramePointer;
        if (!isAtFramePointer(rules.frameExpression, true, offset)) return false;
    } else if (rules.frameRegister == code::Registers::kStackPointer) {
        step.kind = Step::Kind::StackPointer;
    } else if (rules.frameRegister == code::Registers::kFramePointer) {
        step.kind = Step::Kind::FramePointer;
    } else {
        return false;
    }
    return fits(offset, step.frameOffset);
}

bool findPointer(const code::Rule& rule, Step& step) noexcept {
    const bool isRealigned = step.kind == Step::Kind::AtFramePointer;
    std::int64_t offset = rule.number;
    if (rule.kind == code::Rule::Kind::Same) return !isRealigned && code::Registers::kCallsPush;
    if (isRealigned && rule.kind == code::Rule::Kind::AtExpression) {
        if (!isAtFramePointer(rule.expression(), false, offset)) return false;
    } else if (isRealigned || rule.kind != code::Rule::Kind::AtOffset) {
        return false;
    }
    return fits(offset, step.pointerOffset) && step.pointerOffset != Step::kKept;
}

Step::Kind kindOf(const code::FrameRules& rules, const code::UnwindEntry& entry, Step& step) noexcept {
    if (entry.returnRegister != code::Registers::kReturnAddress) return Step::Kind::Unknown;
    const code::Rule& back = rules.registers[code::Registers::kReturnAddress];
    if (back.kind == code::Rule::Kind::Undefined) return Step::Kind::End;
    const bool isUsual = !entry.isSignalFrame && findFrame(rules, step) &&
                         findPointer(rules.registers[code::Registers::kFramePointer], step) &&
                         rules.registers[code::Registers::kStackPointer].kind == code::Rule::Kind::Same &&
                         back.kind == code::Rule::Kind::AtOffset && back.number == step.returnOffset();
    return isUsual ? step.kind : Step::Kind::Unusual;
}

}  // namespace

Step findStep(std::uint64_t returnAddress, bool& isLasting) noexcept {
    const code::FileTableUse use;
    const std::uint64_t address = returnAddress - 1;
    Step step;
    code::LoadedFile file;
    isLasting = code::findLoadedFile(address, file);
    if (!isLasting) return step;
    step.owner = ownerOf(file, address);
    code::UnwindEntry entry;
    code::FrameRules rules;
    if (code::findUnwindEntry(file, address, entry) && code::findFrameRules(entry, address, rules))
        step.kind = kindOf(rules, entry, step);
    return step;
}

std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

namespace {

constexpr std::uint64_t kEmpty = 0;
constexpr std::uint64_t kBeingWritten = ~std::uint64_t{0};

/// In an empty place, or else instead of what was there.
KnownStep* keep(KnownStep* const first, std::uint64_t key, Step step) noexcept {
    KnownStep* place = first;
    for (std::size_t i = 0; i < kKnownStepTries && place->key.load(std::memory_order_relaxed) != kEmpty; ++i)
        place = first + i;
    std::uint64_t before = place->key.load(std::memory_order_relaxed);
    if (before == kBeingWritten || !place->key.compare_exchange_strong(before, kBeingWritten)) return nullptr;
    place->step.store(std::bit_cast<std::uint64_t>(step), std::memory_order_release);
    place->key.store(key, std::memory_order_release);
    return place;
}

}  // namespace

Step findNewStep(std::uint64_t returnAddress, const Unloadings::Moment& now) noexcept {
    bool isLasting = false;
    const Step step = findStep(returnAddress, isLasting);
    if (!isLasting || !now.isQuiet() || unloadings.now() != now) return step;
    std::uint64_t key = keyOfStep(returnAddress, now);
    KnownStep* const kept = keep(firstKnownStep(returnAddress), key, step);
    // It must not outlive `forgetSteps`, after which this key is that of other code.
    if (kept != nullptr && unloadings.now() != now) kept->key.compare_exchange_strong(key, kEmpty);
    return step;
}

void forgetSteps() noexcept {
    for (KnownStep& step : knownSteps) step.key.store(kEmpty, std::memory_order_relaxed);
}

inline bool KnownStack::isUnchanged(std::size_t index) const noexcept {
    return reads_[index].change() == 0 && (!hasReadFrames_ || functions_[index].frame.change() == 0);
}

void KnownStack::forget() noexcept {
    count_ = 0;
    leftOut_ = 0;
    followed_ = 0;
    shownTo_ = 0;
    hasReadFrames_ = false;
    hasInterpreter_ = false;
    innermost_ = nullptr;
    inTurn_.forget();
}

void KnownStack::abandon() noexcept {
    forget();
    memo_.forget();
}

void KnownStack::release() noexcept {
    forget();
    python::release(mixed_);
    mixed_ = nullptr;
    if (grown_ == nullptr) return;
    heap::release(grown_);
    grown_ = nullptr;
    functions_ = firstFunctions_.all.data();
    reads_ = firstReads_.all.data();
    room_ = kFirstRoom;
}

/// Makes room for more functions. False where there are as many as are followed, or where there is no memory.
bool KnownStack::grow(std::size_t known, std::size_t& fresh) noexcept {
    if (mostInRoom() >= most_) return false;
    const core::HeldSignals held;
    const std::size_t room = kGrowth * room_;
    void* const memory = heap::allocate(room * (sizeof(Function) + sizeof(CallerReads)));
    if (memory == nullptr) return false;
    auto* const functions = static_cast<Function*>(memory);
    auto* const reads = reinterpret_cast<CallerReads*>(functions + room);
    const std::size_t found = room_ - fresh;
    std::uninitialized_copy_n(functions_, known, functions);
    std::uninitialized_copy_n(reads_, known, reads);
    std::uninitialized_copy_n(functions_ + fresh, found, functions + room - found);
    std::uninitialized_copy_n(reads_ + fresh, found, reads + room - found);
    if (grown_ != nullptr) heap::release(grown_);
    grown_ = memory;
    functions_ = functions;
    reads_ = reads;
    room_ = room;
    fresh = room - found;
    return true;
}

inline void KnownStack::move(std::size_t from, std::size_t to) noexcept {
    functions_[to] = functions_[from];
    reads_[to] = reads_[from];
}

/// As many of the first `known` from the innermost on as are unchanged are left out, several at a time.
inline std::size_t KnownStack::skipUnchanged(std::size_t known) const noexcept {
    for (; known >= 4; known -= 4) {
        const CallerReads* const last = reads_ + known;
        if ((last[-1].change() | last[-2].change() | last[-3].change() | last[-4].change()) != 0) break;
    }
    return known;
}

/// How many of the first `known` there are up to the innermost one that is not what it was; 0: all are.
inline std::size_t KnownStack::changedAmong(std::size_t known) const noexcept {
    std::size_t changed = hasReadFrames_ ? known : skipUnchanged(known);
    while (changed > 0 && isUnchanged(changed - 1)) --changed;
    return changed;
}

/// The path where only the innermost functions differ from those of the last event, and were called like that
/// by the same ones before; else `kNoPath`.
inline PathNumber KnownStack::pathOfOneInTurn(const Place& here) noexcept {
    const InnermostInTurn::One* const one = inTurn_.find(here);
    const std::size_t outer = inTurn_.outer();
    if (one == nullptr || changedAmong(outer) != 0) return kNoPath;
    // What the places are up to one says what was read of the stack.
    std::size_t same = 0;
    while (same < one->count && outer + same < count_ &&
           functions_[outer + same].place == one->functions[same].place)
        ++same;
    followed_ = count_ = outer + one->count;
    for (; same < one->count; ++same) {
        functions_[outer + same] = one->functions[same];
        reads_[outer + same] = one->reads[same];
    }
    innermost_ = functions_ + count_ - 1;
    return innermost_->path;
}

/// Looks for the function at a place among the first `known`. Where it is there, and the calls that led to it
/// are unchanged, these are the first `known` from then on. Where one has changed, `at` is the place of that
/// one: it is to be found anew, and those within are among the `fresh`.
inline bool KnownStack::findAgain(std::size_t& known, std::size_t& fresh, Place& at) noexcept {
    while (known > 0 && functions_[known - 1].place.sp < at.sp) --known;
    if (known == 0 || functions_[known - 1].place != at) return false;
    const std::size_t changed = changedAmong(known);
    if (changed == 0) return true;
    while (known > changed) move(--known, --fresh);
    at = functions_[--known].place;
    return false;
}

[[gnu::always_inline]] inline Caller KnownStack::add(std::size_t index, const Place& place,
                                                     const code::Stack& stack) noexcept {
    const Step step = memo_.stepAt(place.pc);
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
        if (function.owner != CodeOwner::Runtime) path = memo_.pathBelow(path, function.place.pc);
        function.path = path;
    }
    return path;
}

/// Of more functions than are shown: the outermost, unless these are not known, and the innermost.
PathNumber KnownStack::shortPath() noexcept {
    const std::size_t from = count_ - kInnermost;
    PathNumber path = root_;
    if (from == shownFrom_ && shownTo_ > from) {
        path = functions_[shownTo_ - 1].path;
    } else {
        shownFrom_ = shownTo_ = from;
        if (root_ != kMoreCallers) path = pathBelow(functions_[kOutermost - 1].path, kCallsLeftOut);
    }
    path = extend(path, shownTo_, count_);
    shownTo_ = count_;
    return path;
}

/// How many functions there are from a place on, as far as that matters; what they are is not kept.
std::size_t KnownStack::countOuter(Place at, const code::Stack& stack) const noexcept {
    std::size_t count = 0;
    // Before all of them have room again, they are counted anew.
    while (count++ < room_) {
        CallerReads reads;
        ReadWord frame;
        const Caller caller = findCaller(at, stepAt(at.pc), stack, reads, frame);
        if (caller.kind != Caller::Kind::Found) break;
        at = caller.place;
    }
    return count;
}

/// What was found anew, behind what is known; of too many the innermost.
PathNumber KnownStack::join(std::size_t known, std::size_t fresh, const code::Stack& stack) noexcept {
    bool canGrow = true;
    while (canGrow && known + room_ - fresh > mostInRoom()) canGrow = grow(known, fresh);
    count_ = known + room_ - fresh;
    if (count_ > (leftOut_ > 0 ? kMostOfMore : mostInRoom())) {
        const std::size_t left = count_ - kMostOfMore / 2;
        const std::size_t stay = known - std::min(left, known);
        for (std::size_t i = 0; i < stay; ++i) move(i + left, i);
        fresh += left - (known - stay);
        known = stay;
        count_ -= left;
        leftOut_ += left;
        root_ = kMoreCallers;
        followed_ = 0;
        shownTo_ = 0;
        inTurn_.forget();
    }
    const bool isOneInTurn = inTurn_.canAdd(known, count_);
    for (std::size_t i = known; i < count_; ++i) move(fresh++, i);
    followed_ = std::min(followed_, known);
    shownTo_ = std::min(shownTo_, known);
    if (hasInterpreter_) return mixedPath(stack);
    const bool isWhole = count_ <= kMostShown && root_ != kMoreCallers;
    const std::size_t from = followed_;
    if (isWhole) shownTo_ = 0;
    if (isWhole)
        followed_ = count_;
    else if (root_ != kMoreCallers)
        followed_ = kOutermost;
    const PathNumber path = extend(from > 0 ? functions_[from - 1].path : root_, from, followed_);
    if (!isWhole) return shortPath();
    if (count_ > 0 && moment_.isQuiet()) {
        innermost_ = functions_ + count_ - 1;
        if (isOneInTurn) inTurn_.add(functions_, reads_, count_);
    }
    return path;
}

PathNumber KnownStack::pathOf(const Place& here, const code::Stack& stack,
                              const WantedPart& wanted) noexcept {
    const Unloadings::Moment now = unloadings.now();
    const bool isOfAnotherMoment = now != moment_ || !now.isQuiet();
    const bool isOfAnotherPart = wanted != wanted_;
    if (!isOfAnotherMoment && !isOfAnotherPart && innermost_ != nullptr)
        if (const PathNumber path = pathOfOneInTurn(here); path != kNoPath) return path;
    if (isOfAnotherMoment) memo_.forget();
    if (isOfAnotherMoment || isOfAnotherPart) forget();
    // Written where it is another only: words that were just written one by one are slow to copy together.
    if (isOfAnotherPart) wanted_ = wanted;
    moment_ = now;
    innermost_ = nullptr;
    Place at = here;
    std::size_t known = count_;
    std::size_t fresh = room_;
    while (!findAgain(known, fresh, at)) {
        if (room_ - fresh >= mostInRoom() && !grow(known, fresh)) {
            leftOut_ = countOuter(at, stack);
            root_ = kMoreCallers;
            return join(0, fresh, stack);
        }
        const Caller caller = add(--fresh, at, stack);
        if (caller.kind == Caller::Kind::Unusual) return unusualPath(stack, wanted);
        const bool isFound = caller.kind == Caller::Kind::Found;
        const bool isOutermost = isFound && wanted.function.excludes(caller.place.sp) &&
                                 functions_[fresh].owner == CodeOwner::Program;
        const bool isOfTask = isFound && wanted.task.excludes(caller.place.sp);
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
    const std::size_t count = known + room_ - fresh;
    const bool isToBeFoundAnew = leftOut_ > 0 && (leftOut_ + count <= mostInRoom() || count < kInnermost);
    if (!isToBeFoundAnew) return join(known, fresh, stack);
    forget();
    return pathOf(here, stack, wanted);
}

PathNumber KnownStack::siteOf(const Place& here, const code::Stack& stack, PathNumber root) noexcept {
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

/// As `pathOf` where there are functions of unusual forms, as one that a signal interrupted: finds all of
/// them, and knows none afterwards.
PathNumber KnownStack::unusualPath(const code::Stack& stack, const WantedPart& wanted) noexcept {
    const code::FileTableUse use;
    forget();
    code::Registers registers = registersHere();
    const code::Stack own{registers.sp(), stack.high};
    std::size_t count = 0;
    PathNumber path = kMoreCallers;
    bool isExact = false;
    bool isMixed = false;
    while (path == kMoreCallers && count < kMostShown) {
        const std::uint64_t returnAddress = registers.pc() + (isExact ? 1 : 0);
        const CodeOwner owner = ownerOf(returnAddress - 1);
        functions_[count++] = {{returnAddress, registers.sp(), 0}, {}, owner, kNoPath};
        isMixed = isMixed || isOfInterpreter(owner);
        std::uint64_t frame = 0;
        const bool hasCaller = goToCaller(registers, own, isExact, frame);
        const bool isOutermost = wanted.function.excludes(frame) && owner == CodeOwner::Program;
        const bool isOfTask = hasCaller && wanted.task.excludes(frame);
        if (isOutermost || registers.pc() == 0)
            path = kNoPath;
        else if (isOfTask)
            path = wanted.creation;
        else if (!hasCaller)
            path = kUnknownCallers;
    }
    if (isMixed && beginMixed(own, python::Memory::Trust::None)) {
        for (std::size_t i = 0; i < count && !mixed_->isFull(); ++i)
            addMixed(functions_[i], i + 1 < count ? functions_[i + 1].place.sp : own.high);
        return mixed_->path(path);
    }
    while (count-- > 0)
        if (functions_[count].owner != CodeOwner::Runtime) path = pathBelow(path, functions_[count].place.pc);
    return path;
}

}  // namespace holos::tracing::stacks
