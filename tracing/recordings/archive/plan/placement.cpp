// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/placement.h"

#include <algorithm>
#include <set>

#include "base/number.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {
namespace {

std::vector<std::uint32_t> numbersOf(const std::vector<std::uint64_t>& mask) {
    constexpr std::uint32_t kBits = 64;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < mask.size() * kBits; ++i)
        if ((mask[i / kBits] >> (i % kBits) & 1) != 0) numbers.push_back(i);
    return numbers;
}

using Core = std::pair<std::uint32_t, std::uint32_t>;  ///< socket, core

/// The different parts of the hardware among some processors. `partOf` is asked with a place.
template <class PartOf>
std::size_t countParts(const std::vector<std::uint32_t>& processors, const Hardware& hardware,
                       PartOf partOf) {
    std::set<decltype(partOf(Hardware::Place{}))> parts;
    for (const auto processor : processors)
        if (const auto place = hardware.places.find(processor); place != hardware.places.end())
            parts.insert(partOf(place->second));
    return parts.size();
}

std::size_t countCores(const std::vector<std::uint32_t>& processors, const Hardware& hardware) {
    return countParts(processors, hardware, [](const Hardware::Place& place) {
        return Core{place.socket, place.core};
    });
}

}  // namespace

void SeenProcessors::add(std::uint32_t processor) {
    if (present_ && *present_ != processor) ++changes_;
    if (present_) ticks_[*present_] += passed_;
    passed_ = 0;
    present_ = processor;
    ticks_.try_emplace(processor, 0);
}

std::map<std::uint32_t, std::uint64_t> SeenProcessors::ticks() const {
    auto all = ticks_;
    if (present_) all[*present_] += passed_;
    return all;
}

std::optional<std::uint32_t> SeenProcessors::longest() const {
    const auto all = ticks();
    const auto found =
        std::ranges::max_element(all, [](const auto& a, const auto& b) { return a.second < b.second; });
    return found != all.end() ? std::optional(found->first) : std::nullopt;
}

std::string listOf(const std::vector<std::uint64_t>& mask) {
    return rangesOf(numbersOf(mask));
}

Placement placementOf(const std::vector<RecordedBinding>& bindings, const SeenProcessors& seen,
                      const Hardware* hardware) {
    Placement placement;
    if (bindings.empty()) return placement;
    const RecordedBinding& begin = bindings.front();
    const RecordedBinding& end = bindings.back();
    placement.allowed = listOf(begin.mask);
    placement.allowedAtEnd = listOf(end.mask);
    if (bindings.size() > 1 && begin.migrations >= 0 && end.migrations >= begin.migrations)
        placement.migrations = end.migrations - begin.migrations;
    std::vector<std::uint32_t> processors;
    for (const auto& [processor, ticks] : seen.ticks()) processors.push_back(processor);
    placement.processor = seen.longest();
    placement.processorsSeen = processors.size();
    placement.changesSeen = seen.changes();
    if (hardware == nullptr) return placement;
    placement.mayChangeCore = countCores(numbersOf(begin.mask), *hardware) > 1;
    placement.coresSeen = countCores(processors, *hardware);
    placement.numaNodesSeen =
        countParts(processors, *hardware, [](const Hardware::Place& place) { return place.numaNode; });
    if (!placement.processor) return placement;
    if (const auto place = hardware->places.find(*placement.processor); place != hardware->places.end())
        placement.place = place->second;
    return placement;
}

void SharedLines::Users::add(std::uint32_t thread, bool isStore) {
    areSeveral |= first != kNobody && first != thread;
    if (first == kNobody) first = thread;
    isWritten |= isStore;
}

void SharedLines::add(std::uint32_t thread, std::uint64_t address, std::uint32_t block, bool isStore) {
    Line& line = lines_[{address / kLineBytes, block}];
    line.all.add(thread, isStore);
    line.words[address % kLineBytes / kWordBytes].add(thread, isStore);
}

SharedLines::Use SharedLines::of(std::uint64_t address, std::uint32_t block) const {
    const auto found = lines_.find({address / kLineBytes, block});
    if (found == lines_.end() || !found->second.all.share()) return Use::Own;
    const auto& words = found->second.words;
    const bool isTrue = std::ranges::any_of(words, &Users::share);
    return isTrue ? Use::Shared : Use::Falsely;
}

}  // namespace holos::archive
