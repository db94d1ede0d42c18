// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::algebra {

/// The start of an element, with its attributes in their order. Names are the parser's, and valid as long.
struct XmlElement {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string>> attributes;
    std::uint64_t line = 0;  ///< from 1

    /// The attribute's value; null when it is not there.
    const std::string* find(std::string_view attribute) const;
    std::string get(std::string_view attribute, std::string otherwise = {}) const;
};

/// Receives what a parser finds, in document order.
class XmlHandler {
  public:
    virtual ~XmlHandler() = default;
    virtual void begin(const XmlElement& element) = 0;
    /// `text` is the element's own text, without that of the elements inside; the handler may take it.
    virtual void end(const XmlElement& element, std::string&& text) = 0;
};

/// Parses a document piece by piece with libxml2, without network, entities or document types. Memory is
/// bounded by the depth of the document and the text of its open elements, each of which is limited. Throws
/// `holos::Error` with `file` and the line for what is not well-formed, nested too deeply or too long.
/// Exceptions of the handler pass through; the parser is of no use afterwards.
class XmlParser {
  public:
    /// The references must outlive the parser.
    XmlParser(const std::string& file, XmlHandler& handler);
    XmlParser(XmlParser&&) = delete;
    ~XmlParser();

    void feed(std::string_view piece);
    /// The document ends here. The last call.
    void finish();

  private:
    class Parser;
    std::unique_ptr<Parser> parser_;
};

/// Parses a whole document.
void parseXml(std::string_view document, const std::string& file, XmlHandler& handler);

}  // namespace holos::algebra
