// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor_repair.h"

#include <algorithm>
#include <cctype>

#include "base/utf8.h"

namespace holos::algebra {
namespace {

/// How many bytes the UTF-8 character at the front has; 0 when it is none that XML allows.
std::size_t lengthOfXmlCharacter(std::string_view text) {
    const auto [code, bytes] = utf8::firstOf(text);
    return code == 0xFFFE || code == 0xFFFF ? 0 : bytes;
}

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}
bool isNamePart(char c) {
    return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
}
bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Printable ASCII and blanks.
bool isPlain(char c) {
    return (c >= ' ' && c <= '~') || isBlank(c);
}

/// Whether `text` begins with a reference that XML knows without a document type: `&amp;`, `&#65;`, `&#x41;`.
bool isReference(std::string_view text) {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        if (text.starts_with(known)) return true;
    if (!text.starts_with("&#")) return false;
    const bool hexadecimal = text.size() > 2 && text[2] == 'x';
    unsigned long code = 0;
    std::size_t at = hexadecimal ? 3 : 2;
    const std::size_t begin = at;
    for (; at < text.size() && at < begin + 7; ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (hexadecimal ? std::isxdigit(c) == 0 : std::isdigit(c) == 0) break;
        const unsigned digit = std::isdigit(c) != 0 ? c - '0' : (std::tolower(c) - 'a') + 10U;
        code = code * (hexadecimal ? 16 : 10) + digit;
    }
    const bool allowed = code == 9 || code == 10 || code == 13 || (code >= 32 && code < 0xD800) ||
                         (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code < 0x110000);
    return at > begin && at < text.size() && text[at] == ';' && allowed;
}

class Repair {
  public:
    explicit Repair(std::string_view text) : text_(text) { out_.reserve(text.size() + text.size() / 16); }

    std::string run() {
        while (!text_.empty()) {
            if (text_.starts_with("<!--"))
                copyThrough("-->");
            else if (text_.starts_with("<![CDATA["))
                copyThrough("]]>");
            else if (text_.starts_with("<?"))
                copyThrough("?>");
            else if (text_.size() > 1 && text_[0] == '<' &&
                     (isNameStart(text_[1]) || text_[1] == '/' || text_[1] == '!'))
                repairTag();
            else
                repairCharacter(text_.front());
            copyUntil([](char c) { return c == '<' || c == '&'; });
        }
        return std::move(out_);
    }

  private:
    void copy(std::size_t count) {
        out_ += text_.substr(0, count);
        text_.remove_prefix(std::min(count, text_.size()));
    }

    void copyThrough(std::string_view end) {
        const auto found = text_.find(end);
        copy(found == text_.npos ? text_.size() : found + end.size());
    }

    /// Most of the text is in order: it is copied in long pieces.
    template <class Special>
    void copyUntil(Special isSpecial) {
        copy(static_cast<std::size_t>(std::ranges::find_if(text_, isSpecial) - text_.begin()));
    }

    void repairCharacter(char c) {
        if (c == '<' || (c == '&' && !isReference(text_))) {
            out_ += c == '<' ? "&lt;" : "&amp;";
            text_.remove_prefix(1);
        } else {
            copy(1);
        }
    }

    void repairTag() {
        copy(1);
        while (true) {
            copyUntil([](char c) { return c == '>' || c == '"' || c == '\'' || c == '='; });
            if (text_.empty() || text_.front() == '>') break;
            if (text_.front() == '"' || text_.front() == '\'')
                repairQuoted(text_.front());
            else
                repairValue();
        }
        copy(1);
    }

    void repairQuoted(char quote) {
        copy(1);
        while (true) {
            copyUntil([quote](char c) { return c == quote || c == '<' || c == '&'; });
            if (text_.empty() || text_.front() == quote) break;
            repairCharacter(text_.front());
        }
        copy(1);
    }

    /// The text behind `=`, quoted or not.
    void repairValue() {
        copy(1);
        while (!text_.empty() && isBlank(text_.front())) copy(1);
        if (text_.empty() || !isNamePart(text_.front())) return;
        const auto end = std::ranges::find_if_not(text_, isNamePart);
        out_ += '"';
        copy(static_cast<std::size_t>(end - text_.begin()));
        out_ += '"';
    }

    std::string_view text_;
    std::string out_;
};

}  // namespace

std::string toXmlCharacters(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (true) {
        const auto special = std::ranges::find_if_not(text, [](char c) { return isPlain(c); });
        out.append(text.begin(), special);
        text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
        if (text.empty()) return out;
        const auto lead = static_cast<unsigned char>(text.front());
        std::size_t length = 1;
        if (lead < 0x20 && !isBlank(text.front())) {
            out += ' ';
        } else if ((length = lengthOfXmlCharacter(text)) > 0) {
            out += text.substr(0, length);
        } else {
            length = 1;
            char bytes[4];
            out.append(bytes, utf8::put(bytes, lead));
        }
        text.remove_prefix(length);
    }
}

std::string repairAnchor(std::string_view text) {
    return Repair(toXmlCharacters(text)).run();
}

}  // namespace holos::algebra
