// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/region_events.h"

#include <algorithm>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/events/location_writer.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;

void RegionEvents::translate(const Record& record) {
    const auto region = process_.regions.find(lowHalf(record.words[0]));
    if (region == TracePlan::kFilteredOut) return open_.forgetFile();
    if (!region)
        out_.drop();
    else if (record.kind == tracing::RecordKind::Enter)
        enter(*region, highHalf(record.words[0]));
    else
        leave(*region);
}

void RegionEvents::enter(std::uint32_t region, std::uint32_t path) {
    last_ = {region, callPaths_.contextOf(path)};
    open_.enter(region, callPaths_.attributesOf(region, path));
}

void RegionEvents::leave(std::uint32_t region) {
    if (last_) last_->isOpen = false;
    open_.leave(region);
}

/// Enters a region that stands for several calls, between which the record's time passed.
void RegionEvents::enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number,
                                const Record& record) {
    last_ = {region, callPaths_.contextOf(path), false};
    OTF2_AttributeList* attributes = callPaths_.attributesOf(region, path);
    const Attributes own = attributes == nullptr && number > 1 ? newAttributes() : nullptr;
    if (own) attributes = own.get();
    if (number > 1) {
        const auto span = out_.nanoseconds(record.ended) - out_.nanoseconds(record.began);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_), number);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_) + 1,
                                     static_cast<std::uint64_t>(span));
        havePolls_ = true;
    }
    out_.writeWith(open_.shortage().with(attributes), OTF2_EvtWriter_Enter, region);
}

void RegionEvents::translatePolls(const Record& record) {
    const auto word = [&record](tracing::PollsWord one) { return record.words[one - 1]; };
    const auto region = process_.regions.find(lowHalf(word(tracing::kPollsRegion)));
    if (region == TracePlan::kFilteredOut) return;
    if (!region) return out_.drop();
    enterSeveral(*region, highHalf(word(tracing::kPollsRegion)), word(tracing::kPollsNumber), record);
    out_.passTo(record.ended);
    out_.write(OTF2_EvtWriter_Leave, *region);
}

void RegionEvents::translateSections(const Record& record) {
    const auto word = [&record](tracing::SectionsWord one) { return record.words[one - 1]; };
    const std::uint64_t number = word(tracing::kSectionsNumber);
    const auto inside = [&](tracing::SectionsWord place, auto&& between) {
        const auto region = process_.regions.find(lowHalf(word(place)));
        const bool isThere = region && region != TracePlan::kFilteredOut;
        if (!region) out_.drop();
        if (isThere) enterSeveral(*region, highHalf(word(place)), number, record);
        between();
        if (isThere) out_.write(OTF2_EvtWriter_Leave, *region);
    };
    const std::uint64_t blocksEnd =
        record.ended - std::min(record.ended - record.ticks, word(tracing::kSectionsLeaving));
    const std::uint64_t blocksBegin =
        blocksEnd - std::min(blocksEnd - record.ticks, word(tracing::kSectionsInside));
    inside(tracing::kSectionsRegion, [&] {
        out_.passTo(blocksBegin);
        if (word(tracing::kSectionsBlock) != 0)
            inside(tracing::kSectionsBlock, [&] { out_.passTo(blocksEnd); });
        out_.passTo(record.ended);
    });
}

}  // namespace holos::archive
