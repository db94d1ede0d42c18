// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// Writes what a builder was told as an OTF2 archive. Throws `std::runtime_error` when OTF2 refuses
/// something.
class TraceWriter {
  public:
    explicit TraceWriter(const TraceBuilder& trace) : trace_(trace) {}
    std::filesystem::path write(const std::filesystem::path& directory);

    /// Communicators stand in this order: world, self, a team for each process, the builder's own.
    static OTF2_CommRef teamOf(unsigned rank) { return 2 + rank; }
    static OTF2_CommRef communicatorRef(std::size_t index, const TraceBuilder& trace) {
        return static_cast<OTF2_CommRef>(2 + trace.processes() + index);
    }

    /// Instances of counters that belong to somebody stand behind their classes.
    static OTF2_MetricRef counterInstanceRef(std::size_t index) {
        return static_cast<OTF2_MetricRef>(10000 + index);
    }

    /// The builder's groups stand behind those of the communicators.
    static OTF2_GroupRef groupRef(std::size_t index) { return static_cast<OTF2_GroupRef>(10000 + index); }

  private:
    void writeEvents(OTF2_Archive*);
    void writeLocalDefinitions(OTF2_Archive*);
    /// How far a clock that gains so many ticks in a million is ahead at the trace's start and end.
    void writeClock(OTF2_DefWriter*, unsigned gain) const;
    void writeGlobalDefinitions(OTF2_Archive*);
    void writeSystem(OTF2_GlobalDefWriter*);
    void writeRegions(OTF2_GlobalDefWriter*);
    void writeCommunicators(OTF2_GlobalDefWriter*);
    void writeGroup(OTF2_GlobalDefWriter*, OTF2_GroupRef, OTF2_GroupType, OTF2_Paradigm,
                    const std::vector<std::uint64_t>& members);
    void writeWindows(OTF2_GlobalDefWriter*);
    void writeFiles(OTF2_GlobalDefWriter*);
    void writeCounters(OTF2_GlobalDefWriter*);
    void writeSamples(OTF2_GlobalDefWriter*);

    /// Defines the string where it is new.
    OTF2_StringRef string(OTF2_GlobalDefWriter*, const std::string& text);
    std::vector<OTF2_LocationRef> threads() const;
    /// A location of a process, and what happens there.
    struct Scripted {
        OTF2_LocationRef reference;
        OTF2_LocationType type;
        std::string name;
        unsigned rank;
        const LocationScript* script;
    };
    /// All threads, and then all streams and samplers.
    std::vector<Scripted> locations() const;

    const TraceBuilder& trace_;
    std::map<std::string, OTF2_StringRef> strings_;
    std::vector<std::uint64_t> eventCounts_;
};

/// Throws `std::runtime_error` that names what was tried, unless the code is OTF2_SUCCESS.
void expectSuccess(OTF2_ErrorCode code, const std::string& what);

/// A new archive `directory/traces` for writing by this process alone. Throws as above.
OTF2_Archive* createArchive(const std::filesystem::path& directory);

}  // namespace holos::testing
