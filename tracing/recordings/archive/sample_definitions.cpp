// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack: definitions of what they say (see sample_events.h).
#include <string>
#include <vector>

#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/memory_values.h"
#include "tracing/recordings/archive/otf2_check.h"
#include "tracing/recordings/archive/sample_events.h"

namespace holos::archive {
void DefinitionsWriter::writeSamples() {
    if (!plan_.interrupts) return;
    const auto& [event, period, isTime] = *plan_.interrupts;
    constexpr std::int64_t kNano = -9;
    constexpr std::uint64_t kMillisecond = 1'000'000;
    const bool isWhole = period % kMillisecond == 0;
    const std::string time =
        isWhole ? std::to_string(period / kMillisecond) + " ms" : std::to_string(period) + " ns";
    const std::string every = isTime ? time : std::to_string(period) + ' ' + event;
    const auto member = [&](const std::string& name, const std::string& text, const char* unit,
                            std::int64_t exponent) {
        check(OTF2_GlobalDefWriter_WriteMetricMember(
                  out_, nextMember_, string(name), string(text), OTF2_METRIC_TYPE_OTHER,
                  OTF2_METRIC_ACCUMULATED_LAST, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, exponent, string(unit)),
              "samples");
        return nextMember_++;
    };
    std::vector<OTF2_MetricMemberRef> members;
    members.push_back(member("samples", "Samples of the call stack, one every " + every, "occ", 0));
    if (isTime)
        members.push_back(member("sampled_time", "Processor time by samples: an estimate", "sec", kNano));
    else if (!isOfMemory(*plan_.interrupts))
        members.push_back(member("sampled_" + event, event + " by samples: an estimate", "occ", 0));
    else
        for (const auto& [name, text, unit] : valuesOfMemory())
            members.push_back(member(name, text, unit, 0));
    check(OTF2_GlobalDefWriter_WriteMetricClass(out_, plan_.callStacks(),
                                                static_cast<std::uint8_t>(members.size()), members.data(),
                                                OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU),
          "samples");
    check(
        OTF2_GlobalDefWriter_WriteAttribute(out_, sampledContext(plan_), string("CallingContext"),
                                            string("Where the sample was taken"), OTF2_TYPE_CALLING_CONTEXT),
        "samples");
}

}  // namespace holos::archive
