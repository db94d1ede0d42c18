// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/event_file.h"

#include <algorithm>
#include <limits>

namespace holos::archive {

using tracing::kChunkBytes;
using tracing::kChunkWords;
using tracing::RecordKind;

EventFile::EventFile(const std::filesystem::path& path, std::size_t counters, std::uint64_t near)
    : file_(path, std::ios::binary), counters_(counters), ticks_(near) {
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(path, missing);
    if (!missing) chunks_ = (bytes + kChunkBytes - 1) / kChunkBytes;
    findFirst();
}

/// The chunk whose first record is the oldest.
void EventFile::findFirst() {
    std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t i = 0; i < chunks_; ++i) {
        std::uint64_t header = 0;
        file_.seekg(static_cast<std::streamoff>(i * kChunkBytes));
        if (!file_.read(reinterpret_cast<char*>(&header), sizeof header) || header == 0) continue;
        const std::uint64_t ticks = tracing::ticksOf(header, ticks_);
        if (ticks >= oldest) continue;
        oldest = ticks;
        first_ = i;
        isCut_ =
            i != 0 || static_cast<RecordKind>(static_cast<std::uint8_t>(header)) == RecordKind::Overwritten;
    }
    file_.clear();
}

bool EventFile::readChunk() {
    chunk_.clear();
    at_ = 0;
    if (read_ == chunks_) return false;
    const std::uint64_t place = (first_ + read_++) % chunks_;
    chunk_.resize(kChunkWords);
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(place * kChunkBytes));
    file_.read(reinterpret_cast<char*>(chunk_.data()), static_cast<std::streamsize>(kChunkBytes));
    chunk_.resize(static_cast<std::size_t>(file_.gcount()) / sizeof(std::uint64_t));
    return true;
}

std::size_t EventFile::wordsAt(std::size_t at, RecordKind kind) const {
    const bool isSample = kind == RecordKind::Sample && at + 1 < chunk_.size();
    return isSample ? tracing::sampleWords(tracing::lowHalf(chunk_[at + 1]))
                    : tracing::recordWords(kind, counters_);
}

std::optional<Record> EventFile::next() {
    for (;;) {
        const std::uint64_t header = at_ < chunk_.size() ? chunk_[at_] : 0;
        if (header == 0) {
            if (!readChunk()) return std::nullopt;
            continue;
        }
        const auto code = static_cast<std::uint8_t>(header);
        const auto kind = static_cast<RecordKind>(code);
        const bool known = code != 0 && code <= static_cast<std::uint8_t>(RecordKind::Last);
        const std::size_t words = known ? wordsAt(at_, kind) : 0;
        if (!known || words > chunk_.size() - at_) {
            damaged_ = true;
            at_ = chunk_.size();
            continue;
        }
        ticks_ = tracing::ticksOf(header, ticks_);
        const Record record{kind, ticks_, chunk_.data() + at_ + 1, words - 1};
        at_ += words;
        if (kind == RecordKind::Overwritten) continue;
        room_ = kChunkWords - at_;
        return record;
    }
}

/// The newest chunks may have been made for records that did not come.
std::optional<std::uint64_t> EventFile::newest() {
    constexpr std::uint64_t kMostEmpty = 3;
    std::optional<std::uint64_t> found;
    for (std::uint64_t back = 1; back <= std::min(chunks_, kMostEmpty + 1) && !found; ++back) {
        read_ = chunks_ - back;
        chunk_.clear();
        while (const auto record = next()) found = record->ticks;
    }
    return found;
}

}  // namespace holos::archive
