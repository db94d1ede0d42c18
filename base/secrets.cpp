// SPDX-License-Identifier: BSD-3-Clause
#include "base/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace holos {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";
constexpr std::string_view kQuotes = "'\"`";

bool isOfName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

/// The last of the words that a name is made of, in small letters: `password` of `DB_PASSWORD` and of
/// `dbPassword`.
std::string lastWord(std::string_view name) {
    std::string word;
    for (std::size_t at = name.size(); at > 0; --at) {
        const char c = name[at - 1];
        if (c == '_' || c == '-' || c == '.') break;
        word.insert(word.begin(), static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        const bool beginsWord = std::isupper(static_cast<unsigned char>(c)) != 0 && at > 1 &&
                                std::islower(static_cast<unsigned char>(name[at - 2])) != 0;
        if (beginsWord) break;
    }
    return word;
}

/// A name without what separates its words, in small letters.
std::string joined(std::string_view name) {
    std::string text;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// The characters of `text` from a place on that may belong to a token.
std::string_view tokenAt(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && isOfName(text[end])) ++end;
    return text.substr(at, end - at);
}

bool looksLikeToken(std::string_view word) {
    constexpr std::array<std::string_view, 17> kBegins{
        "ghp_", "gho_",     "ghu_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-",
        "sk-",  "sk_live_", "hf_",  "npm_", "pypi-",       "AKIA",   "ASIA",  "eyJ"};
    constexpr std::size_t kShortest = 20;
    return word.size() >= kShortest &&
           std::ranges::any_of(kBegins, [word](std::string_view begin) { return word.starts_with(begin); });
}

/// Goes through a text once, and copies all but secrets.
class Masking {
  public:
    explicit Masking(std::string_view text)
        : text_(text), isOneWord_(text.find_first_of(kBlanks) == std::string_view::npos) {}

    std::string run() {
        while (at_ < text_.size())
            if (!takeName() && !takeAddress()) take(1);
        return std::move(masked_);
    }

  private:
    void take(std::size_t characters) {
        masked_ += text_.substr(at_, characters);
        at_ += characters;
    }
    void mask(std::size_t end) {
        masked_ += kMasked;
        at_ = end;
    }

    /// A word that may be a name, or a token.
    bool takeName() {
        const std::string_view name = tokenAt(text_, at_);
        if (name.empty()) return false;
        if (looksLikeToken(name)) {
            mask(at_ + name.size());
            return true;
        }
        const bool isFirst = at_ == 0;
        take(name.size());
        if (isNameOfSecret(name)) maskValue(isFirst, name.starts_with('-'));
        return true;
    }

    /// The first place from `from` on that has none of these characters.
    std::size_t skipTo(std::string_view characters, std::size_t from) const {
        return std::min(text_.find_first_not_of(characters, from), text_.size());
    }
    /// Masks the value behind a name. Between the two stand `=`, `": "`, or, behind an option, blanks.
    void maskValue(bool isFirst, bool isOption) {
        std::size_t begin = skipTo("'\"", at_);
        const std::size_t afterBlanks = skipTo(kBlanks, begin);
        const char sign = afterBlanks < text_.size() ? text_[afterBlanks] : '\0';
        if (sign == '=' || (sign == ':' && !text_.substr(afterBlanks).starts_with("://")))
            begin = skipTo(kBlanks, afterBlanks + 1);
        else if (isOption && afterBlanks > begin && sign != '-')
            begin = afterBlanks;
        else
            return;
        if (begin >= text_.size()) return;
        take(begin - at_);
        if (isFirst && sign == '=') return mask(text_.size());  // it may have blanks and quotes
        const auto quote = kQuotes.find(text_[at_]);
        if (quote != std::string_view::npos) {
            take(1);
            mask(std::min(text_.find(kQuotes[quote], at_), text_.size()));
        } else {
            mask(endOfValue(sign));
        }
    }
    /// `Authorization: Bearer x` goes on to the end of the line or the quote.
    std::size_t endOfValue(char sign) const {
        if (isOneWord_) return std::min(text_.find_first_of("&\"", at_), text_.size());
        const std::string_view ends = sign == ':' ? "'\"`\n,}" : " \t\n\r;&|'\"`)";
        return std::min(text_.find_first_of(ends, at_), text_.size());
    }

    /// `://user:secret@`
    bool takeAddress() {
        constexpr std::string_view kBegin = "://";
        if (!text_.substr(at_).starts_with(kBegin)) return false;
        const std::size_t begin = at_ + kBegin.size();
        const std::size_t end = std::min(text_.find_first_of("/?# \t\n'\"", begin), text_.size());
        const std::string_view authority = text_.substr(begin, end - begin);
        const auto host = authority.rfind('@');
        const auto colon = authority.find(':');
        take(kBegin.size());
        if (host == std::string_view::npos || colon == std::string_view::npos || colon > host) return true;
        take(colon + 1);
        mask(begin + host);
        return true;
    }

    std::string_view text_;
    bool isOneWord_;
    std::size_t at_ = 0;
    std::string masked_;
};

/// Whether the next word is the value of this one: `--password`.
bool isOptionOfSecret(std::string_view word) {
    return word.starts_with('-') && std::ranges::all_of(word, isOfName) && isNameOfSecret(word);
}

}  // namespace

bool isNameOfSecret(std::string_view name) {
    constexpr std::array<std::string_view, 10> kWords{
        "pass", "pwd", "pw", "secret", "secrets", "token", "bearer", "credential", "credentials", "cookie"};
    constexpr std::array<std::string_view, 12> kEnds{
        "password", "passwd",     "passphrase", "apikey",     "accesskey",     "secretkey",
        "authkey",  "privatekey", "signingkey", "accountkey", "authorization", "sessionkey"};
    const std::string text = joined(name);
    return std::ranges::find(kWords, lastWord(name)) != kWords.end() ||
           std::ranges::any_of(kEnds, [&text](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::string> withoutSecrets(const std::vector<std::string>& command) {
    std::vector<std::string> masked;
    bool isValue = false;
    for (const std::string& word : command) {
        masked.push_back(isValue && !word.starts_with("--") ? std::string(kMasked) : Masking(word).run());
        isValue = isOptionOfSecret(word);
    }
    return masked;
}

}  // namespace holos
