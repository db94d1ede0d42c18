// SPDX-License-Identifier: BSD-3-Clause
// Polls and critical sections that are one call in the trace: definitions of the attributes that say how many
// they were.
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_check.h"

namespace holos::archive {

void DefinitionsWriter::writePolls() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "polls");
    };
    add(polls(plan_), "Calls",
        "Number of calls, from the same place and directly one after the other, that this one stands for; "
        "its time is the sum of theirs");
    add(polls(plan_) + 1, "CallsSpan", "Time from the enter of the first of them to the leave of the last");
}

}  // namespace holos::archive
