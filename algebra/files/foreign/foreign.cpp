// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/foreign.h"

#include <regex>

#include "algebra/files/foreign/text_lines.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

bool isText(std::string_view line) {
    return line.find('\0') == std::string_view::npos;
}

bool isFolded(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    return blank != std::string_view::npos && blank > 0 && wholeNumberOrReal(line.substr(blank + 1)) &&
           line.substr(0, blank).find(';') != std::string_view::npos;
}

bool isCallgrind(std::string_view line) {
    for (const char* begin : {"# callgrind format", "version: 1", "creator: callgrind", "events: "})
        if (line.starts_with(begin)) return true;
    return false;
}

bool isTau(std::string_view line) {
    return wholeNumber(takeWord(line)) && line.starts_with("templated_functions");
}

}  // namespace

ForeignReader foreignReaderOf(const std::filesystem::path& file) {
    TextLines lines(file);
    try {
        while (const auto line = lines.next()) {
            if (!isText(*line)) return nullptr;
            if (isCallgrind(*line)) return &readCallgrind;
            if (isTau(*line)) return &readTau;
            if (line->empty() || line->front() == '#') continue;
            if (isPerfSample(*line)) return &readPerfScript;
            return isFolded(*line) ? &readFolded : nullptr;
        }
    } catch (const Error&) {  // no text of lines
    }
    return nullptr;
}

}  // namespace holos::algebra
