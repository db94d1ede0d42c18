// SPDX-License-Identifier: BSD-3-Clause
#include "base/short_name.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace holos {
namespace {

constexpr std::string_view kFolded = "<…>";
constexpr std::string_view kAnonymous = "(anonymous namespace)";

bool isOfIdentifier(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `operator<`, `operator()` and so on at the beginning of the text; empty where there is none.
std::string_view operatorAt(std::string_view text) {
    constexpr std::array<std::string_view, 14> kOperators{
        "operator()", "operator<=>", "operator<<=", "operator>>=", "operator->*", "operator->", "operator<<",
        "operator>>", "operator<=",  "operator>=",  "operator[]",  "operator<",   "operator>",  "operator-"};
    for (const std::string_view one : kOperators)
        if (text.starts_with(one)) return one;
    return {};
}

/// What is inside of brackets; where it is not closed the name is not understood.
std::optional<std::size_t> closing(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const bool isIdentifier = i > 0 && isOfIdentifier(text[i - 1]);
        if (const auto op = operatorAt(text.substr(i)); !op.empty() && !isIdentifier) {
            i += op.size() - 1;
            continue;
        }
        const char c = text[i];
        if (c == '>' && i > 0 && text[i - 1] == '-') continue;  // decltype (a->b)
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']')
            if (--depth == 0) return i;
    }
    return {};
}

/// Folds from left to right. Parameters are those of the last function in the name, and of the functions that
/// it is inside of.
class Folder {
  public:
    Folder(std::string_view text, Folding folding) : text_(text), folding_(folding) {}

    std::optional<std::string> fold() {
        while (at_ < text_.size())
            if (!step()) return {};
        return out_;
    }

  private:
    bool step() {
        const std::string_view rest = text_.substr(at_);
        const bool isIdentifier = at_ > 0 && isOfIdentifier(text_[at_ - 1]);
        if (const auto op = isIdentifier ? std::string_view() : operatorAt(rest); !op.empty())
            return copy(op.size());
        if (!isIdentifier && rest.starts_with("operator ")) return copyConversion();
        if (rest.starts_with(kAnonymous)) return copy(kAnonymous.size());
        switch (rest.front()) {
            case '<':
                return angles();
            case '(':
                return parentheses();
            case '{':
                return braces();
            case '[':
                return brackets();
            case ' ':
                return blank();
            default:
                return copy(1);
        }
    }

    bool copy(std::size_t count) {
        out_ += text_.substr(at_, count);
        at_ += count;
        return true;
    }
    /// `operator unsigned int`, up to the parameters.
    bool copyConversion() {
        const std::size_t end = std::min(text_.find('(', at_), text_.size());
        out_ += inner(text_.substr(at_, end - at_));
        at_ = end;
        return true;
    }

    bool angles() {
        const auto end = closing(text_, at_);
        if (!end) return false;
        if (folding_ == Folding::Nested)
            out_ += '<' + inner(text_.substr(at_ + 1, *end - at_ - 1)) + '>';
        else
            out_ += kFolded;
        at_ = *end + 1;
        return true;
    }

    bool parentheses() {
        const auto end = closing(text_, at_);
        if (!end) return false;
        if (folding_ != Folding::All) out_ += '(' + inner(text_.substr(at_ + 1, *end - at_ - 1)) + ')';
        at_ = *end + 1;
        return true;
    }

    /// `{lambda(int)#2}`
    bool braces() {
        const auto end = closing(text_, at_);
        if (!end) return false;
        const std::string_view inside = text_.substr(at_, *end - at_ + 1);
        const auto open = inside.find('(');
        const auto shut = open != std::string_view::npos ? closing(inside, open) : std::nullopt;
        if (shut && folding_ == Folding::All)
            out_ += std::string(inside.substr(0, open)) + std::string(inside.substr(*shut + 1));
        else
            out_ += inside;
        at_ = *end + 1;
        return true;
    }

    /// `[abi:cxx11]` and `[clone .cold]` say nothing of the function.
    bool brackets() {
        const auto end = closing(text_, at_);
        if (!end) return false;
        const bool isRead = folding_ != Folding::All;
        if (isRead) out_ += text_.substr(at_, *end - at_ + 1);
        at_ = *end + 1;
        return true;
    }

    /// Before a blank stands the type that is returned, behind the parameters ` const`.
    bool blank() {
        ++at_;
        if (text_.substr(at_).starts_with('<')) return true;  // operator<< <char>
        if (folding_ != Folding::All) {
            out_ += ' ';
            return true;
        }
        const bool isEnd = at_ > 1 && text_[at_ - 2] == ')' && isQualifier(text_.substr(at_));
        if (isEnd)
            at_ = std::min(text_.find("::", at_), text_.size());
        else
            out_.clear();
        return true;
    }
    static bool isQualifier(std::string_view rest) {
        constexpr std::array<std::string_view, 5> kQualifiers{"const", "volatile", "&", "noexcept", "[clone"};
        return std::any_of(kQualifiers.begin(), kQualifiers.end(),
                           [&](std::string_view one) { return rest.starts_with(one); });
    }

    /// Parameters and arguments without what their types are made of.
    static std::string inner(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto end = text[i] == '<' ? closing(text, i) : std::nullopt;
            if (end) {
                out += kFolded;
                i = *end;
            } else {
                out += text[i];
            }
        }
        return out;
    }

    std::string_view text_;
    Folding folding_;
    std::size_t at_ = 0;
    std::string out_;
};

bool mayBeFolded(std::string_view name) {
    return name.find_first_of("(<") != std::string_view::npos;
}

}  // namespace

std::string folded(std::string_view name, Folding folding) {
    if (folding == Folding::None || !mayBeFolded(name)) return std::string(name);
    if (const auto at = name.find(" @"); name.starts_with("!$omp") && at != std::string_view::npos) {
        const auto plus = std::min(name.rfind("+0x"), name.size());
        return std::string(name.substr(0, at + 2)) + folded(name.substr(at + 2, plus - at - 2), folding) +
               std::string(name.substr(plus));
    }
    const auto text = Folder(name, folding).fold();
    return text && !text->empty() ? *text : std::string(name);
}

ShortNames::ShortNames(const std::vector<std::string>& names) {
    std::set<std::string_view> open;  // not yet told from each other
    std::set<std::string> taken;
    for (const auto& name : names)
        if (name.size() > kLong && mayBeFolded(name))
            open.insert(name);
        else
            taken.insert(name);
    for (const Folding folding : {Folding::All, Folding::TemplateArguments, Folding::Nested, Folding::None}) {
        std::map<std::string, std::vector<std::string_view>> alike;
        for (const auto name : open) alike[folded(name, folding)].push_back(name);
        for (const auto& [text, group] : alike) {
            if (folding != Folding::None && (group.size() > 1 || taken.contains(text))) continue;
            shortened_.emplace(group.front(), text);
            taken.insert(text);
            open.erase(group.front());
        }
    }
}

const std::string& ShortNames::of(const std::string& name) const {
    const auto at = shortened_.find(name);
    return at != shortened_.end() ? at->second : name;
}

}  // namespace holos
