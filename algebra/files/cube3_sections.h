// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algebra/files/anchor_sections.h"
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

/// `<system>` of CUBE 3: machines, nodes, processes and threads, told to the reader of `anchor.xml` in its
/// words.
class Cube3System final : public AnchorSection {
  public:
    Cube3System(Anchor& anchor, const std::string& file)
        : AnchorSection(anchor, file), system_(anchor, file) {}
    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;
    void finish() override { system_.finish(); }

  private:
    XmlElement translated(const XmlElement& element) const;

    SystemSection system_;
    std::unordered_map<std::string, std::size_t> processes_;  ///< position in the document by `Id`
};

/// Where the rows of a matrix are in the file cannot be told.
struct UnknownPlaces {};

/// `<severity>`: matrices of rows of numbers, one per thread in the order of thread ids.
class Cube3Severity final : public AnchorSection {
  public:
    Cube3Severity(Anchor& anchor, const std::string& file) : AnchorSection(anchor, file) {}
    /// Values stay in the file, where these are: they are read when they are asked for. Reading throws
    /// `UnknownPlaces` where that cannot be done.
    void leaveInFile(std::shared_ptr<const FileReader> file, RowPlaces& places) {
        inFile_ = std::move(file);
        places_ = &places;
    }
    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;

  private:
    void beginMatrix(const XmlElement& element);
    void keepMatrix();
    void endRow(const XmlElement& element, const std::string& text);
    bool hasNoValue(MetricId metric) const;

    std::unordered_map<std::uint64_t, MetricId> metrics_;
    std::unordered_map<std::uint64_t, CallPathId> paths_;
    std::optional<MetricId> metric_;            ///< of the open matrix
    std::shared_ptr<const FileReader> inFile_;  ///< null: values are kept in memory
    RowPlaces* places_ = nullptr;
    std::vector<TextPlace> rows_;  ///< of the open matrix, by CallPathId
    SeverityTable table_;
    std::vector<bool> rowSeen_;  ///< of the open matrix, by CallPathId
    std::vector<double> row_;
};

}  // namespace holos::algebra
