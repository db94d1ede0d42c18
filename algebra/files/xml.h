// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <initializer_list>
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

/// The shortest text that reads back as the same number.
inline std::string shortestText(double value) {
    std::array<char, 32> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Writes XML as CUBE's hand-made reader wants it: no comments, no single quotes, no self-closing elements,
/// everything special escaped.
class XmlWriter {
  public:
    using Attribute = std::pair<std::string_view, std::string_view>;

    /// `element` must be valid until `close`.
    void open(std::string_view element, std::initializer_list<Attribute> attributes = {});
    /// With a title where there is one.
    void openSection(std::string_view element, const std::string& title);
    void close();
    /// `<element>text</element>` on a line of its own.
    void text(std::string_view element, std::string_view text,
              std::initializer_list<Attribute> attributes = {});
    /// `<element …/>`: the only form CUBE's reader knows for `attr`, `parameter` and `dim`.
    void empty(std::string_view element, std::initializer_list<Attribute> attributes);

    /// How much has been written and not been taken.
    std::size_t size() const { return out_.size(); }
    /// What has been written since the last call.
    std::string take() { return std::exchange(out_, {}); }

  private:
    void begin(std::string_view element, std::initializer_list<Attribute> attributes);
    void end(std::string_view element);
    void escape(std::string_view text);

    std::string out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    std::vector<std::string_view> open_;
};

}  // namespace holos::algebra
