// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/partners.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "tracing/recordings/archive/events/event_translation.h"
#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {
namespace {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

/// Clocks of different machines agree to so many nanoseconds.
constexpr std::int64_t kClocksApart = 1'000'000;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// A record, and those that are of no use without it.
struct Place {
    std::int64_t time = 0;
    std::uint32_t location = 0;  ///< its place among all
    std::uint64_t record = 0;
    std::optional<std::uint64_t> companion = {};  ///< an earlier or later one of the same location
};

/// Messages with the same communicator, sender, receiver and tag come in the order in which they were sent.
using StreamKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

struct Message {
    StreamKey stream;
    bool isSend;
    Place place;
    bool isOutside = false;    ///< of all calls that began after what was overwritten
    bool isCancelled = false;  ///< nobody received it
};

enum class OperationKind : std::uint8_t { Blocking, Nonblocking, OneSided };
/// With its communicator, or window.
using OperationKey = std::pair<OperationKind, std::uint32_t>;

struct Operation {
    OperationKey key;
    Place place;
    bool isOutside = false;  ///< as a message may be
};

/// A fork with its join, or a team with its end: of the location whose number in the process it is.
struct TeamPart {
    std::uint32_t master;
    std::int64_t begin;  ///< before everything where its record was overwritten
    bool isFork;
    Place place;  ///< of one of its records; the other one is the companion
};

/// What one location kept.
struct Kept {
    const TraceProcess* process = nullptr;
    const TraceLocation* location = nullptr;
    bool isCut = false;
    /// The record that ends a call of which the start was overwritten: what is outside before it is of that
    /// call, and nobody knows since when.
    std::uint64_t endOfCutCall = 0;
    std::int64_t begin = 0;
    std::vector<std::uint64_t> requests = {};  ///< records that begin or complete one, in that call
    std::vector<Message> messages = {};
    std::vector<Operation> operations = {};
    std::vector<TeamPart> teams = {};
};

class KeptReader {
  public:
    KeptReader(const TracePlan& plan, const Timeline& timeline, Kept& kept, std::uint32_t number)
        : plan_(plan),
          clock_(timeline.clock(*kept.process->recorded)),
          offsets_(timeline.offsets(*kept.process->recorded)),
          kept_(kept),
          number_(number) {}

    void read() {
        SettledEvents events(eventsOf(*kept_.process, *kept_.location));
        kept_.isCut = events.file().isCut();
        for (; const auto record = events.next(); ++at_) {
            now_ = globalTime(clock_.nanoseconds(record->ticks), offsets_);
            if (at_ == 0) kept_.begin = now_;
            followCalls(record->kind);
            take(*record);
        }
        for (const TeamPart& part : open_) kept_.teams.push_back(part);
        std::erase_if(kept_.requests, [this](std::uint64_t record) { return record >= kept_.endOfCutCall; });
    }

  private:
    void followCalls(RecordKind kind) {
        if (kind == RecordKind::Enter) ++depth_;
        if (kind != RecordKind::Leave) return;
        if (depth_ != 0)
            --depth_;
        else if (mayBeInCutCall())
            kept_.endOfCutCall = at_;
    }
    bool mayBeInCutCall() const { return kept_.isCut && kept_.endOfCutCall == 0; }
    bool isOutside() const { return depth_ == 0 && mayBeInCutCall(); }

    Place here() const { return {now_, number_, at_}; }

    void take(const Record& record) {
        switch (tracing::groupOf(record.kind)) {
            case tracing::RecordGroup::Mpi:
                return takeMpi(record);
            case tracing::RecordGroup::Rma:
                return takeOneSided(record);
            case tracing::RecordGroup::Team:
                return takeTeam(record);
            default:
                return;
        }
    }

    void takeMpi(const Record& record) {
        switch (record.kind) {
            case RecordKind::MpiIrecvRequest:
                return takeRequest();
            case RecordKind::MpiSend:
            case RecordKind::MpiRecv:
            case RecordKind::MpiIrecv:
                return takeMessage(record);
            case RecordKind::MpiIsend:
                takeMessage(record);
                if (hasTaken_) sends_[record.words[3]] = kept_.messages.size() - 1;
                return;
            case RecordKind::MpiIsendComplete:
                takeRequest();
                if (const auto send = sends_.extract(record.words[0]); !send.empty())
                    kept_.messages[send.mapped()].place.companion = at_;
                return;
            case RecordKind::MpiRequestCancelled:
                if (const auto send = sends_.extract(record.words[0]); !send.empty())
                    kept_.messages[send.mapped()].isCancelled = true;
                return;
            case RecordKind::MpiCollectiveBegin:
                begin_ = at_;
                return;
            case RecordKind::MpiCollectiveEnd:
                return takeOperation(OperationKind::Blocking, commOf(record),
                                     std::exchange(begin_, std::nullopt));
            case RecordKind::MpiCollectiveRequest:
                takeRequest();
                started_[record.words[0]] = at_;
                return;
            case RecordKind::MpiCollectiveComplete: {
                const auto start = started_.extract(record.words[4]);
                return takeOperation(OperationKind::Nonblocking, commOf(record),
                                     start.empty() ? std::nullopt : std::optional(start.mapped()));
            }
            default:
                return;
        }
    }

    void takeOneSided(const Record& record) {
        if (record.kind == RecordKind::RmaCollectiveBegin) begin_ = at_;
        if (record.kind != RecordKind::RmaCollectiveEnd) return;
        takeOperation(OperationKind::OneSided, kept_.process->windows.find(highHalf(record.words[0])),
                      std::exchange(begin_, std::nullopt));
    }

    std::optional<std::uint32_t> commOf(const Record& record) const {
        return kept_.process->comms.find(highHalf(record.words[0]));
    }

    void takeOperation(OperationKind kind, std::optional<std::uint32_t> of,
                       std::optional<std::uint64_t> start) {
        if (!of) return;
        kept_.operations.push_back({{kind, *of}, here(), isOutside()});
        kept_.operations.back().place.companion = start;
    }

    void takeRequest() {
        if (isOutside()) kept_.requests.push_back(at_);
    }

    void takeMessage(const Record& record) {
        hasTaken_ = false;
        const auto comm = commOf(record);
        if (!comm) return;
        const auto peer = peerIn(*comm, lowHalf(record.words[0]));
        if (!peer) return;
        const bool isSend = record.kind == RecordKind::MpiSend || record.kind == RecordKind::MpiIsend;
        const std::uint32_t own = kept_.process->rank;
        const StreamKey stream{*comm, isSend ? own : *peer, isSend ? *peer : own, lowHalf(record.words[1])};
        kept_.messages.push_back({stream, isSend, here(), isOutside()});
        hasTaken_ = true;
    }

    /// The rank in the trace of a rank of the communicator, or of the other group of one between two groups.
    std::optional<std::uint32_t> peerIn(std::uint32_t comm, std::uint32_t rank) const {
        const TraceComm& known = plan_.comms[comm];
        if (known.group.kind == TraceGroup::Kind::MpiSelf) return kept_.process->rank;
        const auto& members = known.group.members;
        const std::size_t first = members.size() - std::min(members.size(), known.remoteSize);
        const bool isFirst =
            std::find(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(first),
                      kept_.process->rank) != members.begin() + static_cast<std::ptrdiff_t>(first);
        const std::size_t place = known.remoteSize != 0 && isFirst ? first + rank : rank;
        return place < members.size() ? std::optional(static_cast<std::uint32_t>(members[place]))
                                      : std::nullopt;
    }

    void takeTeam(const Record& record) {
        const bool isFork = record.kind == RecordKind::ThreadFork || record.kind == RecordKind::ThreadJoin;
        std::uint32_t master = kept_.location->ref;
        if (!isFork) {
            const auto& teams = kept_.process->recorded->teams;
            const auto team = teams.find(lowHalf(record.words[0]));
            if (team == teams.end()) return;
            master = team->second.master;
        }
        if (record.kind == RecordKind::ThreadFork || record.kind == RecordKind::ThreadTeamBegin) {
            open_.push_back({master, now_, isFork, here()});
            return;
        }
        const bool isOpen = !open_.empty() && open_.back().isFork == isFork && open_.back().master == master;
        TeamPart part{master, std::numeric_limits<std::int64_t>::min(), isFork, here()};
        if (isOpen) {
            part = open_.back();
            part.place.companion = at_;
            open_.pop_back();
        }
        kept_.teams.push_back(part);
    }

    const TracePlan& plan_;
    const HostClock& clock_;
    const std::vector<HostOffset> offsets_;
    Kept& kept_;
    std::uint32_t number_;
    std::uint64_t at_ = 0;
    std::size_t depth_ = 0;  ///< regions that began after what was overwritten
    std::int64_t now_ = 0;
    bool hasTaken_ = false;
    std::optional<std::uint64_t> begin_;              ///< of a collective operation
    std::map<std::uint64_t, std::uint64_t> started_;  ///< nonblocking ones, by request
    std::map<std::uint64_t, std::size_t> sends_;      ///< messages that are not complete, by request
    std::vector<TeamPart> open_;
};

/// No record of it is missing at its end.
bool hasEnd(const TraceProcess& process) {
    const RecordedProcess* const recorded = process.recorded;
    return recorded != nullptr && recorded->status.ended != 0 && !recorded->stop &&
           recorded->status.failure == 0 && !recorded->lossIsUnknown;
}

/// Whether no receive comes before its send, where receive j is of send j + shift.
bool isPossible(const std::vector<Place>& sends, const std::vector<Place>& receives, std::ptrdiff_t shift) {
    const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -shift));
    for (std::size_t j = first; j < receives.size(); ++j) {
        const std::size_t send = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(j) + shift);
        if (send >= sends.size()) break;
        if (receives[j].time < sends[send].time) return false;
    }
    return true;
}

/// The largest shift that is possible: each message takes as little time as can be.
std::ptrdiff_t latestShift(const std::vector<Place>& sends, const std::vector<Place>& receives) {
    const auto count = static_cast<std::ptrdiff_t>(receives.size());
    if (sends.empty() || receives.empty()) return 0;
    // Of each receive the shift at which its send is the last one before it; then the least from there on.
    std::vector<std::ptrdiff_t> least(receives.size() + 1, static_cast<std::ptrdiff_t>(sends.size()));
    for (std::ptrdiff_t j = count - 1; j >= 0; --j) {
        const auto& receive = receives[static_cast<std::size_t>(j)];
        const auto behind = std::ranges::upper_bound(sends, receive.time, {}, &Place::time) - sends.begin();
        const bool isAmongSends = behind < static_cast<std::ptrdiff_t>(sends.size());
        const std::ptrdiff_t own = isAmongSends ? behind - 1 - j : static_cast<std::ptrdiff_t>(sends.size());
        least[static_cast<std::size_t>(j)] = std::min(least[static_cast<std::size_t>(j) + 1], own);
    }
    if (least.front() >= 0) return std::min(least.front(), static_cast<std::ptrdiff_t>(sends.size()) - 1);
    std::ptrdiff_t skipped = 0;
    while (skipped < count && least[static_cast<std::size_t>(skipped)] < -skipped) ++skipped;
    return -skipped;
}

class Pairing {
  public:
    Pairing(const TracePlan& plan, const Timeline& timeline) : plan_(plan) {
        for (const TraceProcess& process : plan.processes) {
            if (process.recorded == nullptr || !process.recorded->isWanted) continue;
            for (const TraceLocation& location : process.locations)
                if (!location.isSamples) kept_.push_back({&process, &location});
        }
        tbb::parallel_for(std::size_t{0}, kept_.size(), [&](std::size_t i) {
            KeptReader(plan, timeline, kept_[i], static_cast<std::uint32_t>(i)).read();
        });
    }

    WithoutPartner find() {
        if (std::ranges::none_of(kept_, &Kept::isCut)) return {};
        leaveOutCutCalls();
        pairMessages();
        pairOperations();
        pairTeams();
        for (auto& [location, records] : found_.byLocation) records.sort();
        return std::move(found_);
    }

  private:
    void leaveOut(const Place& place) {
        RecordsWithoutPartner& records = found_.byLocation[kept_[place.location].location->id];
        records.add(place.record);
        if (place.companion) records.add(*place.companion);
    }

    /// In the trace they would be those of the program, from its start on. They are not counted: the call is
    /// not in the trace, and what others have kept of them is left out as it has no partner.
    void leaveOutCutCalls() {
        for (Kept& one : kept_) {
            const auto isOfCutCall = [&](const auto& each) {
                const bool is = each.isOutside && each.place.record < one.endOfCutCall;
                if (is) leaveOut(each.place);
                return is;
            };
            std::erase_if(one.messages, isOfCutCall);
            std::erase_if(one.operations, isOfCutCall);
            for (const std::uint64_t record : one.requests) found_.byLocation[one.location->id].add(record);
        }
    }

    bool isCut(std::uint32_t rank) {
        const auto known = isCutOf_.find(rank);
        if (known != isCutOf_.end()) return known->second;
        return isCutOf_.try_emplace(rank, looksCut(rank)).first->second;
    }
    bool looksCut(std::uint32_t rank) const {
        return std::ranges::any_of(
            kept_, [rank](const Kept& one) { return one.isCut && one.process->rank == rank; });
    }

    void pairMessages() {
        struct Stream {
            std::vector<Place> sends;
            std::vector<Place> receives;
        };
        std::map<StreamKey, Stream> streams;
        for (const Kept& one : kept_)
            for (const Message& message : one.messages) {
                if (message.isCancelled) continue;
                (message.isSend ? streams[message.stream].sends : streams[message.stream].receives)
                    .push_back(message.place);
            }
        for (auto& [key, stream] : streams) {
            std::ranges::stable_sort(stream.sends, {}, &Place::time);
            std::ranges::stable_sort(stream.receives, {}, &Place::time);
            const std::uint32_t sender = std::get<1>(key);
            const std::uint32_t receiver = std::get<2>(key);
            if (!isThere(sender) || !isThere(receiver) || (!isCut(sender) && !isCut(receiver))) continue;
            const TraceProcess& from = plan_.processes[sender];
            const TraceProcess& to = plan_.processes[receiver];
            if (from.recorded->boot != to.recorded->boot)
                for (Place& place : stream.receives) place.time += kClocksApart;
            pair(stream.sends, stream.receives, hasEnd(from) && hasEnd(to));
        }
    }

    bool isThere(std::uint32_t rank) const {
        const RecordedProcess* const recorded = plan_.processes[rank].recorded;
        return recorded != nullptr && recorded->isWanted;
    }

    void pair(const std::vector<Place>& sends, const std::vector<Place>& receives, bool areEndsKnown) {
        auto shift = static_cast<std::ptrdiff_t>(sends.size()) - static_cast<std::ptrdiff_t>(receives.size());
        if (!areEndsKnown || !isPossible(sends, receives, shift)) shift = latestShift(sends, receives);
        const auto some = [this](const std::vector<Place>& all, std::ptrdiff_t number) {
            for (std::ptrdiff_t i = 0; i < std::min(number, static_cast<std::ptrdiff_t>(all.size())); ++i)
                leaveOut(all[static_cast<std::size_t>(i)]);
            found_.messages += static_cast<std::uint64_t>(
                std::clamp<std::ptrdiff_t>(number, 0, static_cast<std::ptrdiff_t>(all.size())));
        };
        some(sends, shift);
        some(receives, -shift);
    }

    using ByRank = std::map<std::uint32_t, std::vector<Place>>;

    void pairOperations() {
        std::map<OperationKey, ByRank> operations;
        for (const Kept& one : kept_)
            for (const Operation& operation : one.operations)
                operations[operation.key][one.process->rank].push_back(operation.place);
        for (auto& [key, ranks] : operations) {
            const std::uint32_t comm =
                key.first == OperationKind::OneSided ? plan_.windows[key.second] : key.second;
            if (plan_.comms[comm].group.kind == TraceGroup::Kind::MpiSelf) continue;
            for (const std::uint64_t member : plan_.comms[comm].group.members)
                if (isThere(static_cast<std::uint32_t>(member))) ranks[static_cast<std::uint32_t>(member)];
            for (auto& [rank, places] : ranks) std::ranges::stable_sort(places, {}, &Place::time);
            if (std::ranges::any_of(ranks, [this](const auto& one) { return isCut(one.first); }))
                pairRanks(ranks);
        }
    }

    /// Each keeps as many as the one with the fewest has.
    void pairRanks(const ByRank& ranks) {
        const bool areEndsKnown = std::ranges::all_of(
            ranks, [this](const auto& one) { return hasEnd(plan_.processes[one.first]); });
        const auto fewest =
            std::ranges::min_element(ranks, {}, [](const auto& one) { return one.second.size(); });
        std::map<std::uint32_t, std::ptrdiff_t> behind;  // the last one of the rank with the fewest
        std::ptrdiff_t kept = static_cast<std::ptrdiff_t>(fewest->second.size());
        for (const auto& [rank, places] : ranks) {
            behind[rank] = areEndsKnown ? 0 : operationsBehind(fewest->second, places);
            kept = std::min(kept, static_cast<std::ptrdiff_t>(places.size()) - behind[rank]);
        }
        for (const auto& [rank, places] : ranks) {
            const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(places.size()) - behind[rank] - kept;
            for (std::ptrdiff_t i = 0; i < first; ++i) leaveOut(places[static_cast<std::size_t>(i)]);
            found_.operations += static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, first));
        }
    }

    /// How many of `others` come behind the last one of `own`, where they are paired so that they end at
    /// about the same time.
    static std::ptrdiff_t operationsBehind(const std::vector<Place>& own, const std::vector<Place>& others) {
        constexpr std::ptrdiff_t kMost = 64;
        std::ptrdiff_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::ptrdiff_t behind = 0; behind < kMost; ++behind) {
            double sum = 0;
            std::ptrdiff_t pairs = 0;
            for (; pairs < kMost; ++pairs) {
                const std::ptrdiff_t mine = static_cast<std::ptrdiff_t>(own.size()) - 1 - pairs;
                const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(others.size()) - 1 - behind - pairs;
                if (mine < 0 || other < 0) break;
                sum += std::abs(static_cast<double>(own[static_cast<std::size_t>(mine)].time -
                                                    others[static_cast<std::size_t>(other)].time));
            }
            if (pairs == 0 || sum / static_cast<double>(pairs) >= least) continue;
            least = sum / static_cast<double>(pairs);
            best = behind;
        }
        return best;
    }

    /// Keys the threads of one process and one master.
    using MasterKey = std::pair<std::uint32_t, std::uint32_t>;

    /// A fork is of use from when on all threads of its teams have kept what they did in them.
    void pairTeams() {
        std::map<MasterKey, std::int64_t> complete;  // from when on, where something was cut
        for (const Kept& one : kept_) {
            if (!one.isCut) continue;
            const auto recorded = one.process->recorded->locations.find(one.location->ref);
            if (recorded == one.process->recorded->locations.end()) continue;
            raise(complete[{one.process->rank, one.location->ref}], one.begin);
            if (recorded->second.kind == tracing::LocationKind::Place)
                raise(complete[{one.process->rank, recorded->second.master}], one.begin);
        }
        std::map<MasterKey, std::int64_t> first;  // fork from then on
        for (const Kept& one : kept_)
            for (const TeamPart& part : one.teams) {
                const MasterKey key{one.process->rank, part.master};
                if (!part.isFork || !complete.contains(key) || part.begin < complete[key]) continue;
                const auto known = first.try_emplace(key, part.begin).first;
                known->second = std::min(known->second, part.begin);
            }
        for (const Kept& one : kept_)
            for (const TeamPart& part : one.teams) {
                const MasterKey key{one.process->rank, part.master};
                if (!complete.contains(key)) continue;
                const auto fork = first.find(key);
                if (part.begin >= (fork != first.end() ? fork->second : kNever)) continue;
                leaveOut(part.place);
                found_.forks += part.isFork ? 1 : 0;
            }
    }

    static void raise(std::int64_t& time, std::int64_t other) { time = std::max(time, other); }

    const TracePlan& plan_;
    std::vector<Kept> kept_;
    std::map<std::uint32_t, bool> isCutOf_;  ///< by rank; as far as was asked
    WithoutPartner found_;
};

}  // namespace

void RecordsWithoutPartner::sort() {
    std::ranges::sort(records_);
}

std::string WithoutPartner::note() const {
    std::string text;
    const auto add = [&text](std::uint64_t number, const char* what) {
        if (number != 0) text += (text.empty() ? "" : ", ") + counted(number, what);
    };
    add(messages, "message");
    add(operations, "collective operation");
    add(forks, "fork");
    return text.empty()
               ? text
               : text + " in the trace as calls only: what belongs to them was overwritten in other threads";
}

WithoutPartner findWithoutPartner(const TracePlan& plan, const Timeline& timeline) {
    return Pairing(plan, timeline).find();
}

}  // namespace holos::archive
