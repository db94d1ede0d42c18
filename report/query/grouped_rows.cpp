// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/grouped_rows.h"

#include <algorithm>
#include <deque>
#include <new>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/stopped.h"

namespace holos::query {

namespace {

constexpr std::size_t kMostGroups = std::size_t{1} << 22U;

class GroupedRows final : public ReorderedRows {
  public:
    GroupedRows(std::unique_ptr<Cursor> rows, RowOrder order, const std::atomic<bool>& stopped)
        : ReorderedRows(std::move(rows), std::move(order), stopped) {}

    bool next() override {
        if (rows_) gather();
        if (left_ == 0 && !beginGroup()) return false;
        --left_;
        if (columns_.empty()) return true;
        if (at_ == end_) readOn();
        for (const std::size_t column : columns_) values_[column] = packing_.take(at_);
        return true;
    }

  private:
    struct Part {
        std::uint64_t place = 0;
        std::size_t size = 0;
    };
    struct Group {
        std::string key;
        std::uint64_t rows = 0;
        std::string bytes;        ///< of the last rows
        std::vector<Part> parts;  ///< of those before, in the file
    };

    void gather() {
        std::string key;
        Group* group = nullptr;
        for (std::uint64_t row = 0; rows_->next(); ++row) {
            endIfStopped(row);
            key.clear();
            for (const OrderKey& each : wanted_.keys) packing_.add(key, rows_->value(each.column));
            if (group == nullptr || group->key != key) group = &groupOf(key);
            ++group->rows;
            const std::size_t before = group->bytes.size();
            for (const std::size_t column : columns_) packing_.add(group->bytes, rows_->value(column));
            buffered_ += group->bytes.size() - before;
            if (buffered_ > wanted_.mostInMemory) moveToFile();
        }
        rows_.reset();
        sort();
    }

    Group& groupOf(const std::string& key) {
        const auto [known, isNew] = numbers_.try_emplace(key, groups_.size());
        if (isNew) {
            if (groups_.size() == kMostGroups) throw std::bad_alloc();
            groups_.emplace_back().key = key;
        }
        return groups_[known->second];
    }

    void moveToFile() {
        for (Group& group : groups_) {
            if (group.bytes.empty()) continue;
            const std::string bytes = std::exchange(group.bytes, {});
            group.parts.push_back({file_.append(bytes), bytes.size()});
        }
        buffered_ = 0;
    }

    std::vector<Value> keyOf(const Group& group) const {
        std::vector<Value> key;
        const char* at = group.key.data();
        for (std::size_t i = 0; i < wanted_.keys.size(); ++i) key.push_back(packing_.take(at));
        return key;
    }

    void sort() {
        numbers_.clear();
        std::vector<std::vector<Value>> keys;
        keys.reserve(groups_.size());
        for (const Group& group : groups_) keys.push_back(keyOf(group));
        order_.resize(groups_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, [&](std::size_t one, std::size_t other) {
            for (std::size_t i = 0; i < wanted_.keys.size(); ++i)
                if (const int found = compared(keys[one][i], keys[other][i]); found != 0)
                    return wanted_.keys[i].largestFirst ? found > 0 : found < 0;
            return false;
        });
    }

    bool beginGroup() {
        if (stopped_) throw Stopped();
        if (begun_ == order_.size()) return false;
        if (begun_ > 0) groups_[order_[begun_ - 1]] = {};
        const Group& group = groups_[order_[begun_++]];
        left_ = group.rows;
        part_ = 0;
        at_ = end_ = nullptr;
        const std::vector<Value> key = keyOf(group);
        for (std::size_t i = 0; i < key.size(); ++i) values_[wanted_.keys[i].column] = key[i];
        return true;
    }

    void readOn() {
        const Group& group = groups_[order_[begun_ - 1]];
        const std::string* bytes = &group.bytes;
        if (part_ < group.parts.size()) {
            file_.read(group.parts[part_].place, group.parts[part_].size, read_);
            bytes = &read_;
        }
        ++part_;
        at_ = bytes->data();
        end_ = at_ + bytes->size();
    }

    std::deque<Group> groups_;
    std::unordered_map<std::string, std::size_t> numbers_;  ///< by key
    std::size_t buffered_ = 0;
    std::vector<std::size_t> order_;  ///< of groups
    std::size_t begun_ = 0;           ///< so many of them
    std::uint64_t left_ = 0;          ///< rows of the present one
    std::size_t part_ = 0;            ///< of it, that is read next
    std::string read_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
};

}  // namespace

std::unique_ptr<Cursor> groupedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                    const std::atomic<bool>& stopped) {
    return std::make_unique<GroupedRows>(std::move(rows), std::move(order), stopped);
}

}  // namespace holos::query
