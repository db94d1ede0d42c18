// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/stop_places.h"

namespace holos::archive {

void StopPlaces::add(const TracePlan& plan, const std::string& thread, const std::vector<std::uint32_t>& open,
                     bool goesOn) {
    std::string path;
    for (const std::uint32_t region : open)
        path += (path.empty() ? "in " : " / ") + plan.regions[region].name;
    if (path.empty()) path = "outside of all recorded regions";
    threads_[(goesOn ? "went on " : "stopped ") + path].push_back(thread);
}

std::vector<std::string> StopPlaces::notes() const {
    constexpr std::size_t kMostNames = 4;
    std::vector<std::string> notes;
    for (const auto& [what, threads] : threads_) {
        std::string note;
        for (std::size_t i = 0; i < threads.size() && i < kMostNames; ++i)
            note += (note.empty() ? "" : ", ") + threads[i];
        if (threads.size() > kMostNames)
            note += " and " + std::to_string(threads.size() - kMostNames) + " more";
        notes.push_back(note + ' ' + what);
    }
    return notes;
}

}  // namespace holos::archive
