// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/requests.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace holos::analyzer::replay {

namespace {

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

    OpenRequests(ByLocation<LocationTrace>& traces, const std::vector<LocationId>& threads) {
        for (const LocationId thread : threads) {
            if (!traces.has(thread.index())) continue;
            for (OpenRequest& request : traces.own(thread.index()).messages.open)
                entries_.emplace(Key{idOf(request), request.time}, Entry{&request, thread});
        }
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
class Joining {
  public:
    Joining(const trace::Definitions& definitions, ByLocation<LocationTrace>& traces,
            const std::vector<LocationId>& threads)
        : definitions_(definitions), traces_(traces), open_(traces, threads) {}

    void join(LocationId location, StrayCompletion& completion) {
        const auto begun = open_.take(completion);
        if (completion.isCancel) {
            if (begun) at(begun->location).messages.sends[begun->request->position].cancelled = true;
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
                return joinReceive(location, completion, *begun);
            case RequestKind::Collective:
                return joinCollective(location, completion, *begun);
            case RequestKind::Access:
                return joinAccess(location, completion, *begun);
            case RequestKind::File:
                return joinFile(location, completion, *begun);
        }
    }

    void report(ByLocation<std::vector<Diagnosis>>& diagnoses) const {
        for (const auto& [location, log] : logs_) {
            auto& all = diagnoses.own(location.index());
            all.insert(all.end(), log.all().begin(), log.all().end());
        }
    }

  private:
    void joinReceive(LocationId location, const StrayCompletion& completion,
                     const OpenRequests::Entry& begun) {
        auto& record = at(location).messages.receives[completion.position];
        record.requestCall = begun.request->position;
        record.requestLocation = number(begun.location);
        record.requestEvent = begun.request->event;
    }

    /// The rank's part is the record of the thread that completes it, which is the one that may wait.
    CollectiveRecord& takeBegin(LocationId location, const StrayCompletion& completion,
                                const CollectiveRecord& begin) {
        auto& record = at(location).messages.collectives[completion.position];
        record.begin = begin.begin;
        record.blocksFrom = std::max(begin.begin, at(location).messages.calls[record.call].enter);
        record.beginCall = begin.beginCall;
        record.beginEvent = begin.beginEvent;
        record.beginLocation = begin.location;
        return record;
    }

    void joinCollective(LocationId location, const StrayCompletion& completion,
                        const OpenRequests::Entry& begun) {
        const auto& there = at(begun.location).messages;
        const CollectiveRecord& begin = there.collectives[begun.request->position];
        takeBegin(location, completion, begin).learnFrom(there.calls[begin.beginCall]);
    }

    void joinAccess(LocationId location, const StrayCompletion& completion,
                    const OpenRequests::Entry& begun) {
        at(location).rma[completion.position].target = at(begun.location).rma[begun.request->position].target;
    }

    void joinFile(LocationId location, const StrayCompletion& completion, const OpenRequests::Entry& begun) {
        FileRequest& asked = at(begun.location).files.open[begun.request->position];
        asked.bytes = completion.bytes;
        if (asked.record == kNone) return;
        CollectiveRecord& begin = at(begun.location).messages.collectives[asked.record];
        CollectiveRecord& record = takeBegin(location, completion, begin);
        record.operation = operationOf(asked);
        record.comm = std::exchange(begin.comm, kNone);
    }

    /// Files and windows without a start moved nothing and wait for nobody: records of them may begin late.
    void leaveOut(LocationId location, const StrayCompletion& completion) {
        if (completion.kind == RequestKind::Access || completion.kind == RequestKind::File) return;
        const bool isCollective = completion.kind == RequestKind::Collective;
        if (isCollective) {
            CollectiveRecord& record = at(location).messages.collectives[completion.position];
            record.operation = Collective::Other;
            record.comm = kNone;
        }
        const auto log = logs_.try_emplace(location, definitions_, definitions_[location].reference);
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

    LocationTrace& at(LocationId location) { return traces_.own(location.index()); }

    const trace::Definitions& definitions_;
    ByLocation<LocationTrace>& traces_;
    OpenRequests open_;
    std::map<LocationId, DiagnosisLog> logs_;
};

struct Stray {
    LocationId location;
    StrayCompletion* completion;
};

/// Of all threads of a process, in the order of time.
std::vector<Stray> strayOf(ByLocation<LocationTrace>& traces, const std::vector<LocationId>& threads) {
    std::vector<Stray> all;
    for (const LocationId thread : threads) {
        if (!traces.has(thread.index())) continue;
        for (StrayCompletion& completion : traces.own(thread.index()).messages.stray)
            all.push_back({thread, &completion});
    }
    std::ranges::stable_sort(
        all, [](const Stray& a, const Stray& b) { return a.completion->time < b.completion->time; });
    return all;
}

}  // namespace

void joinRequests(const trace::Definitions& definitions, ByLocation<LocationTrace>& traces,
                  ByLocation<std::vector<Diagnosis>>& diagnoses, workers::Workers& workers) {
    workers.forEach(definitions.processes.size(), [&](std::size_t p) {
        const auto& threads = definitions.processes[p].threads;
        const std::vector<Stray> stray = strayOf(traces, threads);
        if (stray.empty()) return;
        Joining joining(definitions, traces, threads);
        for (const auto& [location, completion] : stray) joining.join(location, *completion);
        joining.report(diagnoses);
    });
}

}  // namespace holos::analyzer::replay
