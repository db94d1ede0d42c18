// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/trace_builder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tests/support/trace_writer.h"

namespace holos::testing {

TraceBuilder::TraceBuilder(unsigned processes, unsigned threads) : processes_(processes), threads_(threads) {
    for (unsigned rank = 0; rank < processes; ++rank)
        for (unsigned thread = 0; thread < threads; ++thread)
            locations_.emplace_back(*this, TraceWriter::teamOf(rank));
}

LocationScript& TraceBuilder::on(unsigned rank, unsigned thread) {
    if (rank >= processes_ || thread >= threads_) throw std::out_of_range("the trace has no such location");
    return locations_[rank * threads_ + thread];
}

LocationScript& TraceBuilder::sampler(unsigned rank) {
    return samplers_.try_emplace(rank, *this, TraceWriter::teamOf(rank)).first->second;
}

LocationScript& TraceBuilder::stream(unsigned rank) {
    if (rank >= processes_) throw std::out_of_range("the trace has no such process");
    return streams_.try_emplace(rank, *this, TraceWriter::teamOf(rank)).first->second;
}

OTF2_CommRef TraceBuilder::team(unsigned rank, const std::vector<unsigned>& threads) {
    Communicator team{{}, {}, true};
    for (const unsigned thread : threads) team.ranks.push_back(rank * threads_ + thread);
    communicators_.push_back(std::move(team));
    return TraceWriter::communicatorRef(communicators_.size() - 1, *this);
}

OTF2_CommRef TraceBuilder::communicator(std::vector<std::uint64_t> worldRanks) {
    return interCommunicator(std::move(worldRanks), {});
}

OTF2_CommRef TraceBuilder::interCommunicator(std::vector<std::uint64_t> groupA,
                                             std::vector<std::uint64_t> groupB) {
    communicators_.push_back({std::move(groupA), std::move(groupB), false});
    return TraceWriter::communicatorRef(communicators_.size() - 1, *this);
}

OTF2_GroupRef TraceBuilder::group(std::vector<std::uint64_t> worldRanks) {
    groups_.push_back(std::move(worldRanks));
    return TraceWriter::groupRef(groups_.size() - 1);
}

OTF2_IoHandleRef TraceBuilder::file(OTF2_CommRef comm) {
    files_.push_back(comm);
    return static_cast<OTF2_IoHandleRef>(files_.size() - 1);
}

OTF2_MetricRef TraceBuilder::counters(std::vector<Counter> counters, OTF2_MetricOccurrence occurrence) {
    counterClasses_.push_back({std::move(counters), occurrence});
    return static_cast<OTF2_MetricRef>(counterClasses_.size() - 1);
}

OTF2_MetricRef TraceBuilder::countersOf(OTF2_MetricRef counters, OTF2_LocationRef reader,
                                        OTF2_MetricScope scope, std::uint64_t of) {
    counterInstances_.push_back({counters, reader, scope, of});
    return TraceWriter::counterInstanceRef(counterInstances_.size() - 1);
}

OTF2_CallingContextRef TraceBuilder::callingContext(std::string_view function, std::uint32_t line,
                                                    OTF2_CallingContextRef parent) {
    return callingContextIn(line != 0 ? "code.c" : "", function, line, parent);
}

OTF2_CallingContextRef TraceBuilder::callingContextIn(std::string file, std::string_view function,
                                                      std::uint32_t line, OTF2_CallingContextRef parent) {
    contexts_.push_back({region(function), line, parent, std::move(file), {}});
    return static_cast<OTF2_CallingContextRef>(contexts_.size() - 1);
}

OTF2_InterruptGeneratorRef TraceBuilder::interrupts(std::string name, OTF2_InterruptGeneratorMode mode,
                                                    std::uint64_t period, std::int64_t exponent) {
    interrupts_.push_back({std::move(name), mode, period, exponent});
    return static_cast<OTF2_InterruptGeneratorRef>(interrupts_.size() - 1);
}

OTF2_RegionRef TraceBuilder::region(std::string_view name) {
    return region(name, kindOf(name));
}

OTF2_RegionRef TraceBuilder::region(std::string_view name, const RegionKind& kind) {
    for (std::size_t i = 0; i < regions_.size(); ++i)
        if (regions_[i].name == name) return static_cast<OTF2_RegionRef>(i);
    regions_.push_back({std::string(name), kind});
    return static_cast<OTF2_RegionRef>(regions_.size() - 1);
}

TraceBuilder& TraceBuilder::clock(std::uint64_t ticksPerSecond, std::uint64_t offset) {
    for (const auto& location : locations_)
        if (!location.empty()) throw std::logic_error("set the clock before the first event");
    ticksPerSecond_ = ticksPerSecond;
    offset_ = offset;
    return *this;
}

OTF2_TimeStamp TraceBuilder::timestamp(Tick tick) {
    length_ = std::max(length_, tick);
    return offset_ + tick;
}

std::filesystem::path TraceBuilder::write(const std::filesystem::path& directory) const {
    return TraceWriter(*this).write(directory);
}

std::filesystem::path eventFile(const std::filesystem::path& anchor, unsigned rank, unsigned thread) {
    return anchor.parent_path() / "traces" /
           (std::to_string(TraceBuilder::locationOf(rank, thread)) + ".evt");
}

std::filesystem::path localDefinitionFile(const std::filesystem::path& anchor, unsigned rank,
                                          unsigned thread) {
    return eventFile(anchor, rank, thread).replace_extension(".def");
}

std::filesystem::path globalDefinitionFile(const std::filesystem::path& anchor) {
    return std::filesystem::path(anchor).replace_extension(".def");
}

}  // namespace holos::testing
