// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "analyzer/timeline/course.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/timeline/time_grid.h"
#include "base/error.h"

namespace {

namespace timeline = holos::analyzer::timeline;

/// A file of levels with its own header, as far as it says of which trace it is: what follows is not hidden
/// behind it.
holos::analyzer::trace::Definitions definitionsFor(const timeline::Header& header) {
    holos::analyzer::trace::Definitions definitions;
    definitions.locations.resize(header.locations % 64);
    definitions.regions.resize(header.regions % 64 + 1);
    definitions.clock.length = header.length;
    definitions.clock.ticksPerSecond = header.ticksPerSecond;
    definitions.clock.globalOffset = header.offset;
    if (!definitions.locations.empty()) definitions.locations.front().events = header.promisedEvents;
    return definitions;
}

void readAll(const timeline::Levels& levels) {
    for (unsigned rowLevel = 0; rowLevel < levels.rowLevels(); ++rowLevel)
        for (unsigned level = 0; level < levels.grid().levels(); ++level) {
            levels.dominants({rowLevel, 0}, level, 0, levels.grid().bins(level));
            levels.times({rowLevel, 0}, level);
        }
    levels.checkpointBefore(0, 1000);
    levels.quiet(0);
    levels.messages();
}

void readAll(const timeline::Course& course) {
    for (std::uint32_t kind = 0; kind < timeline::kMarkKinds; ++kind)
        course.marks(static_cast<timeline::MarkKind>(kind), 0, 1000, 0, 1000);
    for (std::uint32_t name = 0; name < course.names().size(); ++name) course.sums(name, {0, 0}, 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto kAnchor =
        std::filesystem::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".otf2");
    static const auto kFile = timeline::levelsFile(kAnchor);
    static const auto kCourse = timeline::courseFile(kAnchor);
    std::string bytes(reinterpret_cast<const char*>(data), size);
    timeline::Header header;
    if (size >= sizeof(header)) bytes.copy(reinterpret_cast<char*>(&header), sizeof(header));
    std::ofstream(kAnchor, std::ios::binary) << "anchor";
    std::ofstream(kFile, std::ios::binary) << bytes;
    const auto readOnce = [&](auto&& step) {
        try {
            step();
        } catch (const holos::Error&) {
        }
    };
    readOnce([&] { readAll(timeline::Levels(kFile, kAnchor, definitionsFor(header))); });
    readOnce([&] {
        auto definitions = definitionsFor(header);
        auto course = bytes;
        if (course.size() >= sizeof(timeline::CourseHeader)) {
            const std::uint64_t number = timeline::fingerprintOf(definitions);
            course.replace(offsetof(timeline::CourseHeader, trace), sizeof(number),
                           reinterpret_cast<const char*>(&number), sizeof(number));
        }
        std::ofstream(kCourse, std::ios::binary) << course;
        readAll(timeline::Course(kCourse, kAnchor, definitions));
    });
    readOnce([&] { timeline::unpackSums(bytes, timeline::TimeGrid(1000, 5), size % 5); });
    // Rows, without the head that leads to them.
    readOnce([&] { timeline::unpackTimes(bytes, size % 200); });
    readOnce([&] { timeline::unpackCheckpoints(bytes, 10); });
    readOnce([&] { timeline::unpackQuiet(bytes, 10); });
    readOnce([&] { timeline::verified(bytes, size); });
    std::filesystem::remove(kFile);
    std::filesystem::remove(kCourse);
    std::filesystem::remove(kAnchor);
    return 0;
}
