// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/graph.h"

#include "analyzer/memory/packed_records.h"

namespace holos::analyzer::predict {
namespace {

//
// A mark:  flags │ time and slice │ node │ tasks and exchange │ dependencies │ arrivals
// where the flags say which of these there are, and numbers are differences from the last one of their kind.
//
constexpr std::uint8_t kPiece = 0x07;
constexpr std::uint8_t kIsAwaited = 0x08;
constexpr std::uint8_t kHasNode = 0x10;
constexpr std::uint8_t kHasMore = 0x20;
constexpr std::uint8_t kDepends = 0x40;
constexpr std::uint8_t kArrives = 0x80;

/// Behind a time: how the slice goes on.
enum SliceStep : std::uint8_t { kSame, kNext, kFurther };
constexpr unsigned kStepBits = 2;
constexpr std::uint64_t kStep = 3;

constexpr std::uint64_t kKind = 0x07;
constexpr std::uint64_t kTravels = 0x08;
constexpr std::uint64_t kIsLast = 0x10;

std::int64_t difference(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b);
}

/// What `difference` was written of.
std::uint32_t moved(std::uint32_t from, std::uint64_t bits) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(from) + fold(bits));
}

}  // namespace

void MarkPacker::put(std::uint64_t number) {
    std::uint8_t bytes[kLongestNumber];
    std::uint8_t* end = bytes;
    putNumber(number, end);
    marks_.bytes_.append(bytes, end);
}

void MarkPacker::append(const Mark& mark) {
    const bool hasMore = mark.tasks != 0 || mark.exchange;
    unsigned flags = static_cast<unsigned>(mark.piece);
    if (mark.isAwaited) flags |= kIsAwaited;
    if (mark.node != NodeId()) flags |= kHasNode;
    if (hasMore) flags |= kHasMore;
    if (!mark.dependencies.empty()) flags |= kDepends;
    if (!mark.arrivals.empty()) flags |= kArrives;
    marks_.bytes_.push_back(static_cast<std::uint8_t>(flags));

    const std::int64_t slices = difference(mark.slice, last_.slice);
    // Differences of damaged times may need all bits: the first two stand apart then.
    const auto time = static_cast<std::uint64_t>(mark.time) - static_cast<std::uint64_t>(last_.time);
    const bool isNear = time >> (64 - kStepBits) == 0;
    const SliceStep step = isNear && slices == 0 ? kSame : isNear && slices == 1 ? kNext : kFurther;
    put((time << kStepBits) | step);
    if (step == kFurther) put(unfold(slices));
    if (step == kFurther) put(time >> (64 - kStepBits));
    last_.time = mark.time;
    last_.slice = mark.slice;

    if (mark.node != NodeId()) put(mark.node.index());
    if (hasMore) {
        put(unfold(mark.tasks));
        put(mark.exchange ? 1 + static_cast<std::uint64_t>(mark.exchange->operation) : 0);
        if (mark.exchange) {
            put(mark.exchange->participants);
            put(mark.exchange->bytes);
        }
    }
    putDependencies(mark.dependencies);
    putArrivals(mark.arrivals);
    ++marks_.size_;
}

void MarkPacker::putDependencies(const std::vector<Dependency>& dependencies) {
    for (std::size_t i = 0; i < dependencies.size(); ++i) {
        const Dependency& dependency = dependencies[i];
        const bool travels = dependency.travel.lag != 0 || dependency.travel.bytes != 0;
        put(static_cast<std::uint64_t>(dependency.kind) | (travels ? kTravels : 0) |
            (i + 1 == dependencies.size() ? kIsLast : 0));
        if (dependency.kind == Dependency::Kind::Meeting) {
            put(unfold(difference(dependency.position, std::exchange(last_.meeting, dependency.position))));
        } else {
            put(unfold(difference(dependency.location, std::exchange(last_.location, dependency.location))));
            put(unfold(difference(dependency.position, std::exchange(last_.position, dependency.position))));
        }
        put(unfold(dependency.slack));
        if (travels) put(unfold(dependency.travel.lag));
        if (travels) put(dependency.travel.bytes);
    }
}

void MarkPacker::putArrivals(const std::vector<std::uint32_t>& arrivals) {
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        put((unfold(difference(arrivals[i], std::exchange(last_.meeting, arrivals[i]))) << 1U) |
            (i + 1 == arrivals.size() ? 1U : 0U));
}

void PackedMarks::Reader::read() {
    if (isAtEnd()) return;
    const unsigned flags = *next_++;
    mark_.piece = static_cast<Piece>(flags & kPiece);
    mark_.isAwaited = (flags & kIsAwaited) != 0;

    const std::uint64_t number = takeNumber(next_);
    std::uint64_t time = number >> kStepBits;
    const std::uint64_t step = number & kStep;
    if (step == kFurther) {
        last_.slice = moved(last_.slice, takeNumber(next_));
        time |= takeNumber(next_) << (64 - kStepBits);
    } else {
        last_.slice += static_cast<std::uint32_t>(step);
    }
    last_.time = static_cast<Ticks>(static_cast<std::uint64_t>(last_.time) + time);
    mark_.time = last_.time;
    mark_.slice = last_.slice;

    mark_.node = (flags & kHasNode) != 0 ? NodeId(static_cast<std::size_t>(takeNumber(next_))) : NodeId();
    mark_.tasks = 0;
    mark_.exchange.reset();
    if ((flags & kHasMore) != 0) {
        mark_.tasks = fold(takeNumber(next_));
        if (const std::uint64_t operation = takeNumber(next_); operation != 0) {
            Exchange& exchange = mark_.exchange.emplace();
            exchange.operation = static_cast<replay::Collective>(operation - 1);
            exchange.participants = static_cast<std::uint32_t>(takeNumber(next_));
            exchange.bytes = takeNumber(next_);
        }
    }
    mark_.dependencies.clear();
    if ((flags & kDepends) != 0) readDependencies();
    mark_.arrivals.clear();
    if ((flags & kArrives) != 0) readArrivals();
}

void PackedMarks::Reader::readDependencies() {
    std::uint64_t head = 0;
    while ((head & kIsLast) == 0) {
        head = takeNumber(next_);
        Dependency& dependency = mark_.dependencies.emplace_back();
        dependency.kind = static_cast<Dependency::Kind>(head & kKind);
        if (dependency.kind == Dependency::Kind::Meeting) {
            dependency.position = last_.meeting = moved(last_.meeting, takeNumber(next_));
        } else {
            dependency.location = last_.location = moved(last_.location, takeNumber(next_));
            dependency.position = last_.position = moved(last_.position, takeNumber(next_));
        }
        dependency.slack = fold(takeNumber(next_));
        if ((head & kTravels) == 0) continue;
        dependency.travel.lag = fold(takeNumber(next_));
        dependency.travel.bytes = takeNumber(next_);
    }
}

void PackedMarks::Reader::readArrivals() {
    bool isLast = false;
    while (!isLast) {
        const std::uint64_t number = takeNumber(next_);
        isLast = (number & 1U) != 0;
        last_.meeting = moved(last_.meeting, number >> 1U);
        mark_.arrivals.push_back(last_.meeting);
    }
}

}  // namespace holos::analyzer::predict
