// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/stop_places.h"

namespace holos::archive {

void StopPlaces::add(const TracePlan& plan, const std::string& thread,
                     const std::vector<std::uint32_t>& open) {
    std::string path;
    for (const std::uint32_t region : open) path += (path.empty() ? "" : " / ") + plan.regions[region].name;
    threads_[path].push_back(thread);
}

std::vector<std::string> StopPlaces::notes() const {
    constexpr std::size_t kMostNames = 4;
    std::vector<std::string> notes;
    for (const auto& [path, threads] : threads_) {
        std::string note;
        for (std::size_t i = 0; i < threads.size() && i < kMostNames; ++i)
            note += (note.empty() ? "" : ", ") + threads[i];
        if (threads.size() > kMostNames)
            note += " and " + std::to_string(threads.size() - kMostNames) + " more";
        notes.push_back(note + " stopped " +
                        (path.empty() ? "outside of all recorded regions" : "in " + path));
    }
    return notes;
}

}  // namespace holos::archive
