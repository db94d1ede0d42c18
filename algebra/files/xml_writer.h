// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::algebra {

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
