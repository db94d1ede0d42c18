// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/terminal/terminal.h"
#include "report/tables/notes.h"

namespace holos::cli {

std::filesystem::path snapshotPlace() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

void report(const archive::Snapshot& snapshot) {
    constexpr std::size_t kMostNotes = 10;
    const archive::Result& result = snapshot.result();
    complain(fmt::format("{}, {}, {} until {}", counted(result.processes, "process"),
                         counted(result.locations, "location"), counted(result.events, "event"),
                         tables::describe(snapshot)));
    const std::size_t shown = std::min(result.notes.size(), kMostNotes);
    for (std::size_t i = 0; i < shown; ++i) complain(result.notes[i]);
    if (result.notes.size() > shown)
        std::fprintf(stderr, "holos: and %zu more notes\n", result.notes.size() - shown);
}

}  // namespace holos::cli
