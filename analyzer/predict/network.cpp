// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/network.h"

#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace holos::analyzer::predict {

namespace {

using replay::Call;
using replay::Collective;
using replay::RecordRef;

/// The quickest message of each size class.
class Quickest {
  public:
    void add(std::uint64_t bytes, Ticks time) {
        Sample& sample = classes_[static_cast<std::size_t>(std::bit_width(bytes))];
        if (sample.time < 0 || time < sample.time) sample = {bytes, time};
    }
    std::uint64_t sizes() const {
        return static_cast<std::uint64_t>(
            std::ranges::count_if(classes_, [](const Sample& s) { return s.time >= 0; }));
    }
    /// A line through them. Relative deviations count, so that small messages say as much as large ones. Of
    /// one size it cannot be told which part is latency: all of it counts as that.
    void fit(Network& network) const {
        double w = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        for (const Sample& sample : classes_) {
            if (sample.time < 0) continue;
            const double time = std::max<double>(1, static_cast<double>(sample.time));
            const double bytes = static_cast<double>(sample.bytes);
            const double weight = 1 / (time * time);
            w += weight;
            x += weight * bytes;
            y += weight * static_cast<double>(sample.time);
            xx += weight * bytes * bytes;
            xy += weight * bytes * static_cast<double>(sample.time);
        }
        if (w == 0) return;
        const double spread = w * xx - x * x;
        const double slope = spread > 1e-9 * w * xx ? (w * xy - x * y) / spread : 0;
        network.ticksPerByte = std::max(0.0, slope);
        network.latency = (y - network.ticksPerByte * x) / w;
        if (network.latency >= 0) return;
        network.latency = 0;
        network.ticksPerByte = xx > 0 ? xy / xx : 0;
    }

  private:
    struct Sample {
        std::uint64_t bytes = 0;
        Ticks time = -1;
    };
    std::array<Sample, 65> classes_{};
};

class Estimation {
  public:
    Estimation(const matching::MatchedTrace& run, const replay::ReplayedCalls& calls)
        : run_(run), calls_(calls) {
        for (std::uint32_t i = 0; i < run_.trace.locations.size(); ++i) {
            auto& passed = shortages_.emplace_back();
            for (const replay::CallShortage& one : messages(i).shortages) passed[one.call] += one.passed;
        }
    }

    NetworkEstimate run() {
        for (std::uint32_t i = 0; i < run_.trace.locations.size(); ++i) {
            measureReceives(i);
            measureSends(i);
        }
        quickest_.fit(result_.network);
        result_.sizes = quickest_.sizes();
        findEager();
        return result_;
    }

  private:
    const replay::MessageRecords& messages(std::uint32_t location) const {
        return run_.trace.locations[location].messages;
    }

    /// Of several messages that a call waits for, the one that was sent last says most of the network.
    void measureReceives(std::uint32_t location) {
        const auto& receives = messages(location).receives;
        for (std::uint32_t i = 0; i < receives.size();) {
            const std::uint32_t call = receives[i].call;
            const replay::Send* last = nullptr;
            std::uint32_t sender = 0;
            Ticks sent = 0;
            bool isComplete = true;
            for (; i < receives.size() && receives[i].call == call; ++i) {
                const RecordRef ref = run_.matches.messages.sendOf[location][i];
                isComplete = isComplete && ref.isKnown();
                if (!ref.isKnown()) continue;
                const auto& there = messages(ref.location);
                const replay::Send& send = there.sends[ref.position];
                if (last != nullptr && there.calls[send.call].enter < sent) continue;
                last = &send;
                sender = ref.location;
                sent = there.calls[send.call].enter;
            }
            if (last == nullptr || !isComplete) continue;
            const Ticks lacking = shortageIn(location, call) + shortageIn(sender, last->call);
            measure(messages(location).calls[call], *last, sent, lacking);
        }
    }

    Ticks shortageIn(std::uint32_t location, std::uint32_t call) const {
        const auto found = shortages_[location].find(call);
        return found == shortages_[location].end() ? 0 : found->second;
    }

    /// Where the receiver was waiting when the message was sent.
    void measure(const Call& receives, const replay::Send& send, Ticks sent, Ticks lacking) {
        constexpr Ticks kTimesTheShortage = 10;
        if (receives.enter > sent || receives.leave < sent) return;
        if (receives.leave - sent < kTimesTheShortage * lacking) {
            ++result_.starved;
            return;
        }
        quickest_.add(send.bytes, receives.leave - sent);
        ++result_.messages;
    }

    /// Whether sends waited for their receivers.
    void measureSends(std::uint32_t location) {
        const auto& here = messages(location);
        for (const replay::SendCompletion& completion : here.completions) {
            const Call& call = here.calls[completion.call];
            if (call.kind != trace::CallKind::Send && call.kind != trace::CallKind::Wait) continue;
            const RecordRef sent = run_.trace.sendOf(trace::LocationId(location), completion);
            const RecordRef received = matching::receiveOf(run_.matches.messages, sent);
            if (!received.isKnown()) continue;
            const Call* posted = run_.trace.postOf(messages(received.location).receives[received.position]);
            if (posted == nullptr || posted->enter <= call.enter) continue;
            const auto& there = messages(sent.location);
            const replay::Send& send = there.sends[sent.position];
            if (isSynchronousSend(calls_, sent.location, there.calls[send.call])) continue;
            if (call.leave <= posted->enter)
                largestEager_ = std::max(largestEager_, send.bytes);
            else
                waited_.push_back(send.bytes);
        }
    }

    void findEager() {
        result_.atOnce = largestEager_;
        std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
        for (const std::uint64_t bytes : waited_)
            if (bytes > largestEager_) {
                smallest = std::min(smallest, bytes);
                ++result_.rendezvous;
            }
        if (result_.rendezvous != 0) result_.network.eager = smallest - 1;
    }

    const matching::MatchedTrace& run_;
    const replay::ReplayedCalls& calls_;
    /// By location, and call: how long it had no processor.
    std::vector<std::unordered_map<std::uint32_t, Ticks>> shortages_;
    NetworkEstimate result_;
    Quickest quickest_;
    std::uint64_t largestEager_ = 0;
    std::vector<std::uint64_t> waited_;
};

}  // namespace

double Network::cost(const Exchange& exchange) const {
    const double others = std::max<double>(1, static_cast<double>(exchange.participants) - 1);
    const double stages = std::ceil(std::log2(others + 1));
    const double volume = static_cast<double>(exchange.bytes) * ticksPerByte;
    switch (exchange.operation) {
        case Collective::Alltoall:
        case Collective::Alltoallv:
        case Collective::Alltoallw:
            return others * latency + volume;
        case Collective::Gather:
        case Collective::Gatherv:
        case Collective::Scatter:
        case Collective::Scatterv:
        case Collective::Allgather:
        case Collective::Allgatherv:
            return stages * latency + volume;
        default:
            return stages * (latency + volume);
    }
}

NetworkEstimate estimateNetwork(const matching::MatchedTrace& run, const replay::ReplayedCalls& calls) {
    return Estimation(run, calls).run();
}

bool isSynchronousSend(const replay::ReplayedCalls& calls, std::uint32_t location, const Call& call) {
    const replay::LocalTree& tree = calls[trace::LocationId(location)].tree;
    const std::string_view name = calls.definitions[tree[call.node].region].name;
    return name == "MPI_Ssend" || name == "MPI_Issend";
}

}  // namespace holos::analyzer::predict
