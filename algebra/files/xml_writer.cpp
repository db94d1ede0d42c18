// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/xml_writer.h"

#include <algorithm>

#include "algebra/files/anchor_repair.h"

namespace holos::algebra {
namespace {

/// Deeper elements are not indented further, or a deep call tree would grow with the square of its depth.
constexpr std::size_t kDeepestIndent = 30;

std::string_view escaped(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&apos;";
        default:
            return {};
    }
}

/// True for what stands for itself; nearly all names consist of it.
bool isOrdinary(char c) {
    return c >= ' ' && c <= '~' && escaped(c).empty();
}

}  // namespace

void XmlWriter::open(std::string_view element, std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += ">\n";
    open_.emplace_back(element);
}

void XmlWriter::openSection(std::string_view element, const std::string& title) {
    if (title.empty())
        open(element);
    else
        open(element, {{"title", title}});
}

void XmlWriter::close() {
    const std::string_view element = open_.back();
    open_.pop_back();
    out_.append(2 * std::min(open_.size(), kDeepestIndent), ' ');
    end(element);
}

void XmlWriter::text(std::string_view element, std::string_view text,
                     std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += '>';
    escape(text);
    end(element);
}

void XmlWriter::empty(std::string_view element, std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += "/>\n";
}

void XmlWriter::begin(std::string_view element, std::initializer_list<Attribute> attributes) {
    out_.append(2 * std::min(open_.size(), kDeepestIndent), ' ');
    out_ += '<';
    out_ += element;
    for (const auto& [name, value] : attributes) {
        out_ += ' ';
        out_ += name;
        out_ += "=\"";
        escape(value);
        out_ += '"';
    }
}

void XmlWriter::end(std::string_view element) {
    out_ += "</";
    out_ += element;
    out_ += ">\n";
}

void XmlWriter::escape(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return isOrdinary(c); })) {
        out_ += text;
        return;
    }
    for (const char c : toXmlCharacters(text)) {
        const auto replacement = escaped(c);
        if (replacement.empty())
            out_ += c;
        else
            out_ += replacement;
    }
}

}  // namespace holos::algebra
