// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "algebra/model/rows.h"

namespace holos::algebra {

/// Reads the numbers of a `<row>` of CUBE 3, one after the other. What is wrong with it, if anything; the
/// numbers before that have been read then.
std::optional<std::string> readNumbers(std::string_view text, std::span<double> into);

/// A text in a file.
struct TextPlace {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// Finds the texts of all `<row>`s in a file's bytes, piece by piece and beside the parser, which does not
/// know where it is. It is lost at comments and whatever else is more than elements with numbers.
class RowPlaces {
  public:
    /// `offset`: of the first byte.
    explicit RowPlaces(std::uint64_t offset) : at_(offset) {}

    void scan(std::string_view piece);
    /// The place of the next row, which has this text as the parser sees it; nothing: its place is not known,
    /// nor are those of later ones.
    std::optional<TextPlace> next(std::string_view text);

  private:
    void endTag(std::uint64_t behind);

    std::uint64_t at_;
    std::uint64_t tagOffset_ = 0;
    std::uint64_t rowOffset_ = 0;
    std::string tag_;
    bool isInTag_ = false;
    bool isLost_ = false;
    std::deque<TextPlace> found_;
};

/// A matrix of CUBE 3 whose rows stay in the file, as text.
class Cube3Rows final : public Rows {
  public:
    /// `places`: by CallPathId; without length where there is no row.
    Cube3Rows(std::shared_ptr<const FileReader> file, std::vector<TextPlace> places, std::size_t locations,
              double missing);

    bool hasRow(CallPathId path) const override { return places_[path.index()].length > 0; }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override;

  private:
    std::shared_ptr<const FileReader> file_;
    std::vector<TextPlace> places_;
};

}  // namespace holos::algebra
