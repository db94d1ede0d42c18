// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/sampled_time.h"

#include <algorithm>
#include <cmath>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

namespace {

/// A thread of which no sample comes for so many periods was on no processor for the rest of the time.
constexpr Ticks kPatience = 4;
/// More kinds of intervals of a location are not told apart.
constexpr std::size_t kMostKinds = 65536;
/// How many samples wait to be added up.
constexpr std::size_t kMostPending = 4096;
constexpr std::size_t kFewWeights = 64;

/// One for each function, ascending.
template <class Weights>
void addUp(Weights& weights) {
    std::ranges::stable_sort(weights, [](const auto& a, const auto& b) { return a.function < b.function; });
    std::size_t kept = 0;
    for (const auto& weight : weights)
        if (kept != 0 && weights[kept - 1].function == weight.function)
            weights[kept - 1].ticks += weight.ticks;
        else
            weights[kept++] = weight;
    weights.resize(kept);
}

/// Calls `use` with each function and its part of a time. The parts are whole ticks, and their sum is the
/// time.
template <class Weights, class Use>
void divide(Ticks time, const Weights& weights, Use use) {
    double all = 0;
    for (const auto& weight : weights) all += static_cast<double>(weight.ticks);
    double sum = 0;
    Ticks given = 0;
    for (const auto& weight : weights) {
        sum += static_cast<double>(weight.ticks);
        const auto upTo = static_cast<Ticks>(static_cast<double>(time) * (sum / all));
        const Ticks part = std::clamp(upTo, given, time) - given;
        given += part;
        use(weight.function, part);
    }
}

}  // namespace

std::size_t TimeSharing::KindHash::operator()(const Kind& kind) const {
    return trace::tripleHash(kind.booked.index(), kind.before.index(), kind.next.index());
}

TimeSharing::TimeSharing(const trace::Definitions& definitions) {
    const auto ticksPerSecond = static_cast<double>(definitions.clock.ticksPerSecond);
    for (const trace::MetricClass& metricClass : definitions.metricClasses) {
        Period period;
        for (std::size_t i = 0; i < metricClass.members.size(); ++i) {
            const trace::MetricMember& member = definitions.metricMembers[metricClass.members[i].index()];
            if (member.name == trace::kSampledTime && member.type != trace::MetricType::Real)
                period = {i, member.scale * ticksPerSecond};
        }
        isOn_ = isOn_ || period.scale > 0;
        periods_.push_back(period);
    }
}

Ticks TimeSharing::timeOf(trace::MetricClassId metricClass, const CounterValue* values,
                          std::size_t count) const {
    const Period& period = periods_[metricClass.index()];
    if (period.scale <= 0 || period.position >= count || values[period.position].integer <= 0) return 0;
    constexpr double kLongest = 1e15;  // sums of very many stay in range
    const double ticks = period.scale * static_cast<double>(values[period.position].integer);
    return static_cast<Ticks>(std::clamp(std::round(ticks), 1.0, kLongest));
}

void TimeSharing::sample(NodeId function, Ticks begin, Ticks time, Ticks weight) {
    if (!pending_.empty() && pending_.back().function == function)
        pending_.back().ticks += weight;
    else
        pending_.push_back({function, weight});
    if (pending_.size() >= kMostPending) addUp(pending_);
    unseen_ += std::max<Ticks>(0, time - std::max(begin, lastSample_) - kPatience * weight);
    lastSample_ = std::max(lastSample_, time);
    taken_ += weight;
    ++samples_;
}

void TimeSharing::share(const Kind& kind, Ticks begin, Ticks end) {
    if (end <= begin && pending_.empty()) return;
    if (samples_ != 0) unseen_ += std::max<Ticks>(0, end - std::max(begin, lastSample_) - kPatience * gap());
    Sum& sum = sumOf(kind);
    sum.time += std::max<Ticks>(0, end - begin - unseen_);
    sum.weights.insert(sum.weights.end(), pending_.begin(), pending_.end());
    if (sum.weights.size() > 2 * sum.settled + kFewWeights) {
        addUp(sum.weights);
        sum.settled = sum.weights.size();
    }
    leaveOut();
}

TimeSharing::Sum& TimeSharing::sumOf(const Kind& kind) {
    std::uint32_t& recent = recent_[KindHash()(kind) >> 32U & (recent_.size() - 1)];
    if (recent != 0 && sums_[recent - 1].kind == kind) return sums_[recent - 1];
    const bool isTold = sums_.size() < kMostKinds || found_.contains(kind);
    const Kind known = isTold ? kind : Kind{kind.booked, kOutside, kOutside};
    const auto [found, isNew] = found_.try_emplace(known, static_cast<std::uint32_t>(sums_.size()));
    if (isNew) sums_.push_back({known, 0, {}, 0});
    recent = found->second + 1;
    return sums_[found->second];
}

std::vector<SharedTime> TimeSharing::take() {
    std::vector<Sum*> kinds;
    for (Sum& sum : sums_) kinds.push_back(&sum);
    std::ranges::stable_sort(kinds,
                             [](const Sum* a, const Sum* b) { return a->kind.booked < b->kind.booked; });
    std::vector<SharedTime> result;
    for (std::size_t first = 0, last = 0; first < kinds.size(); first = last) {
        while (last < kinds.size() && kinds[last]->kind.booked == kinds[first]->kind.booked) ++last;
        shareOut(std::span(kinds).subspan(first, last - first), result);
    }
    sums_.clear();
    found_.clear();
    return result;
}

void TimeSharing::shareOut(std::span<Sum*> kinds, std::vector<SharedTime>& result) const {
    struct Likely {
        NodeId function;
        double ticks;
    };
    std::vector<Weight> parts;
    std::vector<Likely> likely;  // of the kinds without samples
    Ticks withoutSamples = 0;
    for (Sum* sum : kinds) {
        if (sum->weights.empty()) {
            // What takes longer without a sample was not on a processor.
            if (sum->time <= 2 * gap()) withoutSamples += sum->time;
            continue;
        }
        addUp(sum->weights);
        divide(sum->time, sum->weights, [&](NodeId function, Ticks ticks) {
            parts.push_back({function, ticks});
        });
        if (sum->time >= gap()) continue;  // it could not escape the samples
        // A kind of so much time is met once in gap / time cases, and stands for those that were not, too.
        const auto others = static_cast<double>(gap() - sum->time);
        Ticks all = 0;
        for (const Weight& weight : sum->weights) all += weight.ticks;
        for (const Weight& weight : sum->weights)
            likely.push_back(
                {weight.function, others * static_cast<double>(weight.ticks) / static_cast<double>(all)});
    }
    addUp(likely);
    divide(withoutSamples, likely, [&](NodeId function, Ticks ticks) { parts.push_back({function, ticks}); });
    addUp(parts);
    const NodeId from = kinds.front()->kind.booked;
    for (const Weight& part : parts)
        if (part.function != from && part.function != kOutside && part.ticks != 0)
            result.push_back({from, part.function, part.ticks});
}

void SampledTime::add(NodeId function, Ticks time, Ticks weight) {
    seen_.sample(function);
    sharing_.sample(isComputation(function) ? function : kOutside, stack_.now(), time, weight);
}

bool SampledTime::isComputation(NodeId node) const {
    if (node == kProgram) return true;
    const LocalTree::Node& path = stack_.tree()[node];
    if (node == kOutside || path.adopted) return false;
    if (path.region == trace::kTasksRegion || path.region == trace::kThreadsRegion) return false;
    return context_.classes[path.region.index()].isComputation();
}

void SampledTime::share(Ticks end) {
    if (!isComputation(stack_.current())) return leaveOut();
    seen_.settle();
    sharing_.share({stack_.current(), stack_.left(), next_}, stack_.now(), end);
}

void SampledTime::leaveOut() {
    seen_.settle();
    sharing_.leaveOut();
}

std::vector<SharedTime> SampledTime::finish(CounterRecorder& counters) {
    LocalTree& tree = stack_.tree();
    std::vector<SharedTime> shared = sharing_.take();
    std::vector<CounterRecorder::Part> parts;
    NodeId from = kOutside;
    Ticks own = 0;
    Ticks left = 0;
    for (SharedTime& part : shared) {  // until all are known, the tree has what was booked
        if (part.from != from) own = left = std::max<Ticks>(0, tree[part.from].exclusive);
        from = part.from;
        part.ticks = std::min(part.ticks, left);
        left -= part.ticks;
        if (own != 0)
            parts.push_back({from, part.to, static_cast<double>(part.ticks) / static_cast<double>(own)});
    }
    for (const SharedTime& part : shared) {
        tree[part.from].exclusive -= part.ticks;
        tree[part.to].exclusive += part.ticks;
    }
    counters.share(parts);
    return shared;
}

}  // namespace holos::analyzer::replay
