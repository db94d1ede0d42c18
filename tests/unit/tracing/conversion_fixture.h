// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/conversion.h"

namespace holos::archive {

using holos::testing::RawDefinitions;
using holos::testing::RawEvents;
using holos::testing::writeProcess;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tracing::DefinitionKind;
using tracing::LocationKind;
using tracing::pair;
using tracing::RecordKind;

/// A folder with a recording of which a trace is to be made.
class ConversionTest : public ::testing::Test {
  protected:
    ConversionTest() { fs::create_directories(recording()); }

    fs::path recording() const { return recordingOf(directory_.path()); }
    std::vector<std::string> events(
        holos::testing::ProcessorTimes times = holos::testing::ProcessorTimes::LeftOut) const {
        return holos::testing::readBack(directory_.path() / "traces.otf2", times);
    }
    nlohmann::json measurement() const {
        std::ifstream file(directory_.path() / "measurement.json");
        return nlohmann::json::parse(file);
    }

    /// Begins at tick 1000; a tick is half a nanosecond; the program ends at tick 3000.
    static RawDefinitions program() {
        RawDefinitions log;
        log.process("/bin/app").sync(1'000, 500);
        location(log, 0, LocationKind::Main, 0, 0);
        return log;
    }
    static void location(RawDefinitions& log, std::uint32_t ref, LocationKind kind, std::uint32_t level,
                         std::uint32_t number) {
        const std::uint32_t master = kind == LocationKind::Place ? 0 : tracing::kNoLocation;
        log.begin(DefinitionKind::Location).add(ref).add(kind).add(master).add(level).add(number);
        log.text(kind == LocationKind::Main ? "Master thread" : "OMP thread " + std::to_string(number));
    }

    holos::testing::TemporaryDirectory directory_;
};

}  // namespace holos::archive
