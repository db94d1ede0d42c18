// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/query/table.h"

namespace holos::query {

/// A cell of a row that is kept.
using Kept = std::variant<std::monostate, std::int64_t, double, std::string>;

template <class Number>
Kept whole(Number number) {
    return static_cast<std::int64_t>(number);
}
/// Nothing where the text is empty.
inline Kept textOrNothing(std::string text) {
    return text.empty() ? Kept() : Kept(std::move(text));
}

/// A small table whose rows are made one by one.
class ListedTable final : public Table {
  public:
    /// Fills the row of this number; false behind the last one.
    using MakeRow = std::function<bool(std::size_t number, std::vector<Kept>& row)>;

    ListedTable(const char* name, const char* meaning, std::vector<Column> columns, MakeRow make)
        : name_(name), meaning_(meaning), columns_(std::move(columns)), make_(std::move(make)) {}

    const char* name() const override { return name_; }
    const char* meaning() const override { return meaning_; }
    const std::vector<Column>& columns() const override { return columns_; }
    double size() const override { return kUsualSize; }
    std::unique_ptr<Cursor> ask(Question /*question*/) override { return std::make_unique<Rows>(make_); }

  private:
    static constexpr double kUsualSize = 1000;

    class Rows final : public Cursor {
      public:
        explicit Rows(const MakeRow& make) : make_(make) {}
        bool next() override {
            row_.clear();
            return make_(number_++, row_);
        }
        Value value(std::size_t column) const override {
            return std::visit([](const auto& kept) -> Value { return kept; }, row_.at(column));
        }

      private:
        const MakeRow& make_;
        std::size_t number_ = 0;
        std::vector<Kept> row_;
    };

    const char* name_;
    const char* meaning_;
    std::vector<Column> columns_;
    MakeRow make_;
};

}  // namespace holos::query
