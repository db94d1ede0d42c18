// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/foreign.h"

#include <algorithm>

#include "algebra/files/foreign/text_lines.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

bool isText(std::string_view line) {
    return line.find('\0') == std::string_view::npos;
}

bool isFolded(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    return blank != std::string_view::npos && blank > 0 && asFiniteNumber(line.substr(blank + 1)) &&
           line.substr(0, blank).find(';') != std::string_view::npos;
}

bool isCallgrind(std::string_view line) {
    for (const char* begin : {"# callgrind format", "version: 1", "creator: callgrind", "events: "})
        if (line.starts_with(begin)) return true;
    return false;
}

bool isTau(std::string_view line) {
    return asNumber<std::int64_t>(takeWord(line)) && line.starts_with("templated_functions");
}

/// A name of a member of a JSON object with its quotation marks, anywhere in the text.
bool hasMember(std::string_view text, std::string_view name) {
    return text.find('"' + std::string(name) + '"') != std::string_view::npos;
}

/// As much of the file as shows what it is.
std::string beginOf(const std::filesystem::path& file) {
    std::string begin(std::size_t{1} << 16U, '\0');
    const Descriptor opened = openRegular(file);
    begin.resize(opened ? readAt(opened, begin.data(), begin.size(), 0) : 0);
    return begin;
}

/// Formats that have no lines: known by the first bytes.
ForeignReader readerByBytes(std::string_view begin) {
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return nullptr;
    begin.remove_prefix(first);
    if (begin.starts_with('[') && hasMember(begin, "ph")) return &readTraceEvents;
    if (!begin.starts_with('{')) return nullptr;
    if (hasMember(begin, "traceEvents")) return &readTraceEvents;
    return hasMember(begin, "data") || hasMember(begin, "columns") ? &readCaliper : nullptr;
}

ForeignReader readerByLine(std::string_view line) {
    if (isCallgrind(line)) return &readCallgrind;
    if (isTau(line)) return &readTau;
    if (line.starts_with("Flat profile:") ||
        (line.starts_with('\t') && line.find("Call graph") != std::string_view::npos))
        return &readGprof;
    if (line.starts_with("@ mpiP")) return &readMpip;
    return nullptr;
}

}  // namespace

ForeignReader foreignReaderOf(const std::filesystem::path& file) {
    try {
        if (const auto reader = readerByBytes(beginOf(file))) return reader;
        TextLines lines(file);
        while (const auto line = lines.next()) {
            if (!isText(*line)) return nullptr;
            if (const auto reader = readerByLine(*line)) return reader;
            if (line->empty() || line->front() == '#') continue;
            if (isPerfSample(*line)) return &readPerfScript;
            return isFolded(*line) ? &readFolded : nullptr;
        }
    } catch (const Error&) {  // no text of lines
    }
    return nullptr;
}

}  // namespace holos::algebra
