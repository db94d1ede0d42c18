// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/stopped.h"
#include "report/query/table.h"

/// What rows are kept in until they can be handed over in another order.
namespace holos::query {

/// A column by which rows are put in order.
struct OrderKey {
    std::size_t column = 0;
    bool largestFirst = false;
};

/// In which order rows are wanted, and what of them.
struct RowOrder {
    static constexpr std::size_t kMostColumns = 64;  ///< that a question can name

    std::vector<OrderKey> keys;
    std::uint64_t columns = 0;     ///< one bit for each that is wanted of the rows
    std::filesystem::path folder;  ///< of a file without a name, where rows lie that are too many for memory
    std::size_t mostInMemory = std::size_t{128} << 20U;  ///< bytes

    std::vector<std::size_t> columnsBesideKeys() const;
};

/// Nothing before numbers, these before texts, as SQLite has it: negative, 0 or positive.
int compared(const Value& one, const Value& other);

/// Values as bytes: what they are, and then they themselves; a text by its number, each different one once.
class Packing {
  public:
    /// Throws `std::bad_alloc` where different texts are too many for memory.
    void add(std::string& bytes, const Value& value);
    /// What was added there; `at` moves behind it. Texts are valid as long as the packing.
    Value take(const char*& at) const;

  private:
    std::uint32_t numberOf(std::string_view text);

    /// Texts that came lately, by where they lie: the same ones mostly come again, and need not be looked
    /// for.
    struct Recent {
        const char* at = nullptr;
        std::uint32_t number = 0;
    };
    std::array<Recent, 256> recent_{};
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::size_t bytes_ = 0;
};

/// A file for rows without a name: it is gone when it is closed, however this process ends. Made when
/// something is written. Throws `holos::Error` that says what to do where the disk does not take it.
class UnnamedFile {
  public:
    explicit UnnamedFile(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Where it stands then.
    std::uint64_t append(std::string_view bytes);
    void read(std::uint64_t place, std::size_t size, std::string& bytes) const;

  private:
    void open();
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path folder_;
    Descriptor file_;
    std::uint64_t end_ = 0;
};

/// Hands over all rows of a cursor, which it keeps until the last one is known.
class ReorderedRows : public Cursor {
  public:
    Value value(std::size_t column) const override { return values_[column]; }

  protected:
    /// `stopped` must outlive the cursor.
    ReorderedRows(std::unique_ptr<Cursor> rows, RowOrder order, const std::atomic<bool>& stopped)
        : rows_(std::move(rows)),
          wanted_(std::move(order)),
          stopped_(stopped),
          columns_(wanted_.columnsBesideKeys()),
          file_(wanted_.folder),
          values_(RowOrder::kMostColumns) {}

    /// Throws `Stopped`; looks only now and then, by the number of the row.
    void endIfStopped(std::uint64_t row) const {
        constexpr std::uint64_t kRowsBetweenLooks = 4096;
        if (row % kRowsBetweenLooks == 0 && stopped_) throw Stopped();
    }

    std::unique_ptr<Cursor> rows_;  ///< null: all are kept
    RowOrder wanted_;
    const std::atomic<bool>& stopped_;
    std::vector<std::size_t> columns_;  ///< that are wanted, but the keys
    Packing packing_;
    UnnamedFile file_;
    std::vector<Value> values_;  ///< of the present row, by column
};

/// Hands over all rows of a cursor in the order of the keys; those of equal keys stay as they were. What does
/// not fit into memory is sorted part by part, and the parts are merged from the file. Rows are read when the
/// first one is asked for. `next` throws `Stopped`, `std::bad_alloc` where different texts are too many, and
/// `holos::Error` where the file cannot be written. `stopped` must outlive the cursor.
std::unique_ptr<Cursor> sortedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                   const std::atomic<bool>& stopped);

/// Hands over all rows of a cursor with those of equal keys one after the other, in the order of the keys, so
/// that nobody has to sort them: each group keeps what is wanted of its rows, in a few bytes. For keys of few
/// different values. Rows are read when the first one is asked for. `next` throws `Stopped`, `std::bad_alloc`
/// where the groups are too many, and `holos::Error` where the file cannot be written. `stopped` must outlive
/// the cursor.
std::unique_ptr<Cursor> groupedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                    const std::atomic<bool>& stopped);

}  // namespace holos::query
