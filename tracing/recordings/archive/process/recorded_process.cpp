// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/recorded_process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/error.h"

namespace holos::archive {
namespace {

std::uint64_t difference(std::int64_t end, std::int64_t begin) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(end - begin, 0));
}

}  // namespace

std::optional<ProcessorTime> processorTimeOf(const std::vector<RecordedProcessorTime>& recorded,
                                             bool isFirst) {
    if (recorded.size() < (isFirst ? 2 : 1)) return std::nullopt;
    const RecordedProcessorTime begin = isFirst ? recorded.front() : RecordedProcessorTime{0, 0};
    const RecordedProcessorTime& end = recorded.back();
    if (end.on < 0) return std::nullopt;
    ProcessorTime time{difference(end.on, begin.on), std::nullopt};
    if (begin.waiting >= 0 && end.waiting >= 0) time.waiting = difference(end.waiting, begin.waiting);
    return time;
}

/// When it is done, it says how large the definitions are.
bool isOlderThanTheEnd(const tracing::Status& status) {
    const bool isDone = status.ended != 0 || (status.definitionBytes != 0 && status.failure != EPERM);
    return status.isCopied != 0 && !isDone;
}

const std::vector<ChunkPlace>& RecordedProcess::chunksOf(std::uint32_t location) const {
    static const std::vector<ChunkPlace> none;
    const auto found = chunks.find(location);
    return found != chunks.end() ? found->second : none;
}

namespace {

using tracing::DefinitionKind;

/// Bytes that no file of events can have.
constexpr std::uint64_t kBehindAllChunks = std::uint64_t{1} << 62;

/// The entry ends before its fields do.
struct TooShort {};

class Fields {
  public:
    explicit Fields(std::span<const unsigned char> bytes) : bytes_(bytes) {}

    template <class T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() {
        const auto bytes = take(get<std::uint32_t>());
        return {bytes.begin(), bytes.end()};
    }
    /// A number of things that take at least `bytesEach`; more than the entry holds is an error.
    std::uint32_t count(std::size_t bytesEach) {
        const auto n = get<std::uint32_t>();
        if (n > bytes_.size() / bytesEach) throw TooShort{};
        return n;
    }

  private:
    std::span<const unsigned char> take(std::size_t n) {
        if (n > bytes_.size()) throw TooShort{};
        const auto taken = bytes_.first(n);
        bytes_ = bytes_.subspan(n);
        return taken;
    }

    std::span<const unsigned char> bytes_;
};

void parseChunk(Fields& fields, RecordedProcess& process) {
    ChunkProof proof{};
    proof.location = fields.get<std::uint32_t>();
    const auto offset = fields.get<std::uint64_t>();
    proof.bytes = fields.get<std::uint32_t>();
    proof.words = fields.get<std::uint32_t>();
    proof.sum = fields.get<std::uint64_t>();
    const bool isChunk = offset % tracing::kUnitBytes == 0 && offset < kBehindAllChunks &&
                         proof.bytes % tracing::kUnitBytes == 0 && proof.bytes <= tracing::kChunkBytes &&
                         proof.words < proof.bytes / sizeof(std::uint64_t);
    if (!isChunk) throw TooShort{};
    process.proofs.insert_or_assign(offset, proof);
}

/// An enumerator up to `last`; a value that this version does not know becomes `other`.
template <class Enum>
Enum known(std::uint8_t value, Enum last, Enum other) {
    return value <= static_cast<std::uint8_t>(last) ? static_cast<Enum>(value) : other;
}

void parseProcess(Fields& fields, RecordedProcess& process) {
    const auto version = fields.get<std::uint32_t>();
    const auto chunk = fields.get<std::uint32_t>();
    if (version != tracing::kFormatVersion || chunk != tracing::kChunkBytes)
        throw Error("recorded by another version of Holos (format " + std::to_string(version) +
                        ", expected " + std::to_string(tracing::kFormatVersion) +
                        "); convert it with that version",
                    {.file = (process.directory / "definitions").string()});
    process.pid = fields.get<std::uint64_t>();
    process.launcherRank = fields.get<std::int64_t>();
    process.host = fields.text();
    process.boot = fields.text();
    process.executable = fields.text();
    process.clock = fields.text();
    const auto n = fields.count(sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < n; ++i) process.arguments.push_back(fields.text());
}

void parseRegion(Fields& fields, bool hasAddress, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedRegion region;
    region.paradigm = known(fields.get<std::uint8_t>(), tracing::Paradigm::System, tracing::Paradigm::User);
    region.role = known(fields.get<std::uint8_t>(), tracing::Role::Phase, tracing::Role::Function);
    region.beginLine = fields.get<std::uint32_t>();
    region.endLine = fields.get<std::uint32_t>();
    region.name = fields.text();
    region.file = fields.text();
    if (hasAddress) {
        region.object = fields.text();
        region.offset = fields.get<std::uint64_t>();
    }
    process.regions.insert_or_assign(ref, std::move(region));
}

void parseComm(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedComm comm;
    comm.root = fields.get<std::uint32_t>();
    comm.number = fields.get<std::uint32_t>();
    comm.name = fields.text();
    comm.size = fields.get<std::uint32_t>();
    comm.remoteSize = fields.get<std::uint32_t>();
    comm.place = fields.get<std::uint32_t>();
    const auto n = fields.count(sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < n; ++i) comm.worldRanks.push_back(fields.get<std::uint32_t>());
    process.comms.insert_or_assign(ref, std::move(comm));
}

std::vector<std::uint32_t> parseNumbers(Fields& fields) {
    std::vector<std::uint32_t> numbers;
    const auto n = fields.count(sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < n; ++i) numbers.push_back(fields.get<std::uint32_t>());
    return numbers;
}

void parseMeeting(Fields& fields, RecordedProcess& process) {
    using tracing::MeetingSide;
    const auto ref = fields.get<std::uint32_t>();
    RecordedMeeting meeting;
    meeting.root = fields.get<std::uint32_t>();
    meeting.number = fields.get<std::uint32_t>();
    meeting.side = known(fields.get<std::uint8_t>(), MeetingSide::HigherSocket, MeetingSide::Parent);
    meeting.ticks = fields.get<std::uint64_t>();
    meeting.key = fields.text();
    meeting.size = fields.get<std::uint32_t>();
    meeting.remoteSize = fields.get<std::uint32_t>();
    meeting.place = fields.get<std::uint32_t>();
    meeting.worldRanks = parseNumbers(fields);
    process.meetings.insert_or_assign(ref, std::move(meeting));
}

void parseDerivedComm(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedDerivedComm comm;
    comm.parent = fields.get<std::uint32_t>();
    comm.count = fields.get<std::uint32_t>();
    comm.root = fields.get<std::uint32_t>();
    comm.size = fields.get<std::uint32_t>();
    comm.remoteSize = fields.get<std::uint32_t>();
    comm.place = fields.get<std::uint32_t>();
    comm.members = parseNumbers(fields);
    process.derivedComms.insert_or_assign(ref, std::move(comm));
}

void parseLocation(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedLocation location;
    location.kind =
        known(fields.get<std::uint8_t>(), tracing::LocationKind::Samples, tracing::LocationKind::Thread);
    location.master = fields.get<std::uint32_t>();
    location.level = fields.get<std::uint32_t>();
    location.number = fields.get<std::uint32_t>();
    location.name = fields.text();
    process.locations.insert_or_assign(ref, std::move(location));
}

/// Of more than two, the first and the last are kept.
/// Numbers are given without gaps, but threads may write them in another order. One that is far ahead of how
/// many were written is damage.
void parseCallPath(Fields& fields, RecordedProcess& process) {
    constexpr std::size_t kMostAhead = 1U << 16U;
    const auto number = fields.get<std::uint32_t>();
    const auto caller = fields.get<std::uint32_t>();
    const auto address = fields.get<std::uint64_t>();
    if (number >= ++process.writtenCalls + kMostAhead) return;
    if (number >= process.callPaths.size()) process.callPaths.resize(std::size_t{number} + 1);
    process.callPaths[number] = {caller, address, static_cast<std::uint32_t>(process.loadedFiles.size())};
}

void parseBinding(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedBinding binding{fields.get<std::int64_t>(), {}};
    const auto n = fields.count(sizeof(std::uint64_t));
    for (std::uint32_t i = 0; i < n; ++i) binding.mask.push_back(fields.get<std::uint64_t>());
    const auto location = process.locations.find(ref);
    if (location == process.locations.end()) return;
    auto& known = location->second.bindings;
    if (known.size() == 2) known.pop_back();
    known.push_back(std::move(binding));
}

/// Of more than two, the first and the last are kept.
void parseProcessorTime(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    const auto on = fields.get<std::int64_t>();
    const RecordedProcessorTime time{on, fields.get<std::int64_t>()};
    const auto location = process.locations.find(ref);
    if (location == process.locations.end()) return;
    auto& known = location->second.processorTimes;
    if (known.size() == 2) known.pop_back();
    known.push_back(time);
}

/// Of those of one number the last one counts.
void parseOtherThread(Fields& fields, RecordedProcess& process) {
    const auto id = fields.get<std::uint32_t>();
    RecordedOtherThread thread;
    thread.origin =
        known(fields.get<std::uint8_t>(), tracing::ThreadOrigin::Silent, tracing::ThreadOrigin::Unknown);
    thread.time.on = fields.get<std::int64_t>();
    thread.time.waiting = fields.get<std::int64_t>();
    thread.name = fields.text();
    thread.starter = fields.text();
    process.otherThreads.insert_or_assign({id, thread.origin}, std::move(thread));
}

/// Of more than two, the first and the last are kept.
void parseProcessTime(Fields& fields, RecordedProcess& process) {
    const auto on = fields.get<std::int64_t>();
    const RecordedProcessTime time{on, fields.get<std::int64_t>()};
    if (process.processTimes.size() == 2) process.processTimes.pop_back();
    process.processTimes.push_back(time);
}

/// Of more than two, the first and the last are kept.
void parseProcessorLimit(Fields& fields, RecordedProcess& process) {
    const auto thousandths = fields.get<std::uint64_t>();
    const RecordedProcessorLimit limit{thousandths, fields.get<std::uint64_t>()};
    if (process.processorLimits.size() == 2) process.processorLimits.pop_back();
    process.processorLimits.push_back(limit);
}

void parseMachineUse(Fields& fields, RecordedProcess& process) {
    const auto inUse = fields.get<std::uint64_t>();
    if (process.machineUse.size() == 2) process.machineUse.pop_back();
    process.machineUse.push_back(inUse);
}

/// Of a process whose parent has ended meanwhile, the first one is known.
void parseChildrenTime(Fields& fields, RecordedProcess& process) {
    const auto time = fields.get<std::uint64_t>();
    const auto parent = fields.get<std::uint32_t>();
    if (process.parent == 0) process.parent = parent;
    if (process.childrenTimes.size() == 2) process.childrenTimes.pop_back();
    process.childrenTimes.push_back(time);
}

void parseMetric(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    RecordedMetric metric;
    metric.type = known(fields.get<std::uint8_t>(), tracing::MetricType::Real, tracing::MetricType::Integer);
    metric.isTotal = fields.get<std::uint8_t>() != 0;
    metric.name = fields.text();
    metric.unit = fields.text();
    process.metrics.insert_or_assign(ref, std::move(metric));
}

void parseGroup(Fields& fields, RecordedProcess& process) {
    const auto ref = fields.get<std::uint32_t>();
    const auto n = fields.count(sizeof(std::uint32_t));
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < n; ++i) ranks.push_back(fields.get<std::uint32_t>());
    process.groups.insert_or_assign(ref, std::move(ranks));
}

void parseGrid(Fields& fields, RecordedProcess& process) {
    RecordedGrid grid{fields.get<std::uint32_t>(), {}};
    const auto n = fields.count(sizeof(std::uint32_t) + 1);
    for (std::uint32_t i = 0; i < n; ++i) {
        const auto size = fields.get<std::uint32_t>();
        grid.dimensions.push_back({size, fields.get<std::uint8_t>() != 0});
    }
    process.grids.push_back(std::move(grid));
}

RecordedCounter& parseCounter(Fields& fields, std::vector<RecordedCounter>& all) {
    constexpr std::size_t kMost = 255;  // of an OTF2 metric class
    if (fields.get<std::uint32_t>() != all.size() || all.size() == kMost) throw TooShort{};
    RecordedCounter counter;
    counter.mode = known(fields.get<std::uint8_t>(), counters::Mode::Absolute, counters::Mode::Accumulated);
    counter.values = known(fields.get<std::uint8_t>(), counters::Values::Real, counters::Values::Unsigned);
    counter.name = fields.text();
    counter.unit = fields.text();
    counter.description = fields.text();
    return all.emplace_back(std::move(counter));
}

void parseSampled(Fields& fields, RecordedProcess& process) {
    RecordedCounter& counter = parseCounter(fields, process.sampled);
    counter.scope = known(fields.get<std::uint8_t>(), counters::Scope::Node, counters::Scope::Process);
}

void parseEntry(Fields fields, RecordedProcess& process) {
    switch (static_cast<DefinitionKind>(fields.get<std::uint8_t>())) {
        case DefinitionKind::Process:
            return parseProcess(fields, process);
        case DefinitionKind::Region:
            return parseRegion(fields, false, process);
        case DefinitionKind::RegionAt:
            return parseRegion(fields, true, process);
        case DefinitionKind::Comm:
            return parseComm(fields, process);
        case DefinitionKind::Location:
            return parseLocation(fields, process);
        case DefinitionKind::ClockSync: {
            const auto ticks = fields.get<std::uint64_t>();
            const auto monotonic = fields.get<std::int64_t>();
            process.syncs.push_back({ticks, monotonic, fields.get<std::int64_t>()});
            return;
        }
        case DefinitionKind::World: {
            const auto rank = fields.get<std::uint32_t>();
            const auto size = fields.get<std::uint32_t>();
            process.world = World{rank, size, fields.get<std::uint64_t>()};
            return;
        }
        case DefinitionKind::ClockOffset: {
            const auto ticks = fields.get<std::uint64_t>();
            const auto nanoseconds = fields.get<std::int64_t>();
            process.offsets.push_back({ticks, nanoseconds, fields.get<double>()});
            return;
        }
        case DefinitionKind::Team: {
            const auto ref = fields.get<std::uint32_t>();
            const auto master = fields.get<std::uint32_t>();
            const auto level = fields.get<std::uint32_t>();
            process.teams.insert_or_assign(ref, RecordedTeam{master, level, fields.get<std::uint32_t>()});
            return;
        }
        case DefinitionKind::Counter:
            parseCounter(fields, process.counters);
            return;
        case DefinitionKind::Sampled:
            return parseSampled(fields, process);
        case DefinitionKind::ActiveShare: {
            const auto counter = fields.get<std::uint32_t>();
            process.activeShares[counter].push_back(fields.get<double>());
            const auto value = fields.get<double>();
            const auto deviation = fields.get<double>();
            if (!(deviation >= 0)) return;  // no estimate
            RecordedEstimate& sum = process.estimates[counter];
            sum.value += value;
            sum.variance += deviation * deviation;
            return;
        }
        case DefinitionKind::UserSpaceShare: {
            const auto counter = fields.get<std::uint32_t>();
            process.userSpaceShares[counter].push_back(fields.get<double>());
            return;
        }
        case DefinitionKind::Stop:
            process.stop = fields.get<std::uint64_t>();
            return;
        case DefinitionKind::Switch: {
            const auto ticks = fields.get<std::uint64_t>();
            process.switches.push_back({ticks, fields.get<std::uint8_t>() != 0});
            return;
        }
        case DefinitionKind::WatchesShortage:
            process.watchesShortage = true;
            return;
        case DefinitionKind::NotWanted:
            process.isWanted = false;
            return;
        case DefinitionKind::File: {
            const auto ref = fields.get<std::uint32_t>();
            process.files.insert_or_assign(ref, fields.text());
            return;
        }
        case DefinitionKind::Handle: {
            const auto ref = fields.get<std::uint32_t>();
            const auto file = fields.get<std::uint32_t>();
            const auto comm = fields.get<std::uint32_t>();
            process.handles.insert_or_assign(ref, RecordedHandle{file, comm, fields.get<std::uint32_t>()});
            return;
        }
        case DefinitionKind::Grid:
            return parseGrid(fields, process);
        case DefinitionKind::Binding:
            return parseBinding(fields, process);
        case DefinitionKind::ProcessorTime:
            return parseProcessorTime(fields, process);
        case DefinitionKind::OtherThread:
            return parseOtherThread(fields, process);
        case DefinitionKind::Exec:
            process.becomesAs = fields.get<std::uint32_t>();
            process.becomes = fields.text();
            return;
        case DefinitionKind::ProcessTime:
            return parseProcessTime(fields, process);
        case DefinitionKind::ProcessorLimit:
            return parseProcessorLimit(fields, process);
        case DefinitionKind::MachineUse:
            return parseMachineUse(fields, process);
        case DefinitionKind::ChildrenTime:
            return parseChildrenTime(fields, process);
        case DefinitionKind::Window: {
            const auto ref = fields.get<std::uint32_t>();
            const auto root = fields.get<std::uint32_t>();
            const auto number = fields.get<std::uint32_t>();
            process.windows.insert_or_assign(ref, RecordedWindow{root, number, fields.get<std::uint32_t>()});
            return;
        }
        case DefinitionKind::Group:
            return parseGroup(fields, process);
        case DefinitionKind::Interrupts: {
            auto name = fields.text();
            const auto period = fields.get<std::uint64_t>();
            process.interrupts = {std::move(name), period, fields.get<std::uint8_t>() != 0};
            return;
        }
        case DefinitionKind::LoadedFile: {
            const auto begin = fields.get<std::uint64_t>();
            const auto end = fields.get<std::uint64_t>();
            auto path = fields.text();
            process.loadedFiles.push_back({begin, end, std::move(path), fields.text()});
            return;
        }
        case DefinitionKind::CallPath:
            return parseCallPath(fields, process);
        case DefinitionKind::PythonFunction: {
            const auto ref = fields.get<std::uint32_t>();
            const auto firstLine = fields.get<std::uint32_t>();
            auto file = fields.text();
            process.pythonFunctions.insert_or_assign(
                ref, RecordedPythonFunction{std::move(file), fields.text(), firstLine});
            return;
        }
        case DefinitionKind::Metric:
            return parseMetric(fields, process);
        case DefinitionKind::Parameter: {
            const auto ref = fields.get<std::uint32_t>();
            process.parameters.insert_or_assign(ref, fields.text());
            return;
        }
        case DefinitionKind::Throttled: {
            const auto region = fields.get<std::uint32_t>();
            const auto calls = fields.get<std::uint32_t>();
            process.throttled.push_back({region, calls, fields.get<double>()});
            return;
        }
        case DefinitionKind::LocationName: {
            const auto location = process.locations.find(fields.get<std::uint32_t>());
            std::string name = fields.text();
            if (location != process.locations.end()) location->second.name = std::move(name);
            return;
        }
        case DefinitionKind::HeardInterface:
            process.annotations.insert(fields.text());
            return;
        case DefinitionKind::MpiLibrary:
            process.mpi = fields.text();
            return;
        case DefinitionKind::Meeting:
            return parseMeeting(fields, process);
        case DefinitionKind::DerivedComm:
            return parseDerivedComm(fields, process);
        case DefinitionKind::Trouble:
            process.troubles.push_back(fields.text());
            return;
        case DefinitionKind::Chunk:
            return parseChunk(fields, process);
    }
    throw TooShort{};
}

}  // namespace

void parseDefinitions(const std::vector<unsigned char>& bytes, RecordedProcess& process) {
    std::span<const unsigned char> rest(bytes);
    while (!rest.empty()) {
        std::uint32_t length = 0;
        if (rest.size() >= sizeof length) std::memcpy(&length, rest.data(), sizeof length);
        const std::size_t at = bytes.size() - rest.size();
        if (length == 0 && rest.size() >= sizeof length) return;
        const bool isUnfinished = (length & tracing::kUnfinished) != 0;
        length &= ~tracing::kUnfinished;
        if (length == 0 || length > rest.size() - sizeof length) {
            process.damage = "definitions end inside an entry at byte " + std::to_string(at);
            return;
        }
        try {
            if (!isUnfinished) parseEntry(Fields(rest.subspan(sizeof length, length)), process);
        } catch (const TooShort&) {
            process.damage = "definitions have an entry of unknown form at byte " + std::to_string(at);
        }
        rest = rest.subspan(std::min(rest.size(), tracing::entryBytes(length)));
    }
}

}  // namespace holos::archive
