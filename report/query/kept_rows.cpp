// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/kept_rows.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <deque>
#include <limits>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace holos::query {

namespace {

constexpr std::size_t kMostText = std::size_t{256} << 20U;  ///< bytes of different texts

template <class Number>
void addBytes(std::string& bytes, Number number) {
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), &number, raw.size());
    bytes.append(raw.data(), raw.size());
}

template <class Number>
Number bytesAt(const char*& at) {
    Number number;
    std::memcpy(&number, at, sizeof(Number));
    at += sizeof(Number);
    return number;
}

}  // namespace

std::vector<std::size_t> RowOrder::columnsBesideKeys() const {
    std::uint64_t rest = columns;
    for (const OrderKey& key : keys) rest &= ~(std::uint64_t{1} << key.column);
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < kMostColumns; ++column)
        if ((rest >> column & 1U) != 0) found.push_back(column);
    return found;
}

int compared(const Value& one, const Value& other) {
    const auto rank = [](const Value& value) { return value.index() == 0 ? 0 : value.index() == 3 ? 2 : 1; };
    if (rank(one) != rank(other)) return rank(one) < rank(other) ? -1 : 1;
    if (rank(one) == 0) return 0;
    if (rank(one) == 2) return std::get<std::string_view>(one).compare(std::get<std::string_view>(other));
    const auto* whole = std::get_if<std::int64_t>(&one);
    const auto* otherWhole = std::get_if<std::int64_t>(&other);
    if (whole != nullptr && otherWhole != nullptr)
        return *whole < *otherWhole ? -1 : static_cast<int>(*whole > *otherWhole);
    const auto number = [](const Value& value) {
        const auto* exact = std::get_if<std::int64_t>(&value);
        return exact != nullptr ? static_cast<double>(*exact) : std::get<double>(value);
    };
    return number(one) < number(other) ? -1 : static_cast<int>(number(one) > number(other));
}

std::uint32_t Packing::numberOf(std::string_view text) {
    Recent& recent =
        recent_[reinterpret_cast<std::uintptr_t>(text.data()) / sizeof(std::string) % recent_.size()];
    if (recent.at == text.data() && recent.at != nullptr && texts_[recent.number] == text)
        return recent.number;
    const auto known = numbers_.find(text);
    const auto number = known != numbers_.end() ? known->second : static_cast<std::uint32_t>(texts_.size());
    if (known == numbers_.end()) {
        bytes_ += text.size() + sizeof(std::string);
        if (bytes_ > kMostText) throw std::bad_alloc();
        numbers_.emplace(texts_.emplace_back(text), number);
    }
    recent = {text.data(), number};
    return number;
}

void Packing::add(std::string& bytes, const Value& value) {
    bytes.push_back(static_cast<char>(value.index()));
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        addBytes(bytes, *whole);
    else if (const auto* number = std::get_if<double>(&value))
        addBytes(bytes, *number);
    else if (const auto* text = std::get_if<std::string_view>(&value))
        addBytes(bytes, numberOf(*text));
}

Value Packing::take(const char*& at) const {
    switch (*at++) {
        case 0:
            return {};
        case 1:
            return bytesAt<std::int64_t>(at);
        case 2:
            return bytesAt<double>(at);
        default:
            return texts_[bytesAt<std::uint32_t>(at)];
    }
}

std::uint64_t UnnamedFile::append(std::string_view bytes) {
    if (!file_) open();
    const std::uint64_t place = end_;
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t some =
            pwrite(file_.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(end_ + done));
        if (some < 0 && errno != EINTR) fail("rows to be put in order cannot be kept there");
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    end_ += bytes.size();
    return place;
}

void UnnamedFile::read(std::uint64_t place, std::size_t size, std::string& bytes) const {
    bytes.resize(size);
    for (std::size_t done = 0; done < size;) {
        const ssize_t some =
            pread(file_.number(), bytes.data() + done, size - done, static_cast<off_t>(place + done));
        if (some == 0 || (some < 0 && errno != EINTR)) fail("rows to be put in order cannot be read there");
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
}

void UnnamedFile::open() {
    file_ = Descriptor(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file_) return;
    std::string name = (folder_ / "holos-rows-XXXXXX").string();
    file_ = Descriptor(mkostemp(name.data(), O_CLOEXEC));
    if (!file_) fail("no file for rows to be put in order can be made there");
    unlink(name.c_str());
}

void UnnamedFile::fail(const char* what) const {
    throw Error(std::string(what) + ": " + std::generic_category().message(errno) +
                    "; choose another folder with TMPDIR, or ask for a part (location, start, region)",
                Place{.file = folder_.string()});
}

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
    std::size_t taken_ = 0;  ///< of the rows in memory
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
    std::size_t begun_ = 0;           ///< groups that were handed over or are being so
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
