// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor_repair.h"
#include "algebra/files/cube3.h"
#include "algebra/files/cube3_sections.h"
#include "algebra/files/document_reader.h"
#include "algebra/files/text_file.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

constexpr std::size_t kLargestStructure = std::size_t{1} << 29;
constexpr std::string_view kValues = "<severity";

/// The text before the values, as XML. `rest` is what was read beyond it.
std::string readStructure(TextReader& file, std::string& rest) {
    std::string text;
    while (true) {
        const std::string_view piece = file.next();
        const std::size_t from = text.size() - std::min(text.size(), kValues.size());
        text += piece;
        const auto values = text.find(kValues, from);
        if (values != text.npos) {
            rest = text.substr(values);
            text.resize(values);
        }
        if (values != text.npos || piece.empty()) return repairAnchor(text);
        if (text.size() > kLargestStructure)
            throw Error("the structure of the experiment is too large", Place{.file = file.name()});
    }
}

}  // namespace

Experiment readCube3(const std::filesystem::path& path) {
    TextReader file(path);
    Anchor anchor;
    Cube3System system(anchor, file.name());
    Cube3Severity severity(anchor, file.name());
    DocumentReader reader(anchor, file.name(), "3", system, &severity);
    XmlParser parser(file.name(), reader);

    // Only the structure has texts that CUBE's writers may have left unescaped; the values pass as they come.
    std::string rest;
    parser.feed(readStructure(file, rest));
    parser.feed(rest);
    for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) parser.feed(piece);
    parser.finish();
    return std::move(anchor.experiment);
}

}  // namespace holos::algebra
