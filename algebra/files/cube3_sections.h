// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algebra/files/anchor_sections.h"
#include "algebra/files/cube3_rows.h"

namespace holos::algebra {

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
