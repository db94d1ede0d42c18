// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holos::cli {

/// Writes a table as Apache Parquet (format 2, https://parquet.apache.org/docs/file-format/), which pandas,
/// DuckDB, Arrow and Spark read. Debian has no library that writes it. Any number of rows: what is kept are
/// those of one group.
class ParquetTable {
  public:
    enum class Kind : unsigned char { Integer, Real, Text };
    struct Column {
        std::string name;
        Kind kind;
    };
    /// Of the kind of its column, or nothing.
    using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

    /// `write` gets the bytes of the file, in their order.
    ParquetTable(const std::vector<Column>& columns, std::function<void(std::string_view)> write);

    /// One cell for each column. Bytes of texts that are not UTF-8 become U+FFFD. Throws `holos::Error` for a
    /// text of more than 1 GiB.
    void add(std::span<const Cell> row);
    /// Writes what is left. Nothing may be added afterwards.
    void finish();

    /// Where a column of a group of rows lies in the file.
    struct Chunk {
        std::int64_t dictionaryAt = 0;  ///< of texts
        std::int64_t dataAt = 0;
        std::int64_t bytes = 0;
        std::int64_t unpackedBytes = 0;
    };

  private:
    struct Group {
        std::int64_t rows = 0;
        std::vector<Chunk> chunks;
    };
    /// The values of a column in the group that is being filled.
    struct Filled {
        explicit Filled(Column of) : column(std::move(of)) {}

        Column column;
        std::vector<bool> isThere;             ///< of each row
        std::string numbers;                   ///< eight bytes each, of those that are there
        std::vector<std::uint32_t> positions;  ///< of texts, in the dictionary
        std::map<std::string, std::uint32_t, std::less<>> positionOf;
        std::string dictionary;
    };

    void put(std::string_view bytes);
    void addText(Filled& column, std::string_view text);
    Chunk writeColumn(Filled& column);
    void writeGroup();

    std::function<void(std::string_view)> write_;
    std::vector<Filled> columns_;
    std::int64_t rowsOfGroup_ = 0;
    std::size_t bytesOfTexts_ = 0;  ///< of the group
    std::int64_t written_ = 0;      ///< bytes
    std::vector<Group> groups_;
};

}  // namespace holos::cli
