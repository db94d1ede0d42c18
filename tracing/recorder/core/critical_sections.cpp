// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/critical_sections.h"

#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thinning.h"

namespace holos::tracing {
namespace {

using core::add;
using core::BusyOnce;
using core::Location;
using core::Sections;
using core::set;
using core::Thread;

std::uint64_t placeOf(const Section& section) noexcept {
    return pair(section.region, section.path);
}
std::uint64_t blockOf(const Section& section) noexcept {
    return section.block != 0 ? pair(section.block, section.path) : 0;
}

/// The sections of a location, where nothing was recorded behind them.
Sections* sectionsAtEnd(Location& location) noexcept {
    Sections& sections = location.sections;
    const bool isEnd = sections.behind != nullptr && sections.behind == location.next &&
                       sections.turns == core::timesTurned();
    return isEnd ? &sections : nullptr;
}

/// The first one of those that are added to the section before them.
bool beginRecord(Location& location, Sections& sections, std::uint64_t begin, std::uint64_t now) noexcept {
    if (!location.hasRoom(kSectionsWords)) return false;
    std::uint64_t* const place = location.next;
    core::put<RecordKind::Sections>(location, place, begin, sections.region, sections.block, 0, 0, 0, 0,
                                    begin, begin, now);
    sections.record = place;
    sections.behind = location.next;
    __atomic_store_n(&location.polls, place, __ATOMIC_RELEASE);  // for who copies it
    return true;
}

/// The record of the section that the thread is in; null where it is in none that was opened.
std::uint64_t* openRecord(Location& location) noexcept {
    const Sections* const sections = sectionsAtEnd(location);
    if (sections == nullptr || sections->record == nullptr) return nullptr;
    return sections->record[kSectionsOpen] != 0 ? sections->record : nullptr;
}

}  // namespace

bool openSection(const Section& section) noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    Sections* const sections = sectionsAtEnd(*location);
    if (sections == nullptr || sections->region != placeOf(section) || sections->block != blockOf(section))
        return false;
    if (openRecord(*location) != nullptr) return false;  // its end was not recorded
    const std::uint64_t begin = thread.lastTime;
    const std::uint64_t now = ticksNow();
    if (sections->record == nullptr) {
        if (!beginRecord(*location, *sections, begin, now)) return false;
    } else {
        set(sections->record, kSectionsOpenBlock, now);
        set(sections->record, kSectionsOpen, begin);
    }
    thread.lastTime = now;
    return true;
}

bool isSectionOpen() noexcept {
    Location* const location = core::thinnedLocation(core::thisThread);
    return location != nullptr && openRecord(*location) != nullptr;
}

bool closeSection() noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    std::uint64_t* const record = openRecord(*location);
    if (record == nullptr) return false;
    const std::uint64_t begin = record[kSectionsOpen];
    const std::uint64_t blockBegin = record[kSectionsOpenBlock];
    const std::uint64_t now = ticksNow();
    set(record, kSectionsOpen, 0);
    add(record, kSectionsNumber, 1);
    add(record, kSectionsEntering, blockBegin - begin);
    add(record, kSectionsInside, thread.lastTime - blockBegin);
    add(record, kSectionsLeaving, now - thread.lastTime);
    set(record, kSectionsEnd, now);
    thread.lastTime = now;
    return true;
}

/// What a signal handler recorded meanwhile lies between sections.
void leaveSection(const Section& section) noexcept {
    const Thread& thread = core::thisThread;
    const Location* const before = thread.location;
    const std::uint64_t* const place = before != nullptr ? before->next : nullptr;
    leave(section.region);
    Location* const location = core::thinnedLocation(thread);
    if (!locksAreThinned() || location == nullptr || location != before) return;
    if (location->next != place + recordWords(RecordKind::Leave, 0)) return;
    location->sections = {nullptr, location->next, placeOf(section), blockOf(section), core::timesTurned()};
}

}  // namespace holos::tracing
