// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/profile/profile.h"
#include "base/error.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/events/profile_translation.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/run/host_clocks.h"
#include "tracing/recordings/archive/run/reading.h"

namespace {

namespace fs = std::filesystem;
using namespace holos;
using testing::RawDefinitions;

/// A process with two regions, two threads and a counter.
RawDefinitions definitions() {
    RawDefinitions log;
    log.process("/bin/app").sync(1'000, 500);
    log.begin(tracing::DefinitionKind::Location).add(std::uint32_t{0}).add(tracing::LocationKind::Main);
    log.add(tracing::kNoLocation).add(std::uint32_t{0}).add(std::uint32_t{0}).text("Master thread");
    log.begin(tracing::DefinitionKind::Location).add(std::uint32_t{1}).add(tracing::LocationKind::Place);
    log.add(std::uint32_t{0}).add(std::uint32_t{1}).add(std::uint32_t{1}).text("Thread 1");
    log.begin(tracing::DefinitionKind::Counter)
        .add(std::uint32_t{0})
        .add(std::uint8_t{0})
        .add(std::uint8_t{0});
    log.text("CYCLES").text("#").text("cycles");
    log.region(1, "outer").region(2, "inner").sync(3'000, 1'500);
    return log;
}

/// The bytes as what a location has added up.
std::vector<std::uint64_t> chunkOf(std::uint32_t location, const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint64_t> words(tracing::kUnitBytes / sizeof(std::uint64_t), 0);
    words[0] = tracing::chunkHead(location | tracing::kTableBit, tracing::kUnitBytes);
    const std::size_t room = tracing::kUnitBytes - sizeof words[0];
    if (size != 0) std::memcpy(&words[1], data, std::min(size, room));
    return words;
}

/// A recording whose cells change, with its definitions as an archive.
class KeptRecording {
  public:
    KeptRecording() {
        write(nullptr, 0);
        archive::convert(recording(), folder_);
        recorded_ = archive::readRecording(recording());
        plan_ = archive::planTrace(recorded_);
        timeline_.emplace(recorded_.processes, "", recorded_.processes.front().syncs.front());
    }
    ~KeptRecording() { fs::remove_all(folder_); }
    KeptRecording(const KeptRecording&) = delete;
    KeptRecording& operator=(const KeptRecording&) = delete;

    /// Two threads that have both added up the same.
    void write(const std::uint8_t* data, std::size_t size) const {
        std::ofstream events(process_ / "events", std::ios::binary);
        for (const std::uint32_t location : {0U, 1U}) {
            const auto chunk = chunkOf(location, data, size);
            events.write(reinterpret_cast<const char*>(chunk.data()), tracing::kUnitBytes);
        }
    }

    void readAll() const {
        const archive::TraceProcess& process = plan_.processes.front();
        archive::SampledCode code(static_cast<std::uint32_t>(plan_.regions.size()));
        RunProfile profile;
        for (const archive::TraceLocation& location : process.locations)
            profile.locations.push_back(translate(process, location, code));
        analyzer::experimentOf(profile, folder_);
    }

  private:
    static constexpr std::uint64_t kEnd = 3'000;
    LocationProfile translate(const archive::TraceProcess& process, const archive::TraceLocation& location,
                              archive::SampledCode& code) const {
        archive::LocationContexts contexts(process, code);
        return archive::ProfileTranslation(plan_, process, location, timeline_->clock(*process.recorded),
                                           contexts)
            .run(kEnd);
    }
    fs::path recording() const { return archive::recordingOf(folder_); }
    fs::path makeProcess() const {
        fs::create_directories(recording());
        return testing::writeProcess(recording(), "host.1.0", definitions());
    }

    fs::path folder_ = fs::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".profile");
    fs::path process_ = makeProcess();
    archive::Recording recorded_;
    archive::TracePlan plan_;
    std::optional<archive::Timeline> timeline_;
};

}  // namespace

/// What threads have added up, in which any byte may be wrong: a profile, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const KeptRecording kRecording;
    kRecording.write(data, size);
    try {
        kRecording.readAll();
    } catch (const Error&) {
    }
    return 0;
}
