// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace holos::gui {

/// Where the rows of an answer stand that are in the order of a column, from one look at the column: how many
/// rows have about the same number, or the same text. Rows far down are found by their value, so that nobody
/// has to read or sort those before them. It takes little memory, however many rows there are.
class EventIndex {
  public:
    /// `isSorted`: rows are to be sorted by the column; else they come in its order, as those of a thread do.
    EventIndex(QString column, bool largestFirst, bool isSorted)
        : column_(std::move(column)), largestFirst_(largestFirst), isSorted_(isSorted) {}

    /// Of an answer of so many rows whose order nobody can tell: they are found by reading those before them.
    static EventIndex ofRows(std::uint64_t rows);

    void add(double value, std::uint64_t rows = 1);
    void add(const std::string& text);
    /// A row without a value: smaller than all others.
    void addNothing() { ++nothing_; }
    /// After the last row.
    void finish();

    std::uint64_t rows() const { return total_; }
    /// There are too many different texts; no row is found.
    bool isTooLarge() const { return isTooLarge_; }

    /// Some rows that are read together: those for which the condition holds, without the first ones.
    struct Part {
        QString condition;
        bool isSorted = false;  ///< they have to be sorted by the column
        std::uint64_t skipped = 0;
        std::uint64_t count = 0;
    };
    /// Rows from this one on, in their order.
    std::vector<Part> partsOf(std::uint64_t first, std::uint64_t count) const;

  private:
    /// Rows whose values are almost the same.
    struct Class {
        double least = 0.0;
        double most = 0.0;
        std::string text = {};  ///< where values are texts: the only one
        bool isText = false;
        std::uint64_t rows = 0;
        bool isNothing = false;
        std::uint64_t first = 0;  ///< row
    };
    bool standsAlone(const Class& one) const;
    QString conditionOf(const Class& first, const Class& last) const;

    QString column_;
    bool largestFirst_;
    bool isSorted_;
    std::unordered_map<std::uint64_t, Class> found_;  ///< by the first digits of the values
    std::map<std::string, std::uint64_t> texts_;      ///< how many rows have it
    std::size_t sizeOfTexts_ = 0;                     ///< bytes
    bool isTooLarge_ = false;
    std::uint64_t nothing_ = 0;
    std::vector<Class> classes_;  ///< in the order of rows
    std::uint64_t total_ = 0;
};

}  // namespace holos::gui
