// SPDX-License-Identifier: BSD-3-Clause
// Polls and critical sections that are one record: a part of the translation of events.
//
//   recorded    ┤P├──┤P├───┤P├─┤P├      four calls between other events
//   trace       ┤P├────────┤PPPPP├      the first, and one as long as the other three, which ends with the
//   last
//
// So each call path keeps its time, whatever a reader knows of the attributes that say how many they were.
#include <algorithm>
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

/// Enters a region that stands for several calls, between which the record's time passed.
void EventTranslation::enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number,
                                    const Record& record) {
    OTF2_AttributeList* attributes = callPaths_.attributesOf(region, path);
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
    check(OTF2_EvtWriter_Enter(out_, attributes, now(), region), "an event");
}

void EventTranslation::translatePolls(const Record& record) {
    const auto word = [&record](tracing::PollsWord one) { return record.words[one - 1]; };
    const auto region = process_.regions.find(tracing::lowHalf(word(tracing::kPollsRegion)));
    if (region == TracePlan::kFilteredOut) return;
    if (!region) {
        ++result_.dropped;
        return;
    }
    enterSeveral(*region, tracing::highHalf(word(tracing::kPollsRegion)), word(tracing::kPollsNumber),
                 record);
    timeOf(record.ended);
    check(OTF2_EvtWriter_Leave(out_, nullptr, now(), *region), "an event");
}

/// Their blocks are in them as the first one's is in it:
///
///   recorded    ┤C├B┤C├──┤C├B┤C├───┤C├BB┤C├
///   trace       ┤C├B┤C├────────┤CC├BBB┤CC├
void EventTranslation::translateSections(const Record& record) {
    const auto word = [&record](tracing::SectionsWord one) { return record.words[one - 1]; };
    const std::uint64_t number = word(tracing::kSectionsNumber);
    const auto inside = [&](tracing::SectionsWord place, auto&& between) {
        const auto region = process_.regions.find(tracing::lowHalf(word(place)));
        const bool isThere = region && region != TracePlan::kFilteredOut;
        if (!region) ++result_.dropped;
        if (isThere) enterSeveral(*region, tracing::highHalf(word(place)), number, record);
        between();
        if (isThere) check(OTF2_EvtWriter_Leave(out_, nullptr, now(), *region), "an event");
    };
    const std::uint64_t blocksEnd =
        record.ended - std::min(record.ended - record.ticks, word(tracing::kSectionsLeaving));
    const std::uint64_t blocksBegin =
        blocksEnd - std::min(blocksEnd - record.ticks, word(tracing::kSectionsInside));
    inside(tracing::kSectionsRegion, [&] {
        timeOf(blocksBegin);
        if (word(tracing::kSectionsBlock) != 0) inside(tracing::kSectionsBlock, [&] { timeOf(blocksEnd); });
        timeOf(record.ended);
    });
}

}  // namespace holos::archive
