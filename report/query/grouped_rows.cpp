// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/grouped_rows.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"

namespace holos::query {

namespace {

constexpr std::size_t kMostGroups = std::size_t{1} << 22U;
constexpr std::size_t kMostText = std::size_t{256} << 20U;  ///< bytes of different texts
constexpr std::uint64_t kRowsBetweenLooks = 4096;           ///< at whether it was stopped
constexpr unsigned kColumns = 64;                           ///< that a question can name

/// Each different text once.
class Texts {
  public:
    std::uint32_t numberOf(std::string_view text) {
        if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
        bytes_ += text.size() + sizeof(std::string);
        if (bytes_ > kMostText) throw std::bad_alloc();
        const auto number = static_cast<std::uint32_t>(texts_.size());
        numbers_.emplace(texts_.emplace_back(text), number);
        return number;
    }
    std::string_view of(std::uint32_t number) const { return texts_[number]; }

  private:
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::size_t bytes_ = 0;
};

/// A file that is gone when it is closed; made when something is written.
class UnnamedFile {
  public:
    explicit UnnamedFile(std::filesystem::path folder) : folder_(std::move(folder)) {}
    ~UnnamedFile() {
        if (file_ >= 0) close(file_);
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    /// Where it stands then.
    std::uint64_t append(const std::string& bytes) {
        if (file_ < 0) open();
        const std::uint64_t place = end_;
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t some =
                pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(end_ + done));
            if (some < 0 && errno != EINTR) fail("rows to be grouped cannot be kept there");
            done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
        }
        end_ += bytes.size();
        return place;
    }
    void read(std::uint64_t place, std::size_t size, std::string& bytes) const {
        bytes.resize(size);
        for (std::size_t done = 0; done < size;) {
            const ssize_t some =
                pread(file_, bytes.data() + done, size - done, static_cast<off_t>(place + done));
            if (some == 0 || (some < 0 && errno != EINTR)) fail("rows to be grouped cannot be read there");
            done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
        }
    }

  private:
    void open() {
        file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file_ >= 0) return;
        std::string name = (folder_ / "holos-rows-XXXXXX").string();
        file_ = mkostemp(name.data(), O_CLOEXEC);
        if (file_ < 0) fail("no file for rows to be grouped can be made there");
        unlink(name.c_str());
    }
    [[noreturn]] void fail(const char* what) const {
        throw Error(std::string(what) + ": " + std::generic_category().message(errno) +
                        "; choose another folder with TMPDIR, or ask for a part (location, start, region)",
                    Place{.file = folder_.string()});
    }

    std::filesystem::path folder_;
    int file_ = -1;
    std::uint64_t end_ = 0;
};

/// Values as bytes: what they are, and then they themselves; a text by its number.
class Packing {
  public:
    void add(std::string& bytes, const Value& value) {
        bytes.push_back(static_cast<char>(value.index()));
        if (const auto* whole = std::get_if<std::int64_t>(&value))
            addBytes(bytes, *whole);
        else if (const auto* number = std::get_if<double>(&value))
            addBytes(bytes, *number);
        else if (const auto* text = std::get_if<std::string_view>(&value))
            addBytes(bytes, texts_.numberOf(*text));
    }
    Value take(const char*& at) const {
        switch (*at++) {
            case 0:
                return {};
            case 1:
                return bytesAt<std::int64_t>(at);
            case 2:
                return bytesAt<double>(at);
            default:
                return texts_.of(bytesAt<std::uint32_t>(at));
        }
    }

  private:
    template <class Number>
    static void addBytes(std::string& bytes, Number number) {
        std::array<char, sizeof(Number)> raw;
        std::memcpy(raw.data(), &number, raw.size());
        bytes.append(raw.data(), raw.size());
    }
    template <class Number>
    static Number bytesAt(const char*& at) {
        Number number;
        std::memcpy(&number, at, sizeof(Number));
        at += sizeof(Number);
        return number;
    }

    Texts texts_;
};

/// Nothing before numbers, these before texts, as SQLite has it.
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

class GroupedRows final : public Cursor {
  public:
    GroupedRows(std::unique_ptr<Cursor> rows, Grouping grouping, const std::atomic<bool>& stopped)
        : rows_(std::move(rows)),
          grouping_(std::move(grouping)),
          stopped_(stopped),
          file_(grouping_.folder),
          values_(kColumns) {
        std::uint64_t rest = grouping_.columns;
        for (const GroupKey& key : grouping_.keys) rest &= ~(std::uint64_t{1} << key.column);
        for (std::size_t column = 0; column < kColumns; ++column)
            if ((rest >> column & 1U) != 0) columns_.push_back(column);
    }

    bool next() override {
        if (rows_) gather();
        if (left_ == 0 && !beginGroup()) return false;
        --left_;
        if (columns_.empty()) return true;
        if (at_ == end_) readOn();
        for (const std::size_t column : columns_) values_[column] = packing_.take(at_);
        return true;
    }
    Value value(std::size_t column) const override { return values_[column]; }

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
            if (row % kRowsBetweenLooks == 0 && stopped_) throw Stopped();
            key.clear();
            for (const GroupKey& each : grouping_.keys) packing_.add(key, rows_->value(each.column));
            if (group == nullptr || group->key != key) group = &groupOf(key);
            ++group->rows;
            const std::size_t before = group->bytes.size();
            for (const std::size_t column : columns_) packing_.add(group->bytes, rows_->value(column));
            buffered_ += group->bytes.size() - before;
            if (buffered_ > grouping_.mostInMemory) moveToFile();
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
        for (std::size_t i = 0; i < grouping_.keys.size(); ++i) key.push_back(packing_.take(at));
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
            for (std::size_t i = 0; i < grouping_.keys.size(); ++i)
                if (const int found = compared(keys[one][i], keys[other][i]); found != 0)
                    return grouping_.keys[i].largestFirst ? found > 0 : found < 0;
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
        for (std::size_t i = 0; i < key.size(); ++i) values_[grouping_.keys[i].column] = key[i];
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

    std::unique_ptr<Cursor> rows_;  ///< null: all are gathered
    Grouping grouping_;
    const std::atomic<bool>& stopped_;
    std::vector<std::size_t> columns_;  ///< that are wanted, but the keys
    Packing packing_;
    UnnamedFile file_;
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
    std::vector<Value> values_;  ///< of the present row, by column
};

}  // namespace

std::unique_ptr<Cursor> groupedRows(std::unique_ptr<Cursor> rows, Grouping grouping,
                                    const std::atomic<bool>& stopped) {
    return std::make_unique<GroupedRows>(std::move(rows), std::move(grouping), stopped);
}

}  // namespace holos::query
