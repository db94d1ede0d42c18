// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/memory_values.h"

#include "tracing/counters/memory_samples.h"

namespace holos::archive {

std::vector<ValueOfMemory> valuesOfMemory() {
    std::vector<ValueOfMemory> all;
    for (const auto& [name, meaning] : counters::kMemorySources) {
        all.push_back(
            {std::string("memory_") + name, std::string("Sampled accesses to data ") + meaning, "occ"});
        all.push_back({std::string("memory_latency_") + name,
                       std::string("Sum of the latencies of sampled accesses to data ") + meaning, "cyc"});
    }
    all.push_back({"memory_shared_line",
                   "Sampled accesses to cache lines that several threads used, of which at least one wrote",
                   "occ"});
    all.push_back(
        {"memory_falsely_shared_line",
         "Sampled accesses to cache lines that several threads used, of which at least one wrote, but "
         "none of them a word that others used",
         "occ"});
    return all;
}

bool isOfMemory(const RecordedInterrupts& interrupts) {
    return interrupts.name == counters::kMemoryAccesses;
}

}  // namespace holos::archive
