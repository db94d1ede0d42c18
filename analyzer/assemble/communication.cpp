// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/wait_records.h"

#include <map>
#include <utility>

#include "analyzer/trace/peers.h"

namespace holos::analyzer::assemble {

namespace {

using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

struct Sum {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    Ticks lateSender = 0;
    Ticks lateReceiver = 0;
    std::uint64_t put = 0;
    std::uint64_t got = 0;

    void add(const Sum& other) {
        messages += other.messages;
        bytes += other.bytes;
        lateSender += other.lateSender;
        lateReceiver += other.lateReceiver;
        put += other.put;
        got += other.got;
    }
};
/// By sender and receiver.
using Sums = std::map<std::pair<ProcessId, ProcessId>, Sum>;

/// What the records of one location say.
Sums sumsOf(const patterns::JudgedTrace& run, LocationId location) {
    const trace::Definitions& definitions = run.trace.definitions;
    const auto& messages = run.trace[location].messages;
    const patterns::LocationWaits& waits = run.waits[location.index()];
    const matching::MessageMatches& matches = run.matches.messages;
    const auto processOf = [&](std::uint32_t peer) { return definitions[LocationId(peer)].process; };
    const ProcessId own = definitions[location].process;
    Sums sums;
    for (const replay::Send& send : messages.sends) {
        const auto receiver = trace::peerProcess(definitions, send.comm, location, send.receiver);
        if (receiver) sums[{own, *receiver}].add({1, send.bytes});
    }
    for (std::size_t i = 0; i < waits.receives.size(); ++i)
        if (const Ticks wait = waits.receives[i]; wait > 0)
            sums[{processOf(matches.sendOf[location.index()][i].location), own}].add({0, 0, wait});
    for (std::size_t i = 0; i < waits.completions.size(); ++i)
        if (const Ticks wait = waits.completions[i]; wait > 0) {
            const replay::RecordRef send = run.trace.sendOf(location, messages.completions[i]);
            sums[{own, processOf(matching::receiveOf(matches, send).location)}].add({0, 0, 0, wait});
        }
    for (const replay::RmaRecord& access : run.trace[location].rma) {
        if (access.put == 0 && access.got == 0) continue;
        const auto target = trace::peerProcess(definitions, access.window, location, access.target);
        if (target && access.put > 0) sums[{own, *target}].put += access.put;
        if (target && access.got > 0) sums[{*target, own}].got += access.got;
    }
    return sums;
}

}  // namespace

std::vector<algebra::Traffic> communication(const patterns::JudgedTrace& run, workers::Workers& workers) {
    const trace::Definitions& definitions = run.trace.definitions;
    std::vector<Sums> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(), [&](std::size_t i) { byLocation[i] = sumsOf(run, LocationId(i)); });
    Sums all;
    for (Sums& local : byLocation)
        for (const auto& [pair, sum] : std::exchange(local, {})) all[pair].add(sum);
    std::vector<algebra::Traffic> traffic;
    for (const auto& [pair, sum] : all)
        traffic.push_back({algebra::ProcessId(pair.first.index()), algebra::ProcessId(pair.second.index()),
                           static_cast<double>(sum.messages), static_cast<double>(sum.bytes),
                           definitions.seconds(sum.lateSender), definitions.seconds(sum.lateReceiver),
                           static_cast<double>(sum.put), static_cast<double>(sum.got)});
    return traffic;
}

}  // namespace holos::analyzer::assemble
