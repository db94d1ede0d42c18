// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/helpers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fnv1a.h"
#include "base/packing.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/archive/run/jobs.h"
#include "tracing/recordings/archive/trace_writer.h"

namespace holos::archive {
namespace {

Recording read(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed) {
    return moment ? readRecording(recording, *moment) : readRecording(recording, std::move(packed));
}

/// Where a process was ended by others.
void addUnknownTime(TracePlan& plan) {
    const auto wasSeen = [](const TraceProcess& process) { return extentOf(process).seenEnd.has_value(); };
    if (std::ranges::none_of(plan.processes, wasSeen)) return;
    plan.noMoreEvents = static_cast<std::uint32_t>(plan.regions.size());
    RecordedRegion& region = plan.regions.emplace_back();
    region.name = "NO MORE EVENTS";
    region.paradigm = tracing::Paradigm::Measurement;
    region.role = tracing::Role::Artificial;
}

}  // namespace

Here here() {
    return {bootId(), tracing::clockName(), tracing::synchronizeClocks()};
}

RecordedJobs::RecordedJobs(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed)
    : recording_(recording), filter_(savedFilter(recording)) {
    Recording recorded = read(recording, moment, std::move(packed));
    notes_ = recorded.notes;
    for (const auto& stranger : recorded.strangers)
        notes_.push_back(stranger.stem().string() + " is a process of another run and was left out");
    if (recorded.processes.empty()) return;
    const Meetings meetings = joinWorlds(recorded);
    jobs_ = byJob(std::move(recorded.processes), meetings);
    definitions_ = std::move(recorded.definitions);
}

TracePlan RecordedJobs::plan(std::size_t number) {
    TracePlan plan = planTrace(jobs_[number - 1], definitions_, filter_);
    if (const auto run = readRun(recording_)) plan.run = run->id;
    addUnknownTime(plan);
    plan.hardware = savedHardware(recording_);
    plan.keepsEvents = keepsEvents(recording_);
    plan.keepsNewest = keepsNewest(recording_);
    return plan;
}

Timeline RecordedJobs::timeline(std::size_t number, const Here& here) const {
    const auto& processes = jobs_[number - 1];
    const bool isSameClock = processes.front().clock == here.clock;
    return {processes, isSameClock ? here.boot : "", here.time};
}

namespace {

/// Without a dot, as only folders of processes have one.
fs::path folderIn(const fs::path& recording) {
    return recording / "packed";
}

/// Of a process's folder `HOST.PID.N`.
std::string hostOf(const fs::path& process) {
    return process.stem().stem().string();
}

}  // namespace

SharedReading::SharedReading(Helpers* helpers, const fs::path& recording) : recording_(recording) {
    if (helpers == nullptr || helpers->count() == 0) return;
    pack(*helpers);
    Order order;
    for (const fs::path& file : packed_)
        order.names.push_back(file.lexically_relative(recording_.parent_path()).string());
    for (std::size_t i = 0; i < helpers->count(); ++i) helpers->send(i, orderText(order));
}

SharedReading::~SharedReading() {
    std::error_code none;
    if (isMade_) removeAll(folderIn(recording_), none);
}

/// Where there is no room for packed files, there are none.
void SharedReading::pack(Helpers& helpers) {
    std::error_code error;
    removeAll(folderIn(recording_), error);  // of a process that was killed
    isMade_ = fs::create_directory(folderIn(recording_), error);
    if (!isMade_) return;
    const std::vector<Names> shares = distribute(helpers);
    Order order;
    order.kind = Order::Kind::Pack;
    for (std::size_t i = 0; i < helpers.count(); ++i) {
        if (shares[i].empty()) continue;
        order.names = shares[i];
        order.folder = fileOf(i).lexically_relative(recording_.parent_path()).string();
        helpers.send(i, orderText(order));
    }
    if (const Names& own = shares.back(); !own.empty()) try {
            packFiles(recording_, own, fileOf(helpers.count()));
            packed_.push_back(fileOf(helpers.count()));
        } catch (const Error&) {  // everybody reads them then
        }
    for (std::size_t i = 0; i < helpers.count(); ++i)
        if (!shares[i].empty() && helpers.receive(i) == kPacked) packed_.push_back(fileOf(i));
}

/// Names of processes' folders by who packs them; the last share is of who makes the trace.
std::vector<SharedReading::Names> SharedReading::distribute(const Helpers& helpers) const {
    std::vector<Names> shares(helpers.count() + 1);
    std::size_t next = 0;
    for (const fs::path& process : processFolders(recording_)) {
        const auto chosen = helpers.chosenFor(hostOf(process));
        shares[chosen.value_or(next++ % shares.size())].push_back(process.filename().string());
    }
    return shares;
}

fs::path SharedReading::fileOf(std::size_t packer) const {
    return folderIn(recording_) / std::to_string(packer + 1);
}

namespace {

/// Below, `Packing` is a `Packer` or an `Unpacker`.
template <class Packing>
void pack(Packing& packing, Order& order) {
    packing.value(order.kind);
    packing.value(order.job);
    packing.list(order.folder);
    packing.list(order.names, [&](std::string& name) { packing.list(name); });
    packing.list(order.here.boot);
    packing.list(order.here.clock);
    packing.value(order.here.time);
    packing.value(order.plan);
    packing.list(order.processes);
}

/// Of numbers and texts one after the other.
class Digest {
  public:
    Digest& add(std::uint64_t number) {
        sum_.add(&number, sizeof number);
        return *this;
    }
    Digest& add(const std::string& text) {
        sum_.add(text.data(), text.size());
        return add(text.size());
    }
    std::uint64_t value() const { return sum_.value(); }

  private:
    Fnv1a sum_;
};

void addDefinitions(Digest& digest, const TracePlan& plan) {
    for (const auto& region : plan.regions) digest.add(region.name).add(region.file).add(region.beginLine);
    for (const auto& comm : plan.comms) digest.add(comm.name).add(comm.group.members.size());
    for (const auto& metric : plan.metrics) digest.add(metric.name);
    for (const auto& set : plan.counterSets)
        for (const auto& counter : set) digest.add(counter.name);
    for (const auto& sampler : plan.samplers) digest.add(sampler.location).add(sampler.first);
    for (const std::size_t size : {plan.parameters.size(), plan.files.size(), plan.handles.size(),
                                   plan.windows.size(), plan.groups.size(), plan.sampledSets.size()})
        digest.add(size);
}

/// What is read of code must be the same, too: names and lines tell contexts apart.
void addCode(Digest& digest, const TracePlan& plan) {
    std::set<fs::path> files;
    for (const auto& process : plan.processes)
        if (process.recorded != nullptr) {
            files.insert(process.recorded->executable);
            for (const auto& file : process.recorded->loadedFiles) files.insert(file.path);
        }
    for (const auto& file : files) {
        std::error_code missing;
        digest.add(file.string()).add(fs::file_size(file, missing));
    }
}

void addProcess(Digest& digest, const TraceProcess& process, const Timeline& timeline) {
    digest.add(process.rank).add(process.program).add(process.counterSet).add(process.samplers.size());
    if (process.recorded == nullptr) return;
    const RecordedProcess& recorded = *process.recorded;
    digest.add(recorded.directory.filename().string()).add(recorded.callPaths.size());
    digest.add(recorded.status.ended).add(recorded.replaced ? 1 : 0).add(recorded.isWanted ? 1 : 0);
    const HostClock& clock = timeline.clock(recorded);
    for (const auto& sync : recorded.syncs)
        digest.add(sync.ticks).add(static_cast<std::uint64_t>(clock.nanoseconds(sync.ticks)));
    for (const auto& location : process.locations) {
        digest.add(location.id).add(location.ref).add(location.isSamples ? 1 : 0);
        for (const auto& chunk : recorded.chunksOf(location.ref))
            digest.add(chunk.offset).add(std::min(chunk.bytes, chunk.settled));
    }
}

std::uint64_t bytesOf(const TraceProcess& process) {
    std::uint64_t bytes = 0;
    for (const auto& location : process.locations)
        for (const auto& chunk : process.recorded->chunksOf(location.ref))
            bytes += std::min(chunk.bytes, chunk.settled);
    return bytes;
}

/// Cells that were added up are few, and only translated where the trace is made.
bool mayBeShared(const TracePlan& plan) {
    return plan.keepsEvents && std::ranges::none_of(plan.processes, [](const TraceProcess& process) {
               return process.recorded != nullptr && hasProfile(*process.recorded);
           });
}

}  // namespace

std::string orderText(Order order) {
    Packer packer;
    pack(packer, order);
    return packer.take();
}

Order orderIn(const std::string& text) {
    Unpacker unpacker(text);
    Order order;
    pack(unpacker, order);
    return order;
}

std::uint64_t digestOf(const TracePlan& plan, const Timeline& timeline) {
    Digest digest;
    addDefinitions(digest, plan);
    addCode(digest, plan);
    for (const auto& process : plan.processes) addProcess(digest, process, timeline);
    return digest.value();
}

SharedTranslation::SharedTranslation(Helpers& helpers, Order order, const fs::path& directory,
                                     const fs::path& to, const TracePlan& plan,
                                     std::vector<LocationPart>& parts)
    : helpers_(helpers), to_(to), plan_(plan), shares_(helpers.count()) {
    distribute(parts);
    order.kind = Order::Kind::Translate;
    for (std::size_t helper = 0; helper < shares_.size(); ++helper) {
        Share& share = shares_[helper];
        if (share.parts.empty()) continue;
        order.folder = folderOf(helper).lexically_relative(directory).string();
        order.processes = share.processes;
        helpers_.send(helper, orderText(order));
        share.isAsked = true;
    }
}

/// Where something failed here, the others still write what nobody waits for.
SharedTranslation::~SharedTranslation() {
    for (std::size_t helper = 0; helper < shares_.size(); ++helper)
        if (shares_[helper].isAsked) helpers_.receive(helper);
}

/// A process goes as a whole, the largest first, to whoever has the least to do.
void SharedTranslation::distribute(std::vector<LocationPart>& parts) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> bySize;  // bytes, and position
    if (mayBeShared(plan_))
        for (std::uint64_t i = 0; i < plan_.processes.size(); ++i)
            if (plan_.processes[i].recorded != nullptr) bySize.emplace_back(bytesOf(plan_.processes[i]), i);
    std::ranges::stable_sort(bySize, std::greater(), &std::pair<std::uint64_t, std::uint64_t>::first);
    std::vector<std::uint64_t> loads(shares_.size() + 1);  // the last one is of who makes the trace
    std::vector<std::size_t> takers(plan_.processes.size(), shares_.size());
    for (const auto& [bytes, process] : bySize) {
        const auto least = std::ranges::min_element(loads.rbegin(), loads.rend());
        const auto idlest = static_cast<std::size_t>(loads.rend() - least) - 1;
        const std::size_t taker =
            helpers_.chosenFor(plan_.processes[process].recorded->host).value_or(idlest);
        takers[process] = taker;
        loads[taker] += bytes;
    }
    for (std::uint64_t i = 0; i < takers.size(); ++i)
        if (takers[i] < shares_.size()) shares_[takers[i]].processes.push_back(i);
    for (LocationPart& part : parts) {
        const std::size_t taker = takers[static_cast<std::size_t>(part.process - plan_.processes.data())];
        (taker < shares_.size() ? shares_[taker].parts : own_).push_back(&part);
    }
}

std::vector<LocationPart*> SharedTranslation::collect(SampledCode& code) {
    std::vector<LocationPart*> left;
    for (std::size_t helper = 0; helper < shares_.size(); ++helper) {
        const Share& share = shares_[helper];
        if (!share.isAsked || take(helper, code)) continue;
        for (LocationPart* part : share.parts) {
            *part = {part->process, part->location};
            left.push_back(part);
        }
    }
    return left;
}

/// False where the helper's share is to be translated here.
bool SharedTranslation::take(std::size_t helper, SampledCode& code) {
    Share& share = shares_[helper];
    share.isAsked = false;
    const auto report = helpers_.receive(helper);
    const fs::path events = folderOf(helper) / "traces";
    bool isTaken = false;
    try {
        isTaken = report && takeReport(*report, plan_, share.parts, code).empty();
        if (isTaken)
            forManyFiles(share.parts.size(), [&](std::size_t i) {
                const std::string name = std::to_string(share.parts[i]->location->id) + ".evt";
                fs::rename(events / name, to_ / "traces" / name);
            });
    } catch (const std::exception&) {
        isTaken = false;
    }
    std::error_code none;
    removeAll(folderOf(helper), none);
    return isTaken;
}

fs::path SharedTranslation::folderOf(std::size_t helper) const {
    return to_ / ("part-" + std::to_string(helper + 1));
}

namespace {

/// What an order names in the folder of the measurement. Throws `Error` where that leads elsewhere.
fs::path placeIn(const fs::path& directory, const fs::path& inside) {
    if (inside.is_absolute() || std::ranges::find(inside, "..") != inside.end())
        throw Error("is not in the folder of the measurement", {.file = inside.string()});
    return directory / inside;
}

std::vector<fs::path> placesIn(const fs::path& directory, const std::vector<std::string>& names) {
    std::vector<fs::path> places;
    for (const std::string& name : names) places.push_back(placeIn(directory, name));
    return places;
}

void packAsOrdered(const fs::path& directory, const Order& order) {
    const fs::path recording = recordingOf(directory);
    for (const std::string& name : order.names) placeIn(recording, name);
    packFiles(recording, order.names, placeIn(directory, order.folder));
}

}  // namespace

/// The recording as the helper read it.
class Helper::Reading {
  public:
    Reading(const fs::path& directory, const Order& order)
        : directory_(directory),
          jobs_(recordingOf(directory), std::nullopt, readPacked(placesIn(directory, order.names))) {}

    /// Throws `Error` where something else was planned than by who makes the trace.
    std::string translate(const Order& order) {
        if (order.job == 0 || order.job > jobs_.all().size())
            throw Error("has no such MPI job", {.file = directory_.string()});
        TracePlan plan = jobs_.plan(order.job);
        const Timeline timeline = jobs_.timeline(order.job, order.here);
        if (digestOf(plan, timeline) != order.plan)
            throw Error("the recording, or a program, is not the same here", {.file = directory_.string()});
        std::vector<LocationPart> parts = partsOf(plan);
        const std::vector<LocationPart*> own = partsIn(order, plan, parts);
        SampledCode code(static_cast<std::uint32_t>(plan.regions.size()), plan.bodies);
        PartsTranslation translation(plan, timeline, code, {});
        writeEvents(order, own, translation);
        return reportOn(own);
    }

  private:
    static std::vector<LocationPart*> partsIn(const Order& order, const TracePlan& plan,
                                              std::vector<LocationPart>& parts) {
        const std::set<std::uint64_t> processes(order.processes.begin(), order.processes.end());
        std::vector<LocationPart*> own;
        for (LocationPart& part : parts)
            if (processes.contains(static_cast<std::uint64_t>(part.process - plan.processes.data())))
                own.push_back(&part);
        return own;
    }

    /// Throws `Error` where the order leads elsewhere, or to what is there already.
    fs::path newFolder(const Order& order) const {
        const fs::path folder = placeIn(directory_, order.folder);
        if (!fs::create_directory(folder)) throw Error("is no new folder for events", {.file = folder});
        return folder;
    }

    void writeEvents(const Order& order, const std::vector<LocationPart*>& parts,
                     PartsTranslation& translation) const {
        const fs::path folder = newFolder(order);
        Otf2Complaints complaints;
        {
            WrittenArchive archive(folder, complaints);
            archive.writeEvents([&] { translation.write(archive.get(), parts); });
        }
        if (complaints.first() != OTF2_SUCCESS) throw Error(OTF2_Error_GetDescription(complaints.first()));
    }

    fs::path directory_;
    RecordedJobs jobs_;
};

Helper::Helper(fs::path directory) : directory_(std::move(directory)) {}
Helper::~Helper() = default;

std::optional<std::string> Helper::obey(const std::string& text) try {
    const Order order = orderIn(text);
    if (order.kind == Order::Kind::BringHome) {
        bringEventsHome(recordingOf(directory_));
        return "done";
    }
    if (order.kind == Order::Kind::Pack) {
        packAsOrdered(directory_, order);
        return kPacked;
    }
    if (order.kind == Order::Kind::Read) reading_.reset();
    if (!reading_) try {
            reading_ = std::make_unique<Reading>(directory_, order);
        } catch (const std::exception&) {  // found again with the next order, which has an answer
        }
    if (order.kind == Order::Kind::Read) return std::nullopt;
    if (!reading_) throw Error("the recording cannot be read here", {.file = directory_.string()});
    return reading_->translate(order);
} catch (const std::exception& error) {
    return reportOfFailure(error.what());
}

}  // namespace holos::archive
