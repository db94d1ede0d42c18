// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <set>

#include "base/rust_v0.h"

namespace holos {
namespace {

constexpr std::size_t kHash = 20;  // 17h, sixteen digits, E

bool isHexadecimal(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

bool endsWithHash(std::string_view symbol) {
    if (symbol.size() < kHash) return false;
    const std::string_view hash = symbol.substr(symbol.size() - kHash);
    return hash.starts_with("17h") && hash.back() == 'E' &&
           hash.substr(3, kHash - 4).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `LT`, `u7e`: what stands between two dollars for one character; 0 where it is none of these.
char escaped(std::string_view code) {
    constexpr std::pair<std::string_view, char> kCodes[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'},
                                                            {"LT", '<'}, {"GT", '>'}, {"LP", '('},
                                                            {"RP", ')'}, {"C", ','}};
    for (const auto& [known, character] : kCodes)
        if (code == known) return character;
    if (code.size() != 3 || code[0] != 'u' || !isHexadecimal(code[1]) || !isHexadecimal(code[2])) return 0;
    const auto character = static_cast<char>(std::stoi(std::string(code.substr(1)), nullptr, 16));
    return character >= ' ' && character < '\x7f' ? character : '\0';
}

/// A part of a path, such as `_$LT$impl$u20$core..fmt..Debug$GT$`.
std::string unescaped(std::string_view part) {
    if (part.starts_with("_$")) part.remove_prefix(1);
    std::string text;
    while (!part.empty()) {
        const std::size_t end = part.front() == '$' ? part.find('$', 1) : std::string_view::npos;
        const char character = end != std::string_view::npos ? escaped(part.substr(1, end - 1)) : '\0';
        const bool isSeparator = part.starts_with("..");
        if (character != '\0')
            text += character;
        else if (isSeparator)
            text += "::";
        else
            text += part.front();
        part.remove_prefix(character != '\0' ? end + 1 : isSeparator ? 2 : 1);
    }
    return text;
}

std::optional<std::string> legacyName(std::string_view symbol) {
    if (!symbol.starts_with("_ZN") || !endsWithHash(symbol)) return {};
    std::string_view rest = symbol.substr(3, symbol.size() - 3 - kHash);
    std::string text;
    while (!rest.empty()) {
        std::size_t length = 0;
        while (!rest.empty() && isDigit(rest.front()) && length <= symbol.size()) {
            length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
            rest.remove_prefix(1);
        }
        if (length == 0 || length > rest.size()) return {};
        text += (text.empty() ? "" : "::") + unescaped(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    if (text.empty()) return {};
    return text;
}

}  // namespace

std::optional<std::string> rustName(std::string_view symbol) {
    return symbol.starts_with("_R") ? rustV0Name(symbol.substr(2)) : legacyName(symbol);
}

namespace {

/// What compilers put behind the names of copies of a function, and of bodies of OpenMP constructs in it.
constexpr std::array<std::string_view, 8> kCopies{".constprop", ".isra",    ".part", ".cold",
                                                  ".lto_priv",  "._omp_fn", ".llvm", ".omp_outlined"};
constexpr std::array<std::string_view, 3> kBodies{"._omp_fn.", ".omp_outlined", ".omp_task_entry"};

/// Longer ones are nobody's, and take time.
constexpr std::size_t kLongestSymbol = 1U << 16;

std::string cxxName(const std::string& symbol) {
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed), &std::free);
    return failed == 0 && text != nullptr ? text.get() : symbol;
}

}  // namespace

std::string demangled(const std::string& symbol) {
    constexpr std::string_view kOfModule = "_MOD_";
    if (const auto at = symbol.find(kOfModule); symbol.starts_with("__") && at != std::string::npos && at > 2)
        return symbol.substr(2, at - 2) + "::" + symbol.substr(at + kOfModule.size());
    // Without these marks, C's `f` and `i` would be types: float and int.
    if (symbol.size() > kLongestSymbol || (!symbol.starts_with("_Z") && !symbol.starts_with("_R")))
        return symbol;
    if (const auto name = rustName(symbol)) return *name;
    return symbol.starts_with("_Z") ? cxxName(symbol) : symbol;
}

std::string_view withoutCopy(std::string_view symbol) {
    std::size_t end = symbol.size();
    for (const std::string_view copy : kCopies) {
        const std::size_t at = symbol.find(copy, 1);
        if (at == std::string_view::npos) continue;
        const std::size_t behind = at + copy.size();
        const bool isWhole = behind == symbol.size() || symbol[behind] == '.' || symbol[behind] == '_';
        if (isWhole) end = std::min(end, at);
    }
    return symbol.substr(0, end);
}

bool isOutlinedBody(std::string_view symbol) {
    return std::any_of(kBodies.begin(), kBodies.end(), [symbol](std::string_view body) {
        return symbol.find(body) != std::string_view::npos;
    });
}

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

namespace {

std::string_view withoutUnderscores(std::string_view name) {
    const std::size_t last = name.find_last_not_of('_');
    return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

/// `MODULE SEPARATOR PROCEDURE` as `MODULE::PROCEDURE`.
std::string fortranName(std::string_view name, std::size_t begin, std::string_view separator) {
    const std::size_t at = name.find(separator, begin + 1);
    if (at == std::string_view::npos || at + separator.size() == name.size()) return std::string(name);
    return std::string(name.substr(begin, at - begin)) +
           "::" + std::string(name.substr(at + separator.size()));
}

}  // namespace

std::string plainName(std::string_view name) {
    name = name.substr(0, name.find(" @"));
    const std::string_view plain = withoutUnderscores(withoutCopy(name));
    return plain.starts_with("__") ? fortranName(plain, 2, "_MOD_") : fortranName(plain, 0, "_mp_");
}

}  // namespace holos
