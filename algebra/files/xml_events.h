// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::algebra {

/// The begin of an element, with its attributes in their order.
struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::uint64_t line = 0;  ///< from 1

    /// The attribute's value; null when it is not there.
    const std::string* find(std::string_view attribute) const;
    std::string get(std::string_view attribute, std::string otherwise = {}) const;
};

/// Receives what `parseXml` finds, in document order.
class XmlHandler {
  public:
    virtual ~XmlHandler() = default;
    virtual void begin(const XmlElement& element) = 0;
    /// `text` is the element's own text, without that of the elements inside.
    virtual void end(const XmlElement& element, std::string text) = 0;
};

/// Parses a document with libxml2, without network, external entities or document types. Throws
/// `holos::Error` with `file` and the line for what is not well-formed or nested too deeply. Exceptions of
/// the handler pass through.
void parseXml(const std::string& document, const std::string& file, XmlHandler& handler);

}  // namespace holos::algebra
