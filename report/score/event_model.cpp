// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/event_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "base/function_name.h"
#include "tracing/recordings/format/record.h"

namespace holos::score {
namespace {

struct Words {
    const char* name;
    const char* meaning;
};
constexpr std::array<Words, kRegionKinds> kWords{{{"USR", "functions and regions of the program"},
                                                  {"COM", "those that lead to MPI, OpenMP or threads"},
                                                  {"MPI", "MPI, but for files"},
                                                  {"OMP", "OpenMP"},
                                                  {"PTHREAD", "POSIX threads"},
                                                  {"IO", "files"},
                                                  {"SYSTEM", "waiting in the C library"},
                                                  {"MEASUREMENT", "of the recorder itself"},
                                                  {"STARVATION", "could run, and had no processor"},
                                                  {"STACK", "known from call stacks only"}}};

RegionKind kindAlone(const algebra::Region& region) {
    const std::string_view paradigm = region.paradigm;
    if (region.role.starts_with("file io")) return RegionKind::Files;
    if (paradigm == "mpi") return RegionKind::Mpi;
    if (paradigm == "openmp") return RegionKind::OpenMp;
    if (paradigm == "pthread") return RegionKind::Threads;
    if (paradigm == "sampling") return RegionKind::NotRecorded;
    if (region.name == algebra::kShortageRegionName) return RegionKind::Starvation;
    if (paradigm == "measurement" || paradigm == "scorep") return RegionKind::Measurement;
    return paradigm == "none" ? RegionKind::System : RegionKind::User;
}

constexpr std::array<std::string_view, 10> kAskingMpi{
    "MPI_Comm_rank",     "MPI_Comm_size", "MPI_Get_address", "MPI_Get_count", "MPI_Get_elements",
    "MPI_Get_processor", "MPI_Group_",    "MPI_Info_",       "MPI_Type_",     "MPI_Wti"};
constexpr std::array<std::string_view, 11> kConstructs{
    "!$omp for",       "!$omp distribute", "!$omp sections",      "!$omp single",
    "!$omp workshare", "!$omp master",     "!$omp critical",      "!$omp critical sblock",
    "!$omp atomic",    "!$omp ordered",    "!$omp ordered sblock"};
constexpr std::array<std::string_view, 7> kLocksOfThreads{
    "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "sem_", "mtx_", "cnd_"};

template <class Names>
bool beginsWithOneOf(std::string_view name, const Names& names) {
    return std::ranges::any_of(names, [&](std::string_view one) { return name.starts_with(one); });
}

bool isOfParallelism(RegionKind kind) {
    return kind == RegionKind::Mpi || kind == RegionKind::OpenMp || kind == RegionKind::Threads ||
           kind == RegionKind::Files;
}

}  // namespace

const char* kindName(RegionKind kind) {
    return kWords[static_cast<std::size_t>(kind)].name;
}
const char* meaningOf(RegionKind kind) {
    return kWords[static_cast<std::size_t>(kind)].meaning;
}

bool canBeFiltered(RegionKind kind, std::string_view name) {
    switch (kind) {
        case RegionKind::User:
        case RegionKind::Common:
            return true;
        case RegionKind::Mpi:
            return beginsWithOneOf(name, kAskingMpi);
        case RegionKind::OpenMp:
            return (name.starts_with("omp_") && name.find("lock") != name.npos) ||
                   isOneOf(nameForFilter(kind, name), kConstructs);
        case RegionKind::Threads:
            return beginsWithOneOf(name, kLocksOfThreads);
        default:
            return false;
    }
}

bool isPoll(std::string_view name) {
    constexpr std::array<std::string_view, 6> kOthers{"MPI_Iprobe",   "MPI_Improbe",
                                                      "MPI_Parrived", "MPI_Request_get_status",
                                                      "MPI_Win_test", "pthread_mutex_trylock"};
    const bool isTest = name.starts_with("MPI_Test") && name != "MPI_Test_cancelled";
    return isTest || name.starts_with("omp_test_") || std::ranges::find(kOthers, name) != kOthers.end();
}

std::string_view nameForFilter(RegionKind kind, std::string_view name) {
    return kind == RegionKind::OpenMp ? name.substr(0, name.find(" @")) : name;
}

std::vector<RegionKind> kindsOf(const algebra::Experiment& experiment) {
    std::vector<RegionKind> kinds;
    for (const algebra::Region& region : experiment.regions) kinds.push_back(kindAlone(region));
    const algebra::CallTree& tree = experiment.callTree;
    std::vector<char> leads(tree.size(), 0);
    // Children stand behind their parents.
    for (std::size_t i = tree.size(); i-- > 0;) {
        const algebra::CallPathId path(i);
        RegionKind& kind = kinds[tree[path].region.index()];
        if (leads[i] != 0 && kind == RegionKind::User) kind = RegionKind::Common;
        const auto parent = tree.parent(path);
        if (parent && (leads[i] != 0 || isOfParallelism(kind))) leads[parent->index()] = 1;
    }
    return kinds;
}

namespace {

using tracing::RecordKind;

// OTF2's encoding: kind and length of a record, of an enter or leave the kind alone, and of numbers their
// length and what follows leading zeros.
constexpr double kHead = 2;
constexpr double kHeadOfVisit = 1;
constexpr double kTime = 1 + 8;
constexpr double kSmall = 2;                  ///< a number below 256
constexpr double kMiddle = 3;                 ///< one below 65,536
constexpr double kByte = 1;                   ///< a field of one byte
constexpr double kMessage = kSmall + kSmall;  ///< communicator and tag

/// Bytes of a reference to one of so many definitions, on average.
double sizeOfReference(std::size_t definitions) {
    double size = kSmall, sum = 0;
    std::size_t counted = 0;
    for (std::size_t below = 256; definitions > counted; below *= 256, ++size) {
        const std::size_t end = size < kByte + 4 ? std::min(definitions, below) : definitions;
        sum += size * static_cast<double>(end - counted);
        counted = end;
    }
    return counted > 0 ? sum / static_cast<double>(counted) : kSmall;
}

double sizeOfNumber(double number) {
    if (!(number >= 1)) return kByte;
    return kByte + std::floor(std::log2(number) / 8) + 1;
}

double recorded(RecordKind kind, std::size_t counters = 0) {
    return static_cast<double>(tracing::recordWords(kind, counters) * sizeof(std::uint64_t));
}

EventBytes operator*(double times, const EventBytes& bytes) {
    return {times * bytes.trace, times * bytes.recording};
}
EventBytes& operator+=(EventBytes& sum, const EventBytes& bytes) {
    sum.trace += bytes.trace;
    sum.recording += bytes.recording;
    return sum;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool isNonblocking(std::string_view name) {
    return name.starts_with("MPI_I") && !name.starts_with("MPI_Init") && !name.starts_with("MPI_Iprobe") &&
           !name.starts_with("MPI_Improbe");
}

/// How many locks a visit acquires and releases, together.
double locksOf(const algebra::Region& region) {
    const std::string_view name = region.name;
    if (region.role == "critical" || region.role == "ordered" || contains(name, "cond_wait") ||
        contains(name, "cond_timedwait"))
        return 2;
    const bool isOfLock = contains(name, "_lock") || contains(name, "_nest_lock") ||
                          contains(name, "mutex_trylock") || contains(name, "_unlock");
    const bool isOther = contains(name, "_init_") || contains(name, "_destroy_");
    return isOfLock && !isOther ? 1 : 0;
}

}  // namespace

struct EventModel::Counts {
    double visits = 0;  ///< that have an enter and a leave
    double sends = 0, receives = 0, collectives = 0, oneSided = 0, files = 0;
    double bytes = 0;  ///< of messages and collective operations
};

EventModel::EventModel(const algebra::Experiment& experiment, std::size_t counters,
                       const std::vector<bool>& recorded)
    : experiment_(experiment),
      region_(sizeOfReference(experiment.regions.size())),
      peer_(sizeOfReference(experiment.system.processes.size())),
      callingPath_(sizeOfReference(experiment.callTree.size())),
      counters_(ofCounters(counters)),
      isThinned_(counters == 0),
      visits_(experiment.system.locations.size(), 0) {
    for (const algebra::CallPathId path : experiment.callTree.ids()) {
        if (!recorded[path.index()]) continue;
        const std::vector<double> visits = perLocation("visits", path);
        for (std::size_t i = 0; i < visits.size(); ++i) visits_[i] += visits[i];
    }
}

double EventModel::recordedVisits(double visits, double repeated, double others) const {
    constexpr double kOfSeries = 3;  // the first, those that follow, and one that finds something
    const double series = std::min(visits - repeated, 1 + others);
    return std::min(visits, kOfSeries * series);
}

EventBytes EventModel::ofCounters(std::size_t counters) {
    if (counters == 0) return {};
    constexpr double kValue = kByte + 1 + 8;  // its type, length and all of it
    const double record = kHead + kSmall + kByte + kValue * static_cast<double>(counters);
    return {2 * record, 2 * recorded(RecordKind::Counters, counters)};
}

double EventModel::ofCallPath() const {
    const double attributes = kHead + kByte + 1;  // a record of its own, and their number
    return attributes + kByte + kByte + callingPath_;
}

std::vector<double> EventModel::perLocation(const char* name, algebra::CallPathId path) const {
    const auto metric = experiment_.findMetric(name);
    if (!metric) return std::vector<double>(experiment_.system.locations.size(), 0);
    return algebra::perLocation(experiment_, {*metric}, {{path, algebra::Extent::Exclusive}});
}

EventBytes EventModel::ofMessages(const algebra::Region& region, const Counts& counts) const {
    EventBytes sum;
    const double number = std::max(1.0, counts.sends + counts.receives + counts.collectives);
    const double length = sizeOfNumber(counts.bytes / number);
    const bool isNonblockingCall = isNonblocking(region.name);
    const double request = isNonblockingCall || contains(region.name, "_start") ? kMiddle : 0;
    sum += counts.sends * EventBytes{kHead + peer_ + kMessage + length + request,
                                     recorded(request > 0 ? RecordKind::MpiIsend : RecordKind::MpiSend)};
    if (request > 0)
        sum += counts.sends * EventBytes{kHead + kMiddle, recorded(RecordKind::MpiIsendComplete)};
    if (region.name == "MPI_Irecv" || region.name == "MPI_Imrecv")
        sum += counts.visits * EventBytes{kHead + kMiddle, recorded(RecordKind::MpiIrecvRequest)};
    const bool completes = contains(region.name, "MPI_Wait") || contains(region.name, "MPI_Test");
    sum += counts.receives * EventBytes{kHead + peer_ + kMessage + length + (completes ? kMiddle : 0),
                                        recorded(completes ? RecordKind::MpiIrecv : RecordKind::MpiRecv)};
    if (contains(region.name, "MPI_Test"))
        sum += std::max(0.0, counts.visits - counts.receives) *
               EventBytes{kHead + kMiddle, recorded(RecordKind::MpiRequestTest)};
    const double collective = kHead + kByte + kSmall + kSmall + 2 * length;
    sum += counts.collectives * EventBytes{kHead + collective, recorded(RecordKind::MpiCollectiveBegin) +
                                                                   recorded(RecordKind::MpiCollectiveEnd)};
    sum +=
        counts.oneSided * EventBytes{kHead + peer_ + kSmall + length + kMiddle, recorded(RecordKind::RmaPut)};
    sum += counts.files * EventBytes{2 * kHead + 2 * (kSmall + length + kMiddle) + 2 * kByte,
                                     recorded(RecordKind::FileBegin) + recorded(RecordKind::FileComplete)};
    return sum;
}

EventBytes EventModel::ofThreads(const algebra::Region& region, const Counts& counts, bool isMaster) const {
    EventBytes sum;
    if (region.role == "parallel") {
        constexpr double kTeam = 2 * (kHead + kSmall);
        constexpr double kForkAndJoin = 2 * kHead + 2 * kByte + kSmall;
        // What ends a parallel region on other threads than the first has the time of its barrier's end.
        const double times = isMaster ? 4 * kTime : 0;
        sum += counts.visits * EventBytes{kTeam + times, recorded(RecordKind::ThreadTeamBegin) +
                                                             recorded(RecordKind::ThreadTeamEnd)};
        if (isMaster)
            sum += counts.visits * EventBytes{kForkAndJoin, recorded(RecordKind::ThreadFork) +
                                                                recorded(RecordKind::ThreadJoin)};
    }
    const double tasks = region.role == "task create" ? 1 : region.role == "task" ? 2 : 0;
    sum += tasks * counts.visits * EventBytes{kHead + 2 * kSmall + kMiddle, recorded(RecordKind::TaskCreate)};
    if (region.paradigm == "openmp" || region.paradigm == "pthread")
        sum += locksOf(region) * counts.visits *
               EventBytes{kTime + kHead + kByte + kSmall + kMiddle, recorded(RecordKind::AcquireLock)};
    return sum;
}

std::vector<EventBytes> EventModel::bytesOf(algebra::CallPathId path) const {
    const algebra::Region& region = experiment_.regionOf(path);
    const bool isOfMpi = region.paradigm == "mpi";
    const auto count = [&](const char* metric) {
        return isOfMpi ? perLocation(metric, path) : std::vector<double>();
    };
    const auto visits = perLocation("visits", path);
    const bool areSeries = isThinned_ && isPoll(region.name);
    const auto repeated = areSeries ? perLocation("visits_repeated", path) : std::vector<double>();
    const auto sends = count("comms_send"), emptySends = count("syncs_send");
    const auto receives = count("comms_recv"), emptyReceives = count("syncs_recv");
    const auto collectives = count("comms_coll"), barriers = count("syncs_coll");
    const auto oneSided = count("comms_rma"), files = count("mpi_file_ops"), bytes = count("bytes");

    std::vector<EventBytes> result(visits.size());
    const algebra::CallPath& call = experiment_.callTree[path];
    const EventBytes firstVisit{call.line >= 0 || !call.module.empty() ? ofCallPath() : 0, 0};
    const EventBytes visit{2 * (kTime + kHeadOfVisit + region_),
                           recorded(RecordKind::Enter) + recorded(RecordKind::Leave)};
    for (std::size_t i = 0; i < visits.size(); ++i) {
        Counts counts{.visits = visits[i]};
        if (!(counts.visits > 0)) continue;
        if (areSeries) counts.visits = recordedVisits(visits[i], repeated[i], visits_[i] - visits[i]);
        result[i] += firstVisit;
        result[i] += counts.visits * visit;
        result[i] += counts.visits * counters_;
        const bool isMaster = experiment_.system.locations[i].rank == 0;
        if (isOfMpi) {
            counts.sends = sends[i] + emptySends[i];
            counts.receives = receives[i] + emptyReceives[i];
            counts.collectives = collectives[i] + barriers[i];
            counts.oneSided = oneSided[i];
            counts.files = files[i];
            counts.bytes = bytes[i];
            result[i] += ofMessages(region, counts);
        }
        result[i] += ofThreads(region, counts, isMaster);
    }
    return result;
}

}  // namespace holos::score
