// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/selection.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/suggest.h"

namespace holos::counters {

void Compensation::apply(std::span<std::uint64_t> values) noexcept {
    for (std::size_t i = 0; i < costs_.size(); ++i) {
        if (costs_[i] == 0) continue;
        const std::uint64_t cost = std::min(values[i], costs_[i] * readings_);
        values[i] = last_[i] = std::max(last_[i], values[i] - cost);
    }
    ++readings_;
}

std::vector<std::uint64_t> leastDifferences(std::span<const std::uint64_t> readings, std::size_t counters) {
    std::vector<std::uint64_t> least(counters, std::numeric_limits<std::uint64_t>::max());
    for (std::size_t at = counters; at < readings.size(); ++at)
        least[at % counters] = std::min(least[at % counters], readings[at] - readings[at - counters]);
    return least;
}

namespace {

/// What could have been meant, and where to look.
std::string suggestion(const std::string& name) {
    std::vector<std::string> known;
    for (const auto* source : sources())
        for (const auto& counter : source->list()) known.push_back(counter.name);
    return didYouMean(name, known) + " ('holos counters list' shows those of this machine)";
}

constexpr const char* kWhatThereIs = " ('holos counters list --available' shows what can be counted here)";

}  // namespace

std::span<const Source* const> sources() {
    static const std::array<const Source*, 11> all{
        &resourceUsage(), &scheduler(), &perfEvents(), &processFiles(),  &nodeFiles(), &perfDevices(),
        &sensors(),       &energy(),    &papi(),       &papiOfProcess(), &papiOfNode()};
    return all;
}

Selection::Selection(const std::vector<std::string>& names, bool inTurns) : inTurns_(inTurns) {
    if (names.size() > kMostCounters)
        throw Error("at most " + std::to_string(kMostCounters) + " counters can be recorded at once");
    for (const auto& name : names) {
        const Source* source = nullptr;
        std::unique_ptr<Counter> counter;
        for (const auto* one : sources())
            if (!counter && (counter = one->find(name))) source = one;
        if (!counter) throw Refusal(name, "no such counter" + suggestion(name));
        if (!counter->unavailable.empty()) throw Refusal(name, counter->unavailable + kWhatThereIs);
        if (std::any_of(counters_.begin(), counters_.end(), [&](const auto& c) { return c.name == name; }))
            throw Error(name + ": given twice");
        auto share =
            std::find_if(shares_.begin(), shares_.end(), [&](const auto& s) { return s.source == source; });
        if (share == shares_.end()) share = shares_.insert(share, Share{source, {}, {}});
        share->names.push_back(name);
        share->places.push_back(counters_.size());
        counters_.push_back(std::move(*counter));
    }
}

std::unique_ptr<Reader> Selection::open() const {
    auto reader = std::make_unique<Reader>();
    for (const auto& share : shares_)
        reader->parts_.push_back(
            {inTurns_ ? share.source->openInTurns(share.names) : share.source->open(share.names),
             share.places, std::make_unique<std::uint64_t[]>(share.names.size())});
    reader->counters_ = counters_.size();
    return reader;
}

std::unique_ptr<Reader> Selection::openCompensated() const {
    constexpr std::size_t kReadings = 64;
    auto reader = open();
    std::vector<std::uint64_t> readings(kReadings * counters_.size());
    for (std::size_t reading = 0; reading < kReadings; ++reading)
        if (!reader->read(&readings[reading * counters_.size()])) return reader;
    auto costs = leastDifferences(readings, counters_.size());
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (counters_[i].mode == Mode::Absolute) costs[i] = 0;
    reader->compensation_ = Compensation(std::move(costs));
    return reader;
}

bool Selection::uses(const Source& source) const {
    return std::any_of(shares_.begin(), shares_.end(),
                       [&source](const Share& share) { return share.source == &source; });
}

std::vector<std::string> Selection::namesOf(Scope scope) const {
    std::vector<std::string> names;
    for (const auto& share : shares_)
        if (share.source->scope() == scope)
            std::copy(share.names.begin(), share.names.end(), std::back_inserter(names));
    return names;
}

const char* scopeName(Scope scope) {
    constexpr std::array<const char*, 3> kNames{"thread", "process", "node"};
    return kNames[static_cast<std::size_t>(scope)];
}

const char* readingName(Reading reading) {
    constexpr std::array<const char*, 3> kNames{"", "system call", "user space"};
    return kNames[static_cast<std::size_t>(reading)];
}

bool canCount(const std::string& name) {
    return std::any_of(sources().begin(), sources().end(), [&name](const Source* source) {
        const auto counter = source->find(name);
        return counter && counter->unavailable.empty();
    });
}

std::vector<std::string> splitNames(const std::string& text) {
    std::vector<std::string> names(1);
    bool isInTerms = false;  // of an event of a device, whose terms are separated by commas, too
    for (const char c : text) {
        if (c == '/') isInTerms = !isInTerms;
        if (c == ',' && !isInTerms)
            names.emplace_back();
        else
            names.back() += c;
    }
    std::erase_if(names, [](const std::string& name) { return name.empty(); });
    return names;
}

}  // namespace holos::counters
