// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/sorted_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "base/stopped.h"

namespace holos::query {

namespace {

/// A number that is smaller where the value is; for values that are nearly the same it may be the same.
std::uint64_t beginningOf(const Value& value) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        std::uint64_t first = 0;
        for (std::size_t i = 0; i < sizeof first; ++i)
            first = first << 8U | (i < text->size() ? static_cast<unsigned char>((*text)[i]) : 0U);
        return first;
    }
    double number = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        number = static_cast<double>(*whole);
    else if (const auto* exact = std::get_if<double>(&value))
        number = *exact + 0.0;  // negative zero is zero
    else
        return 0;
    const auto bits = std::bit_cast<std::uint64_t>(number);
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// A packed row, keys first.
struct Packed {
    std::uint64_t beginning = 0;  ///< of the first key, so that bytes are seldom looked at
    const char* bytes = nullptr;
};

class SortedRows final : public ReorderedRows {
  public:
    SortedRows(std::unique_ptr<Cursor> rows, RowOrder order, const std::atomic<bool>& stopped)
        : ReorderedRows(std::move(rows), std::move(order), stopped) {}

    bool next() override {
        if (rows_) gather();
        endIfStopped(given_++);
        return runs_.empty() ? takeFromMemory() : takeFromRuns();
    }

  private:
    /// Sorted rows in the file, each behind its size.
    struct Run {
        std::uint64_t place = 0;
        std::uint64_t end = 0;
        std::string buffer = {};
        std::size_t at = 0;  ///< in the buffer
        Packed row = {};
    };
    using Size = std::uint32_t;

    void gather() {
        bytes_.reserve(std::min(wanted_.mostInMemory, kFirstRoom));
        for (std::uint64_t row = 0; rows_->next(); ++row) {
            endIfStopped(row);
            const std::size_t begin = bytes_.size();
            starts_.push_back({beginning(), begin});
            bytes_.append(sizeof(Size), '\0');
            for (const OrderKey& key : wanted_.keys) packing_.add(bytes_, rows_->value(key.column));
            for (const std::size_t column : columns_) packing_.add(bytes_, rows_->value(column));
            const auto size = static_cast<Size>(bytes_.size() - begin - sizeof(Size));
            std::memcpy(bytes_.data() + begin, &size, sizeof size);
            if (bytes_.size() + starts_.size() * sizeof(Start) > wanted_.mostInMemory) moveToFile();
        }
        rows_.reset();
        if (!runs_.empty() && !starts_.empty()) moveToFile();
        sort();
        if (!runs_.empty()) beginToMerge();
    }

    std::uint64_t beginning() const {
        const OrderKey& first = wanted_.keys.front();
        const std::uint64_t number = beginningOf(rows_->value(first.column));
        return first.largestFirst ? ~number : number;
    }

    /// Which of two packed rows comes first: negative, 0 or positive.
    int comparedRows(const Packed& one, const Packed& other) const {
        if (one.beginning != other.beginning) return one.beginning < other.beginning ? -1 : 1;
        const char* a = one.bytes;
        const char* b = other.bytes;
        for (const OrderKey& key : wanted_.keys)
            if (const int found = compared(packing_.take(a), packing_.take(b)); found != 0)
                return key.largestFirst ? -found : found;
        return 0;
    }

    struct Start {
        std::uint64_t beginning;
        std::size_t at;  ///< of its size in the bytes
    };
    Packed rowAt(const Start& start) const {
        return {start.beginning, bytes_.data() + start.at + sizeof(Size)};
    }
    void sort() {
        std::ranges::sort(starts_, [this](const Start& one, const Start& other) {
            const int found = comparedRows(rowAt(one), rowAt(other));
            return found != 0 ? found < 0 : one.at < other.at;
        });
    }

    void moveToFile() {
        sort();
        Run& run = runs_.emplace_back();
        run.place = run.end = written_;
        std::string some;
        for (const Start& start : starts_) {
            Size size = 0;
            std::memcpy(&size, bytes_.data() + start.at, sizeof size);
            some.append(bytes_, start.at, sizeof(Size) + size);
            if (some.size() >= kWrittenTogether) append(run, some);
        }
        append(run, some);
        starts_.clear();
        bytes_.clear();
        if (stopped_) throw Stopped();
    }
    void append(Run& run, std::string& some) {
        if (some.empty()) return;
        file_.append(some);
        run.end = written_ += some.size();
        some.clear();
    }

    bool takeFromMemory() {
        if (taken_ == starts_.size()) return false;
        setValues(rowAt(starts_[taken_++]).bytes);
        return true;
    }

    /// Of runs: the one whose row comes later. Earlier runs have earlier ones of equal rows.
    auto isBehind() const {
        return [this](std::size_t one, std::size_t other) {
            const int found = comparedRows(runs_[one].row, runs_[other].row);
            return found != 0 ? found > 0 : one > other;
        };
    }

    void beginToMerge() {
        bytes_ = {};
        starts_ = {};
        readTogether_ = std::max(kLeastReadTogether, wanted_.mostInMemory / runs_.size());
        for (std::size_t run = 0; run < runs_.size(); ++run)
            if (readRow(runs_[run])) heap_.push_back(run);
        std::ranges::make_heap(heap_, isBehind());
    }
    bool takeFromRuns() {
        if (last_ != kNone && readRow(runs_[last_])) {
            heap_.push_back(last_);
            std::ranges::push_heap(heap_, isBehind());
        }
        last_ = kNone;
        if (heap_.empty()) return false;
        std::ranges::pop_heap(heap_, isBehind());
        last_ = heap_.back();
        heap_.pop_back();
        setValues(runs_[last_].row.bytes);
        return true;
    }

    /// On to the next row of a run; false behind the last.
    bool readRow(Run& run) {
        if (run.row.bytes != nullptr) run.at += sizeof(Size) + sizeOf(run);
        if (run.buffer.size() - run.at < sizeof(Size) ||
            run.buffer.size() - run.at < sizeof(Size) + sizeOf(run)) {
            if (!readOn(run)) return false;
        }
        run.row.bytes = run.buffer.data() + run.at + sizeof(Size);
        const char* key = run.row.bytes;
        const std::uint64_t number = beginningOf(packing_.take(key));
        run.row.beginning = wanted_.keys.front().largestFirst ? ~number : number;
        return true;
    }
    static Size sizeOf(const Run& run) {
        Size size = 0;
        std::memcpy(&size, run.buffer.data() + run.at, sizeof size);
        return size;
    }
    /// A buffer that begins with the row at hand; a row is much smaller than a buffer.
    bool readOn(Run& run) {
        run.place += run.at;
        run.at = 0;
        const auto size = std::min<std::uint64_t>(readTogether_, run.end - run.place);
        file_.read(run.place, size, run.buffer);
        return size > 0;
    }

    void setValues(const char* bytes) {
        for (const OrderKey& key : wanted_.keys) values_[key.column] = packing_.take(bytes);
        for (const std::size_t column : columns_) values_[column] = packing_.take(bytes);
    }

    static constexpr std::size_t kFirstRoom = std::size_t{1} << 20U;
    static constexpr std::size_t kWrittenTogether = std::size_t{1} << 20U;
    /// More than a row of all columns has.
    static constexpr std::size_t kLeastReadTogether = std::size_t{16} << 10U;
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    std::uint64_t written_ = 0;  ///< bytes of the file
    std::string bytes_;          ///< of rows in memory, each behind its size
    std::vector<Start> starts_;
    std::size_t taken_ = 0;  ///< so many of those in memory
    std::vector<Run> runs_;
    std::vector<std::size_t> heap_;  ///< of runs that have rows; the one whose row comes next first
    std::size_t last_ = kNone;       ///< the run of the present row
    std::size_t readTogether_ = 0;   ///< bytes of a run
    std::uint64_t given_ = 0;
};

}  // namespace

std::unique_ptr<Cursor> sortedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                   const std::atomic<bool>& stopped) {
    return std::make_unique<SortedRows>(std::move(rows), std::move(order), stopped);
}

}  // namespace holos::query
