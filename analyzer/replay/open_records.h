// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <vector>

#include "analyzer/memory/packed_records.h"

namespace holos::analyzer::replay {

/// Records of what begins and ends, one within the other. They stand in the order of their starts, and are
/// packed as soon as they, and all before them, have ended.
template <class Record>
class OpenRecords {
  public:
    explicit OpenRecords(Memory memory) : packed_(memory) {}

    /// Its position.
    std::uint32_t open(const Record& record) {
        waiting_.push_back(record);
        open_.push_back(size() - 1);
        return size() - 1;
    }
    bool isAnyOpen() const { return !open_.empty(); }
    /// The last one that was opened and not closed.
    Record& innermost() { return waiting_[open_.back() - packed_.size()]; }
    const Record& innermost() const { return waiting_[open_.back() - packed_.size()]; }
    /// The innermost one does not change any more. Its position.
    std::uint32_t close() {
        const std::uint32_t closed = open_.back();
        open_.pop_back();
        packUpTo(open_.empty() ? size() : open_.front());
        return closed;
    }
    std::uint32_t size() const { return packed_.size() + static_cast<std::uint32_t>(waiting_.size()); }

    PackedRecords<Record> take() {
        packUpTo(size());
        return packed_.take();
    }

  private:
    void packUpTo(std::uint32_t end) {
        for (; packed_.size() < end; waiting_.pop_front()) packed_.append(waiting_.front());
    }

    RecordPacker<Record> packed_;
    std::deque<Record> waiting_;       ///< behind those that are packed
    std::vector<std::uint32_t> open_;  ///< positions
};

}  // namespace holos::analyzer::replay
