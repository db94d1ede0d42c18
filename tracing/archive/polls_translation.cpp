// SPDX-License-Identifier: BSD-3-Clause
// Polls that are one record: a part of the translation of events.
//
//   recorded    ┤P├──┤P├───┤P├─┤P├      four calls between other events
//   trace       ┤P├────────┤PPPPP├      the first, and one as long as the other three, which ends with the
//   last
//
// So each call path keeps its time, whatever a reader knows of the attributes that say how many they were.
#include <memory>

#include "tracing/archive/definitions_writer.h"
#include "tracing/archive/event_translation.h"
#include "tracing/archive/otf2_check.h"

namespace holos::archive {

void DefinitionsWriter::writePolls() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "polls");
    };
    add(polls(plan_), "Calls",
        "Of so many calls from one place, one directly after the other, this one has the time, without that "
        "between them");
    add(polls(plan_) + 1, "CallsSpan", "Time from the enter of the first of them to the leave of the last");
}

void EventTranslation::translatePolls(const Record& record) {
    const auto word = [&record](tracing::PollsWord one) { return record.words[one - 1]; };
    const auto region = process_.regions.find(tracing::lowHalf(word(tracing::kPollsRegion)));
    if (region == TracePlan::kFilteredOut) return;
    if (!region) {
        ++result_.dropped;
        return;
    }
    const std::uint64_t number = word(tracing::kPollsNumber);
    OTF2_AttributeList* attributes =
        callPaths_.attributesOf(*region, tracing::highHalf(word(tracing::kPollsRegion)));
    const std::unique_ptr<OTF2_AttributeList, decltype(&OTF2_AttributeList_Delete)> own(
        attributes == nullptr && number > 1 ? OTF2_AttributeList_New() : nullptr, &OTF2_AttributeList_Delete);
    if (own) attributes = own.get();
    if (number > 1) {
        const auto span = clock_.nanoseconds(record.ended) - clock_.nanoseconds(record.began);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_), number);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_) + 1,
                                     static_cast<std::uint64_t>(span));
        result_.hasPolls = true;
    }
    check(OTF2_EvtWriter_Enter(out_, attributes, now(), *region), "an event");
    timeOf(record.ended);
    check(OTF2_EvtWriter_Leave(out_, nullptr, now(), *region), "an event");
}

}  // namespace holos::archive
