// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>

#include "algebra/files/anchor.h"
#include "algebra/files/anchor_repair.h"
#include "algebra/files/document_reader.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::algebra {

void AnchorSection::fail(const XmlElement& at, const std::string& message) const {
    throw Error(message, Place{.file = file_, .line = at.line});
}

std::uint64_t AnchorSection::index(const XmlElement& element, std::string_view attribute) const {
    const std::string text = element.get(attribute);
    const char* const end = text.data() + text.size();
    std::uint32_t value = 0;
    const auto [behind, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || behind != end || value > 0x7FFFFFFF)
        fail(element, "<" + std::string(element.name) + "> needs a number as \"" + std::string(attribute) +
                          "\", not \"" + text + "\"");
    return value;
}

std::int64_t AnchorSection::integer(const XmlElement& element, std::string_view text,
                                    std::int64_t otherwise) const {
    text = trimmed(text);
    if (text.empty()) return otherwise;
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || behind != end)
        fail(element, "<" + std::string(element.name) + ">: a whole number was expected, not \"" +
                          std::string(text) + "\"");
    return value;
}

namespace {

Anchor readDocument(const std::string& xml, const std::string& place) {
    Anchor anchor;
    SystemSection system(anchor, place);
    DocumentReader reader(anchor, place, "4", system, nullptr);
    parseXml(xml, place, reader);
    return anchor;
}

}  // namespace

Anchor readAnchor(const std::string& text, const std::string& file) {
    const std::string place = file + '/' + kAnchor;
    try {
        return readDocument(text, place);
    } catch (const Error&) {
        // Perhaps only because of what CUBE's writers leave unescaped: nothing of which is well-formed.
        return readDocument(repairAnchor(text), place);
    }
}

}  // namespace holos::algebra
