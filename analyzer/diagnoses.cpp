// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/diagnoses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace holos::analyzer {
namespace {

/// How many of a kind have lines of their own. A million locations may all lack their file.
constexpr std::size_t kMostOfAKind = 10'000;

class DiagnosisList {
  public:
    void add(const std::vector<Diagnosis>& some) {
        for (const Diagnosis& diagnosis : some) add(diagnosis);
    }
    std::vector<Diagnosis> take() {
        for (auto& [trouble, kind] : kinds_)
            if (kind.further > 0)
                all_.push_back({trouble, "further troubles of this kind", {}, {}, {}, kind.further});
        return std::move(all_);
    }

  private:
    struct OfAKind {
        std::size_t lines = 0;
        std::uint64_t further = 0;  ///< troubles that have no line
    };

    void add(const Diagnosis& diagnosis) {
        if (diagnosis.trouble == Trouble::NotAnalyzed) return addOnce(diagnosis);
        OfAKind& kind = kinds_[diagnosis.trouble];
        if (kind.lines == kMostOfAKind) {
            kind.further += diagnosis.count;
            return;
        }
        ++kind.lines;
        all_.push_back(diagnosis);
    }

    void addOnce(const Diagnosis& diagnosis) {
        const auto [known, isNew] = leftOut_.try_emplace(diagnosis.message, all_.size());
        if (isNew) {
            all_.push_back(diagnosis);
            return;
        }
        Diagnosis& everywhere = all_[known->second];
        everywhere.count += diagnosis.count;
        everywhere.location = everywhere.event = std::nullopt;
        everywhere.time = std::nullopt;
    }

    std::vector<Diagnosis> all_;
    std::map<Trouble, OfAKind> kinds_;
    std::map<std::string, std::size_t> leftOut_;  ///< by message: position in `all_`
};

}  // namespace

std::vector<Diagnosis> gatherDiagnoses(const replay::ReplayedCalls& calls, const matching::Matches& matches,
                                       const std::vector<Diagnosis>& others) {
    DiagnosisList all;
    for (const std::string& problem : calls.definitions.problems)
        all.add({{Trouble::MissingDefinition, problem, {}, {}, {}, 1}});
    for (std::size_t i = 0; i < calls.locations.size(); ++i) {
        all.add(calls.diagnoses[i]);
        all.add(matches.messages.diagnoses[i]);
    }
    all.add(others);
    return all.take();
}

namespace {

using replay::LocationTrace;
using trace::CallKind;
using trace::RegionClass;
using trace::TimeClass;

struct Family {
    const char* operations;
    const char* unknown;
    bool isOfMessages;
    std::size_t processes;  ///< with fewer, calls may well leave nothing to record
    bool (*isCall)(const RegionClass&);
    bool (*hasRecord)(const LocationTrace&);
};

/// Completes requests of any kind, or asks for messages that may not be there.
bool movesNothing(const RegionClass& call) {
    return isWait(call.call) || call.call == CallKind::Test || call.call == CallKind::Probe;
}

/// The function makes a request that nobody needs to start, as MPI_Send_init does.
bool makesRequest(std::string_view function) {
    return function.ends_with("_init") || function.ends_with("_INIT");
}

constexpr Family kFamilies[] = {
    // One process alone has nobody but MPI_PROC_NULL and itself.
    {"messages", "waits and bytes", true, 2,
     [](const RegionClass& call) { return call.has(TimeClass::MpiPointToPoint) && !movesNothing(call); },
     [](const LocationTrace& location) {
         return !location.messages.sends.empty() || !location.messages.receives.empty();
     }},
    {"collective operations", "waits and bytes", false, 1,
     [](const RegionClass& call) {
         return call.has(TimeClass::MpiCollective) || call.has(TimeClass::MpiSyncCollective);
     },
     [](const LocationTrace& location) { return !location.messages.collectives.empty(); }},
    {"one-sided operations", "waits and bytes", false, 1,
     [](const RegionClass& call) { return call.has(TimeClass::MpiRma); },
     [](const LocationTrace& location) { return !location.rma.empty(); }},
    {"operations on files", "bytes, and waits in collective ones,", false, 1,
     [](const RegionClass& call) {
         return call.has(TimeClass::MpiIoIndividual) || call.has(TimeClass::MpiIoCollective);
     },
     [](const LocationTrace& location) { return !location.files.empty(); }},
};

/// Names of the functions of a family that were called, in alphabetical order.
std::set<std::string> calledFunctions(const replay::ReplayedCalls& calls, const Family& family) {
    std::set<std::string> names;
    for (const replay::LocationCalls& location : calls.locations)
        for (std::size_t i = replay::kOutside.index() + 1; i < location.tree.size(); ++i) {
            const replay::LocalTree::Node& node = location.tree[replay::NodeId(i)];
            const std::string& name = calls.definitions[node.region].name;
            if (node.visits != 0 && family.isCall(calls.classes[node.region.index()]) && !makesRequest(name))
                names.insert(name);
        }
    return names;
}

std::string listed(const std::set<std::string>& names) {
    constexpr std::size_t kMany = 3;
    if (names.size() > kMany)
        return fmt::format("{} and {} more", fmt::join(names.begin(), std::next(names.begin(), kMany), ", "),
                           names.size() - kMany);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Diagnosis> unrecordedOperations(const replay::ReplayedTrace& trace,
                                            const replay::ReplayedCalls& calls) {
    std::vector<Diagnosis> found;
    for (const Family& family : kFamilies) {
        if (trace.definitions.hasAllMessages && family.isOfMessages) continue;
        if (trace.definitions.processes.size() < family.processes) continue;
        if (std::ranges::any_of(trace.locations, family.hasRecord)) continue;
        const std::set<std::string> called = calledFunctions(calls, family);
        if (called.empty()) continue;
        found.push_back({Trouble::NotRecorded,
                         fmt::format("no {} were recorded, only calls of {}: {} are not known",
                                     family.operations, listed(called), family.unknown),
                         {},
                         {},
                         {},
                         1});
    }
    return found;
}

}  // namespace holos::analyzer
