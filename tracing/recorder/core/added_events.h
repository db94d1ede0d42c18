// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/profile/table.h"
#include "tracing/recordings/format/record.h"

/// How the events that come most often change a location's table.
namespace holos::tracing::core {

/// `word`: that of the record.
inline void addEnter(profile::Table& table, std::uint64_t word, std::uint64_t ticks) noexcept {
    if (!table.enterRegion(lowHalf(word), highHalf(word), ticks)) [[unlikely]]
        countLost();
}

inline void addMessage(profile::Table& table, ProfileCount first, std::uint64_t bytes) noexcept {
    // Messages without bytes stand before the first class.
    const std::size_t number = static_cast<std::size_t>(first) + sizeClassOf(bytes);
    table.count(static_cast<ProfileCount>(bytes != 0 ? number : static_cast<std::size_t>(first) - 1), 1,
                bytes);
}

inline void addCollective(profile::Table& table, std::uint32_t operation, std::uint64_t sent,
                          std::uint64_t received) noexcept {
    // Operations that make or free something are not counted.
    if (operation >= static_cast<std::uint32_t>(Collective::CreateHandle)) return;
    const ProfileCount kind =
        sent == 0       ? received == 0 ? ProfileCount::Synchronizations : ProfileCount::Destinations
        : received == 0 ? ProfileCount::Sources
                        : ProfileCount::Exchanges;
    table.count(kind, 1, sent);
    if (received != 0) table.count(ProfileCount::ReceivedTogether, 0, received);
}

/// Of MPI's events but those of regions; of most of them nothing is counted.
inline void addTraffic(profile::Table& table, RecordKind kind, const std::uint64_t* words) noexcept {
    switch (kind) {
        case RecordKind::MpiSend:
        case RecordKind::MpiIsend:
            return addMessage(table, ProfileCount::Sends, words[2]);
        case RecordKind::MpiRecv:
        case RecordKind::MpiIrecv:
            return addMessage(table, ProfileCount::Receives, words[2]);
        case RecordKind::MpiCollectiveEnd:
        case RecordKind::MpiCollectiveComplete:
            return addCollective(table, lowHalf(words[0]), words[2], words[3]);
        case RecordKind::RmaPut:
            return table.count(ProfileCount::Puts, 1, words[1]);
        case RecordKind::RmaGet:
            return table.count(ProfileCount::Gets, 1, words[1]);
        case RecordKind::RmaAtomic:
            table.count(ProfileCount::Puts, 1, words[2]);
            return table.count(ProfileCount::Gets, 1, words[3]);
        case RecordKind::MpiFailed:
            return table.drop();
        default:
            return;
    }
}

/// Whether the short way can add it up.
constexpr bool isAddedQuickly(RecordKind kind) {
    return kind == RecordKind::Enter || kind == RecordKind::Leave || isOfMpi(kind);
}

}  // namespace holos::tracing::core
