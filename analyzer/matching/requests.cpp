// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/requests.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace holos::analyzer::matching {

namespace {

using replay::CollectiveRecord;
using replay::kNone;
using replay::OpenRequest;
using replay::RequestKind;
using replay::StrayCompletion;
using trace::LocationId;

std::uint32_t number(LocationId location) {
    return static_cast<std::uint32_t>(location.index());
}

/// What a request and its end have in common.
using RequestId = std::tuple<RequestKind, std::uint32_t, std::uint64_t>;

template <class Request>
RequestId idOf(const Request& request) {
    return {request.kind, request.scope, request.request};
}

/// The requests that the threads of a process left open, by their number and time.
class OpenRequests {
  public:
    struct Entry {
        OpenRequest* request;
        LocationId location;
    };

    OpenRequests(replay::ReplayedTrace& trace, const std::vector<LocationId>& threads) {
        for (const LocationId thread : threads)
            for (OpenRequest& request : trace[thread].messages.open)
                entries_.emplace(Key{idOf(request), request.time}, Entry{&request, thread});
    }

    /// The latest that was begun before the completion and has none yet: numbers may be given out again.
    std::optional<Entry> take(const StrayCompletion& completion) {
        auto after = entries_.upper_bound({idOf(completion), completion.time});
        if (after == entries_.begin()) return std::nullopt;
        const auto latest = --after;
        if (latest->first.first != idOf(completion)) return std::nullopt;
        const Entry found = latest->second;
        entries_.erase(latest);
        return found;
    }

  private:
    using Key = std::pair<RequestId, trace::Ticks>;
    std::multimap<Key, Entry> entries_;
};

/// Joins the requests of one process.
class Linking {
  public:
    Linking(replay::ReplayedTrace& trace, const std::vector<LocationId>& threads)
        : trace_(trace), open_(trace, threads) {}

    void link(LocationId location, StrayCompletion& completion) {
        const auto begun = open_.take(completion);
        if (completion.isCancel) {
            if (begun) trace_[begun->location].messages.sends[begun->request->position].cancelled = true;
            return;
        }
        if (!begun) return leaveOut(location, completion);
        begun->request->completionLocation = number(location);
        begun->request->completion = completion.position;
        completion.beginLocation = number(begun->location);
        completion.begin = begun->request->position;
        switch (completion.kind) {
            case RequestKind::Send:
                return;
            case RequestKind::Receive:
                return linkReceive(location, completion, *begun);
            case RequestKind::Collective:
                return linkCollective(location, completion, *begun);
            case RequestKind::Access:
                return linkAccess(location, completion, *begun);
            case RequestKind::File:
                return linkFile(location, completion, *begun);
        }
    }

    void report() const {
        for (const auto& [location, log] : logs_) {
            auto& all = trace_[location].diagnoses;
            all.insert(all.end(), log.all().begin(), log.all().end());
        }
    }

  private:
    void linkReceive(LocationId location, const StrayCompletion& completion,
                     const OpenRequests::Entry& begun) {
        auto& record = trace_[location].messages.receives[completion.position];
        record.requestCall = begun.request->position;
        record.requestLocation = number(begun.location);
        record.requestEvent = begun.request->event;
    }

    /// The rank's part is the record of the thread that completes it, which is the one that may wait.
    CollectiveRecord& takeBegin(LocationId location, const StrayCompletion& completion,
                                const CollectiveRecord& begin) {
        auto& record = trace_[location].messages.collectives[completion.position];
        record.begin = begin.begin;
        record.blocksFrom = std::max(begin.begin, trace_[location].messages.calls[record.call].enter);
        record.beginCall = begin.beginCall;
        record.beginEvent = begin.beginEvent;
        record.beginLocation = begin.location;
        return record;
    }

    void linkCollective(LocationId location, const StrayCompletion& completion,
                        const OpenRequests::Entry& begun) {
        const auto& there = trace_[begun.location].messages;
        const CollectiveRecord& begin = there.collectives[begun.request->position];
        takeBegin(location, completion, begin).learnFrom(there.calls[begin.beginCall]);
    }

    void linkAccess(LocationId location, const StrayCompletion& completion,
                    const OpenRequests::Entry& begun) {
        trace_[location].rma[completion.position].target =
            trace_[begun.location].rma[begun.request->position].target;
    }

    void linkFile(LocationId location, const StrayCompletion& completion, const OpenRequests::Entry& begun) {
        replay::FileRequest& asked = trace_[begun.location].files.open[begun.request->position];
        asked.bytes = completion.bytes;
        if (asked.record == kNone) return;
        CollectiveRecord& begin = trace_[begun.location].messages.collectives[asked.record];
        CollectiveRecord& record = takeBegin(location, completion, begin);
        record.operation = replay::operationOf(asked);
        record.comm = std::exchange(begin.comm, kNone);
    }

    /// Files and windows without a start moved nothing and wait for nobody: records of them may begin late.
    void leaveOut(LocationId location, const StrayCompletion& completion) {
        if (completion.kind == RequestKind::Access || completion.kind == RequestKind::File) return;
        const bool isCollective = completion.kind == RequestKind::Collective;
        if (isCollective) {
            CollectiveRecord& record = trace_[location].messages.collectives[completion.position];
            record.operation = replay::Collective::Other;
            record.comm = kNone;
        }
        const auto log =
            logs_.try_emplace(location, trace_.definitions, trace_.definitions[location].reference);
        log.first->second.add(isCollective ? Trouble::UnmatchedCollective : Trouble::UnmatchedMessage,
                              textOf(completion.kind), completion.event, completion.time);
    }

    static const char* textOf(RequestKind kind) {
        if (kind == RequestKind::Send)
            return "a send request was completed that no thread of the process had begun; its late receiver "
                   "is not determined";
        if (kind == RequestKind::Receive)
            return "a receive request was completed that no thread of the process had posted; its late "
                   "receiver is not determined";
        return "a nonblocking collective operation completed that had not begun; it was left out";
    }

    replay::ReplayedTrace& trace_;
    OpenRequests open_;
    std::map<LocationId, replay::DiagnosisLog> logs_;
};

struct Stray {
    LocationId location;
    StrayCompletion* completion;
};

/// Of all threads of a process, in the order of time.
std::vector<Stray> strayOf(replay::ReplayedTrace& trace, const std::vector<LocationId>& threads) {
    std::vector<Stray> all;
    for (const LocationId thread : threads)
        for (StrayCompletion& completion : trace[thread].messages.stray) all.push_back({thread, &completion});
    std::stable_sort(all.begin(), all.end(),
                     [](const Stray& a, const Stray& b) { return a.completion->time < b.completion->time; });
    return all;
}

}  // namespace

void linkRequests(replay::ReplayedTrace& trace, workers::Workers& workers) {
    workers.forEach(trace.definitions.processes.size(), [&](std::size_t p) {
        const auto& threads = trace.definitions.processes[p].threads;
        const std::vector<Stray> stray = strayOf(trace, threads);
        if (stray.empty()) return;
        Linking linking(trace, threads);
        for (const auto& [location, completion] : stray) linking.link(location, *completion);
        linking.report();
    });
}

}  // namespace holos::analyzer::matching
