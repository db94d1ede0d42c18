// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/call_lengths.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "report/query/run.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr double kClassRatio = 1.25;

class LengthCollector final : public trace::CallEvents {
  public:
    LengthCollector(const CallLengthsQuestion& question, CallLengths& lengths)
        : question_(question), lengths_(lengths) {}

    bool runs(Ticks) override { return true; }
    bool message(const trace::MessageEnd&) override { return true; }
    bool enter(Ticks time, trace::RegionId region) override {
        if (time > question_.to && open_ == 0) return false;
        calls_.push_back({time, region});
        open_ += isMeasured(calls_.back()) ? 1 : 0;
        return true;
    }
    bool leave(Ticks time, trace::RegionId) override {
        if (calls_.empty()) return true;
        const trace::OpenCall call = calls_.back();
        calls_.pop_back();
        if (isMeasured(call)) {
            lengths_.add(time - call.begin);
            --open_;
        }
        return time <= question_.to || open_ != 0;
    }

  private:
    bool isMeasured(const trace::OpenCall& call) const {
        return call.region == question_.region && call.begin >= question_.from && call.begin <= question_.to;
    }

    const CallLengthsQuestion& question_;
    CallLengths& lengths_;
    std::vector<trace::OpenCall> calls_;
    std::size_t open_ = 0;  ///< measured calls among them
};

/// Of a location. Reads of each part only what is needed to tell which of its calls are measured.
class IndexedLengths {
  public:
    IndexedLengths(const query::CallIndex& index, const CallLengthsQuestion& question)
        : index_(index), question_(question) {}

    void add(trace::LocationId location, CallLengths& lengths) {
        const auto [first, end] = index_.blocksOf(location);
        for (std::size_t at = first; at < end; ++at) {
            const query::CallBlock& block = index_.block(at);
            if (block.firstEnter() > question_.to || block.lastEnter < question_.from) continue;
            const bool isWithin = block.firstEnter() >= question_.from && block.lastEnter <= question_.to;
            addBlock(at, isWithin, lengths);
        }
    }

  private:
    void addBlock(std::size_t at, bool isWithin, CallLengths& lengths) {
        index_.read(at, query::CallFact::Region, regions_);
        const auto region = static_cast<std::int64_t>(question_.region.index());
        if (std::ranges::find(regions_, region) == regions_.end()) return;
        index_.read(at, query::CallFact::Duration, durations_);
        if (!isWithin) index_.read(at, query::CallFact::Enter, enters_);
        for (std::size_t row = 0; row < regions_.size(); ++row)
            if (regions_[row] == region &&
                (isWithin || (enters_[row] >= question_.from && enters_[row] <= question_.to)))
                lengths.add(durations_[row]);
    }

    const query::CallIndex& index_;
    const CallLengthsQuestion& question_;
    std::vector<std::int64_t> regions_, durations_, enters_;
};

/// From the index beside the trace; nothing where there is none, or it is damaged.
std::optional<CallLengths> indexedLengths(const CallLengthsQuestion& question,
                                          const std::atomic<bool>& stopped) {
    try {
        query::Run run(question.anchor, {.threads = 1});
        const auto index = run.callIndex(false);
        if (!index) return std::nullopt;
        CallLengths lengths;
        IndexedLengths reader(*index, question);
        for (std::size_t at = 0; at < question.definitions->locations.size() && !stopped; ++at)
            if (question.shown.empty() || question.shown[at]) reader.add(trace::LocationId(at), lengths);
        return lengths;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

int CallLengths::classOf(Ticks length) {
    return length < 1
               ? -1
               : static_cast<int>(std::floor(std::log(static_cast<double>(length)) / std::log(kClassRatio)));
}

double CallLengths::startOf(int number) {
    return number < 0 ? 0.0 : std::pow(kClassRatio, number);
}

void CallLengths::add(Ticks length) {
    shortest = count == 0 ? length : std::min(shortest, length);
    longest = std::max(longest, length);
    ++count;
    sum += length;
    ++classes[classOf(length)];
}

double CallLengths::median() const {
    std::uint64_t before = 0;
    for (const auto& [number, calls] : classes) {
        if (2 * (before + calls) >= count) {
            const double part =
                (static_cast<double>(count) / 2.0 - static_cast<double>(before)) / static_cast<double>(calls);
            const double begin = std::max(startOf(number), static_cast<double>(shortest));
            const double end = std::min(startOf(number + 1), static_cast<double>(longest));
            return begin + part * std::max(0.0, end - begin);
        }
        before += calls;
    }
    return 0.0;
}

CallLengths callLengths(const CallLengthsQuestion& question, const std::atomic<bool>& stopped) {
    if (const auto known = indexedLengths(question, stopped)) return *known;
    CallLengths lengths;
    for (std::size_t at = 0; at < question.definitions->locations.size() && !stopped; ++at) {
        if (!question.shown.empty() && !question.shown[at]) continue;
        LengthCollector collector(question, lengths);
        trace::readCallEvents(question.anchor, *question.definitions, trace::LocationId(at), collector,
                              stopped);
    }
    return lengths;
}

}  // namespace holos::gui
