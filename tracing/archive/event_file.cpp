// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/event_file.h"

namespace holos::archive {

using tracing::kChunkWords;
using tracing::RecordKind;

EventFile::EventFile(const std::filesystem::path& path, std::size_t counters, std::uint64_t near)
    : file_(path, std::ios::binary), counters_(counters), ticks_(near) {}

bool EventFile::readChunk() {
    chunk_.resize(kChunkWords);
    file_.read(reinterpret_cast<char*>(chunk_.data()),
               static_cast<std::streamsize>(kChunkWords * sizeof(std::uint64_t)));
    chunk_.resize(static_cast<std::size_t>(file_.gcount()) / sizeof(std::uint64_t));
    at_ = 0;
    return !chunk_.empty();
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
        const std::size_t words = known ? tracing::recordWords(kind, counters_) : 0;
        if (!known || words > chunk_.size() - at_) {
            damaged_ = true;
            at_ = chunk_.size();
            continue;
        }
        ticks_ = tracing::ticksOf(header, ticks_);
        const Record record{kind, ticks_, chunk_.data() + at_ + 1};
        at_ += words;
        return record;
    }
}

}  // namespace holos::archive
