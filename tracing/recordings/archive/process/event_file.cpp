// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/event_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/input_file.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

ChunkPlaces byLocation(const ChunkScan& scan) {
    ChunkPlaces places;
    for (const auto& [location, place] : scan.found()) places[location].push_back(place);
    return places;
}

}  // namespace

ChunkPlaces chunkPlaces(const std::filesystem::path& events, std::uint64_t end, const ChunkProofs& proofs) {
    ChunkScan scan(proofs);
    scan.goOn(openRegular(events), end);
    return byLocation(scan);
}

ChunkPlaces chunkPlacesNow(const std::filesystem::path& events) {
    constexpr int kMostTries = 20;
    const Descriptor file = openRegular(events);
    ChunkScan scan;
    scan.goOn(file, std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < kMostTries; ++i)
        if (!scan.catchUp(file)) return byLocation(scan);
    scan.stayBehind(file);
    return byLocation(scan);
}

namespace {

/// More are a damaged number.
constexpr std::uint32_t kMostLocations = 1u << 30;
/// After so many units of zeros in a row it is worth asking where the next data is.
constexpr std::uint64_t kManyZeros = 16 * tracing::kUnitBytes;

bool isHead(std::uint64_t word) {
    const std::size_t units = tracing::highHalf(word);
    return tracing::lowHalf(word) != 0 && tracing::lowHalf(word) <= kMostLocations && units != 0 &&
           units <= tracing::kChunkBytes / tracing::kUnitBytes;
}

/// Nothing behind the end of the file.
std::optional<std::uint64_t> wordAt(const Descriptor& file, std::uint64_t offset) {
    std::uint64_t word = 0;
    return readAt(file, &word, sizeof word, offset) == sizeof word ? std::optional(word) : std::nullopt;
}

/// The unit in which the file has something again; nothing where it has no more.
std::optional<std::uint64_t> unitWithData(const Descriptor& file, std::uint64_t offset) {
    const auto data = dataFrom(file, offset);
    return data ? std::optional(std::max(offset, *data / tracing::kUnitBytes * tracing::kUnitBytes))
                : std::nullopt;
}

}  // namespace

/// At `next_`: one that is known, or one whose head is there.
bool ChunkScan::takeChunk(const Descriptor& file) {
    if (const auto known = proofs_.find(next_); known != proofs_.end()) {
        const ChunkProof& proof = known->second;
        found_.push_back({proof.location, {next_, proof.bytes, ChunkPlace::kAll, proof}});
        next_ += proof.bytes;
        return true;
    }
    const std::uint64_t word = wordAt(file, next_).value_or(0);
    if (!isHead(word)) return false;
    const std::size_t bytes = tracing::kUnitBytes * tracing::highHalf(word);
    found_.push_back({tracing::lowHalf(word) - 1, {next_, bytes}});
    next_ += bytes;
    return true;
}

void ChunkScan::addGap(std::uint64_t end) {
    if (!gaps_.empty() && gaps_.back().end == next_)
        gaps_.back().end = end;
    else
        gaps_.push_back({next_, end});
    next_ = end;
}

void ChunkScan::goOn(const Descriptor& file, std::uint64_t end) {
    while (next_ < end) {
        if (takeChunk(file)) continue;
        const auto proven = proofs_.lower_bound(next_);
        const std::uint64_t known = proven != proofs_.end() ? proven->first : end;
        if (!wordAt(file, next_)) {  // behind the end
            if (proven == proofs_.end()) return;
            addGap(known);
            continue;
        }
        std::uint64_t next = next_ + tracing::kUnitBytes;
        const bool isLong = !gaps_.empty() && gaps_.back().end == next_ &&
                            gaps_.back().end - gaps_.back().begin >= kManyZeros;
        if (isLong) {
            const auto data = unitWithData(file, next);
            if (!data && proven == proofs_.end()) return;  // what is there later is looked at then
            next = data.value_or(known);
        }
        addGap(std::min(next, known));
    }
}

std::optional<std::uint64_t> ChunkScan::firstBegun(const Descriptor& file) const {
    for (const Gap& gap : gaps_)
        for (std::uint64_t at = gap.begin; at < gap.end;) {
            const auto word = wordAt(file, at);
            if (word && *word != 0) return at;
            at += tracing::kUnitBytes;
            if (at - gap.begin > kManyZeros) at = unitWithData(file, at).value_or(gap.end);
        }
    return std::nullopt;
}

bool ChunkScan::catchUp(const Descriptor& file) {
    const auto from = firstBegun(file);
    if (!from) return false;
    const std::uint64_t end = next_;
    forgetFrom(*from);
    goOn(file, end);
    return true;
}

void ChunkScan::stayBehind(const Descriptor& file) {
    if (const auto from = firstBegun(file)) forgetFrom(*from);
}

void ChunkScan::forgetFrom(std::uint64_t at) {
    std::erase_if(found_, [at](const auto& one) { return one.second.offset >= at; });
    std::erase_if(gaps_, [at](const Gap& gap) { return gap.begin >= at; });
    if (!gaps_.empty()) gaps_.back().end = std::min(gaps_.back().end, at);
    next_ = at;
}

using tracing::RecordKind;

EventFile::EventFile(const std::filesystem::path& path, std::vector<ChunkPlace> chunks, std::size_t counters,
                     std::uint64_t near)
    : file_(openRegular(path)), counters_(counters), ticks_(near), chunks_(std::move(chunks)) {
    findFirst();
}

/// Of its first record; 0 where it has none.
std::uint64_t EventFile::firstHeader(const ChunkPlace& chunk) const {
    std::uint64_t header = 0;
    if (chunk.settled <= sizeof header) return 0;
    return readAt(file_, &header, sizeof header, chunk.offset + sizeof header) == sizeof header ? header : 0;
}

/// The chunk whose first record is the oldest.
void EventFile::findFirst() {
    std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t i = 0; i < chunks_.size(); ++i) {
        const std::uint64_t header = firstHeader(chunks_[i]);
        if (header == 0) continue;
        const std::uint64_t ticks = tracing::ticksOf(header, ticks_);
        if (ticks >= oldest) continue;
        oldest = ticks;
        first_ = i;
        isCut_ = tracing::kindOf(header) == RecordKind::Overwritten;
    }
    // Chunks before it were used again; else they are lost.
    isCut_ |= first_ != 0 && firstHeader(chunks_.front()) != 0;
    if (!isCut_) first_ = 0;
}

bool EventFile::readChunk() {
    chunk_.clear();
    at_ = 0;
    if (read_ == chunks_.size()) return false;
    const ChunkPlace& chunk = chunks_[(first_ + read_++) % chunks_.size()];
    words_ = chunk.bytes / sizeof(std::uint64_t) - 1;
    chunk_.resize(std::min(words_, chunk.settled / sizeof(std::uint64_t) - 1));
    const std::size_t bytes = readAt(file_, chunk_.data(), chunk_.size() * sizeof(std::uint64_t),
                                     chunk.offset + sizeof(std::uint64_t));
    chunk_.resize(bytes / sizeof(std::uint64_t));
    const bool isWhole =
        !chunk.proof || (chunk.proof->words <= chunk_.size() &&
                         tracing::sumOfSomeWords(chunk_.data(), chunk.proof->words) == chunk.proof->sum);
    if (!isWhole) unproven_ = chunk.proof;
    return true;
}

/// Of a chunk that is not what was written: what is behind the last record that could be read. Where all
/// could be, somewhere in it is another one than there was.
void EventFile::countMissing() {
    if (!unproven_) return;
    const std::uint64_t read = std::min(at_, chunk_.size());
    lostWords_ += unproven_->words > read ? unproven_->words - read : 1;
    isAfterLoss_ = true;
    unproven_.reset();
}

std::size_t EventFile::wordsAt(std::size_t at, RecordKind kind) const {
    const bool isSample = kind == RecordKind::Sample && at + 1 < chunk_.size();
    return isSample ? tracing::sampleWords(tracing::lowHalf(chunk_[at + 1]))
                    : tracing::recordWords(kind, counters_);
}

/// Whatever a damaged record or one that is being written says, time does not run backwards in it. Those that
/// have found nothing, and the one that is open.
void EventFile::takePolls(const std::uint64_t* record) {
    using namespace tracing;
    const std::uint64_t begin = ticks_;
    const std::uint64_t end = std::max(begin, record[kPollsEnd]);
    const std::uint64_t inside = std::min(record[kPollsInside], end - begin);
    if (record[kPollsNumber] != 0)
        unfolded_.push_back({RecordKind::Polls, end - inside, record + 1, kPollsWords - 1, begin, end});
    if (record[kPollsOpen] != 0)
        unfolded_.push_back({RecordKind::Enter, std::max(end, record[kPollsOpen]), record + kPollsRegion, 1});
}

/// Takes a series of sections. Where the times of their parts are more than there is, the last ones are cut.
void EventFile::takeSections(const std::uint64_t* record) {
    using namespace tracing;
    const std::uint64_t begin = ticks_;
    const std::uint64_t end = std::max(begin, record[kSectionsEnd]);
    std::uint64_t outside = end - begin;
    for (const SectionsWord part : {kSectionsEntering, kSectionsInside, kSectionsLeaving})
        outside -= std::min(outside, record[part]);
    if (record[kSectionsNumber] != 0)
        unfolded_.push_back(
            {RecordKind::Sections, begin + outside, record + 1, kSectionsWords - 1, begin, end});
    if (record[kSectionsOpen] == 0) return;
    const std::uint64_t open = std::max(end, record[kSectionsOpen]);
    unfolded_.push_back({RecordKind::Enter, open, record + kSectionsRegion, 1});
    if (record[kSectionsBlock] != 0)
        unfolded_.push_back(
            {RecordKind::Enter, std::max(open, record[kSectionsOpenBlock]), record + kSectionsBlock, 1});
}

std::optional<Record> EventFile::next() {
    for (;;) {
        if (!unfolded_.empty()) {
            const Record first = unfolded_.front();
            unfolded_.pop_front();
            return first;
        }
        const std::uint64_t header = at_ < chunk_.size() ? chunk_[at_] : 0;
        if (header == 0) {
            countMissing();
            if (!readChunk()) return std::nullopt;
            continue;
        }
        const RecordKind kind = tracing::kindOf(header);
        const std::size_t words = wordsAt(at_, kind);
        if (kind == RecordKind::End || words > chunk_.size() - at_) {
            damaged_ = !unproven_;
            countMissing();
            at_ = chunk_.size();
            continue;
        }
        ticks_ = tracing::ticksOf(header, ticks_);
        Record record{kind, ticks_, chunk_.data() + at_ + 1, words - 1};
        at_ += words;
        if (kind == RecordKind::Overwritten) continue;
        room_ = words_ - at_;
        record.isAfterLoss = std::exchange(isAfterLoss_, false);
        if (!tracing::mayChange(kind)) return record;
        const std::uint64_t* const all = record.words - 1;
        kind == RecordKind::Polls ? takePolls(all) : takeSections(all);
        if (!unfolded_.empty()) unfolded_.front().isAfterLoss = record.isAfterLoss;
    }
}

/// The newest chunks may have been made for records that did not come.
std::optional<std::uint64_t> EventFile::newest() {
    constexpr std::uint64_t kMostEmpty = 3;
    std::optional<std::uint64_t> found;
    for (std::uint64_t back = 1; back <= std::min<std::uint64_t>(chunks_.size(), kMostEmpty + 1) && !found;
         ++back) {
        read_ = chunks_.size() - back;
        chunk_.clear();
        unproven_.reset();
        while (const auto record = next()) found = std::max(record->ticks, record->ended);
    }
    return found;
}

namespace {

using tracing::isOfMpi;

constexpr std::size_t kMostWaiting = std::size_t{1} << 16;  ///< in a call that calls much of the program

}  // namespace

std::optional<Record> SettledEvents::next() {
    for (;;) {
        if (isSettled_ && taken_ < waiting_.size()) return nextWaiting();
        const auto record = file_.next();
        if (!record && isSettled_) return std::nullopt;
        if (!record) {
            isSettled_ = true;
        } else if (!isSettled_) {
            wait(*record);
        } else if (isOfMpi(record->kind)) {
            waiting_.clear();
            words_.clear();
            taken_ = 0;
            depth_ = 0;
            isSettled_ = false;
            wait(*record);
        } else if (record->kind != RecordKind::MpiFailed) {
            return record;
        }
    }
}

std::optional<Record> SettledEvents::nextWaiting() {
    const Waiting& one = waiting_[taken_++];
    const std::size_t end = taken_ < waiting_.size() ? waiting_[taken_].words : words_.size();
    return Record{one.kind,  one.ticks,      words_.data() + one.words, end - one.words, one.began,
                  one.ended, one.isAfterLoss};
}

void SettledEvents::wait(const Record& record) {
    if (record.kind == RecordKind::MpiFailed) {
        if (depth_ == 0) dropFailed();
        return;
    }
    waiting_.push_back(
        {record.kind, record.ticks, words_.size(), depth_, record.began, record.ended, record.isAfterLoss});
    words_.insert(words_.end(), record.words, record.words + record.size);
    if (record.kind == RecordKind::Enter) ++depth_;
    if (record.kind == RecordKind::Leave) --depth_;
    isSettled_ = depth_ < 0 || waiting_.size() == kMostWaiting;
}

void SettledEvents::dropFailed() {
    std::erase_if(waiting_, [](const Waiting& one) { return one.depth == 0 && isOfMpi(one.kind); });
}

}  // namespace holos::archive
