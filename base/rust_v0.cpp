// SPDX-License-Identifier: BSD-3-Clause
#include "base/rust_v0.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/text.h"

namespace holos {
namespace {

constexpr std::size_t kLongestMangled = 1U << 16;
constexpr int kDeepest = 200;
constexpr int kMostSteps = 100'000;

bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}
bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}

std::string_view basicType(char tag) {
    constexpr std::string_view kNames[] = {
        "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
        "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};
    return isLower(tag) ? kNames[tag - 'a'] : "";
}

/// Follows the grammar of RFC 2603; each function takes one of its productions and prints it. After the first
/// thing that does not fit nothing more is taken.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<std::string> read() {
        if (text_.empty() || !isUpper(text_.front()))
            return {};  // a version that came later begins with a digit
        path(true);
        if (!failed_ && at_ < text_.size() && isUpper(text_[at_])) silently([this] { path(false); });
        const bool isWhole = at_ == text_.size() || text_[at_] == '.' || text_[at_] == '$';
        if (failed_ || !isWhole) return {};
        return std::move(out_);
    }

  private:
    struct Identifier {
        std::string name;
        std::uint64_t disambiguator = 0;
    };

    /// Counts how deep one is in the grammar.
    class Level {
      public:
        explicit Level(Reader& reader) : reader_(reader) {
            if (++reader_.depth_ > kDeepest || ++reader_.steps_ > kMostSteps) reader_.failed_ = true;
        }
        ~Level() { --reader_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        Reader& reader_;
    };

    void print(std::string_view part) {
        if (!isSilent_ && out_.size() + part.size() <= kLongestMangled)
            out_ += part;
        else if (!isSilent_)
            failed_ = true;
    }
    template <class Part>
    void silently(Part part) {
        const bool before = std::exchange(isSilent_, true);
        part();
        isSilent_ = before;
    }

    char next() {
        if (failed_ || at_ >= text_.size()) {
            failed_ = true;
            return '\0';
        }
        return text_[at_++];
    }
    bool take(char wanted) {
        if (failed_ || at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    std::uint64_t base62() {
        if (take('_')) return 0;
        std::uint64_t value = 0;
        while (!failed_ && !take('_')) {
            const char c = next();
            const int digit = isDigit(c)   ? c - '0'
                              : isLower(c) ? c - 'a' + 10
                              : isUpper(c) ? c - 'A' + 36
                                           : -1;
            if (digit < 0 || value > UINT64_MAX / 62 - 62) failed_ = true;
            if (!failed_) value = value * 62 + static_cast<std::uint64_t>(digit);
        }
        return value + 1;
    }
    std::uint64_t optionalBase62(char tag) { return take(tag) ? base62() + 1 : 0; }

    Identifier identifier() {
        Identifier result;
        result.disambiguator = optionalBase62('s');
        const bool isEncoded = take('u');
        if (at_ >= text_.size() || !isDigit(text_[at_])) failed_ = true;
        std::size_t length = 0;
        if (!take('0'))
            while (!failed_ && at_ < text_.size() && isDigit(text_[at_]) && length <= text_.size())
                length = length * 10 + static_cast<std::size_t>(next() - '0');
        take('_');
        if (failed_ || length > text_.size() - at_) {
            failed_ = true;
            return result;
        }
        const std::string_view bytes = text_.substr(at_, length);
        at_ += length;
        if (isEncoded) {
            const auto decoded = fromPunycode(bytes);
            failed_ = failed_ || !decoded;
            if (decoded) result.name = *decoded;
        } else {
            result.name = bytes;
        }
        return result;
    }

    /// What stood at an earlier place stands here again.
    template <class Part>
    void repeated(Part part) {
        const std::size_t here = at_ - 1;
        const std::uint64_t place = base62();
        if (place >= here) failed_ = true;
        if (failed_ || isSilent_) return;
        const std::size_t behind = std::exchange(at_, static_cast<std::size_t>(place));
        part();
        at_ = behind;
    }

    /// `inValue`: generic arguments need `::` before them.
    void path(bool inValue) {
        const Level level(*this);
        switch (next()) {
            case 'C':
                print(identifier().name);
                break;
            case 'N':
                nested(inValue);
                break;
            case 'M':
                implementation();
                print("<");
                type();
                print(">");
                break;
            case 'X':
                implementation();
                [[fallthrough]];
            case 'Y':
                print("<");
                type();
                print(" as ");
                path(false);
                print(">");
                break;
            case 'I':
                path(inValue);
                print(inValue ? "::<" : "<");
                arguments();
                print(">");
                break;
            case 'B':
                repeated([&] { path(inValue); });
                break;
            default:
                failed_ = true;
        }
    }

    void implementation() {
        optionalBase62('s');
        silently([this] { path(false); });
    }

    void nested(bool inValue) {
        const char space = next();
        if (!isLower(space) && !isUpper(space)) failed_ = true;
        path(inValue);
        const Identifier last = identifier();
        if (isLower(space)) {
            if (!last.name.empty()) print("::" + last.name);
            return;
        }
        print("::{");
        print(space == 'C' ? "closure" : space == 'S' ? "shim" : std::string_view(&space, 1));
        if (!last.name.empty()) print(":" + last.name);
        print("#" + std::to_string(last.disambiguator) + "}");
    }

    void arguments() {
        for (bool isFirst = true; !failed_ && !take('E'); isFirst = false) {
            if (!isFirst) print(", ");
            if (take('L'))
                lifetime(base62());
            else if (take('K'))
                constant();
            else
                type();
        }
    }

    void lifetime(std::uint64_t index) {
        print("'");
        if (index == 0) return print("_");
        if (index > bound_) {
            failed_ = true;
            return;
        }
        const std::uint64_t depth = bound_ - index;
        if (depth < 26)
            print(std::string(1, static_cast<char>('a' + depth)));
        else
            print("_" + std::to_string(depth));
    }

    /// Lifetimes that a function's type or a trait object introduces, then the rest of it.
    template <class Part>
    void bound(Part part) {
        const std::uint64_t count = optionalBase62('G');
        if (count > kLongestMangled) failed_ = true;
        const std::uint64_t before = bound_;
        if (count > 0 && !failed_) {
            print("for<");
            for (std::uint64_t i = 0; i < count && !failed_; ++i) {
                if (i > 0) print(", ");
                ++bound_;
                lifetime(1);
            }
            print("> ");
        }
        part();
        bound_ = before;
    }

    void type() {
        const Level level(*this);
        const char tag = next();
        if (const std::string_view basic = basicType(tag); !basic.empty()) return print(basic);
        switch (tag) {
            case 'R':
            case 'Q':
                reference(tag == 'Q');
                break;
            case 'P':
            case 'O':
                print(tag == 'P' ? "*const " : "*mut ");
                type();
                break;
            case 'A':
            case 'S':
                print("[");
                type();
                if (tag == 'A') {
                    print("; ");
                    constant();
                }
                print("]");
                break;
            case 'T':
                tuple();
                break;
            case 'F':
                bound([this] { function(); });
                break;
            case 'D':
                object();
                break;
            case 'B':
                repeated([this] { type(); });
                break;
            default:
                --at_;
                path(false);
        }
    }

    void reference(bool isMutable) {
        print("&");
        if (take('L'))
            if (const std::uint64_t index = base62(); index != 0) {
                lifetime(index);
                print(" ");
            }
        if (isMutable) print("mut ");
        type();
    }

    void tuple() {
        print("(");
        std::size_t count = 0;
        for (; !failed_ && !take('E'); ++count) {
            if (count > 0) print(", ");
            type();
        }
        print(count == 1 ? ",)" : ")");
    }

    void function() {
        if (take('U')) print("unsafe ");
        if (take('K')) {
            std::string abi = take('C') ? "C" : identifier().name;
            std::replace(abi.begin(), abi.end(), '_', '-');
            print("extern \"" + abi + "\" ");
        }
        print("fn(");
        for (bool isFirst = true; !failed_ && !take('E'); isFirst = false) {
            if (!isFirst) print(", ");
            type();
        }
        print(")");
        if (take('u')) return;  // nothing is returned
        print(" -> ");
        type();
    }

    void object() {
        print("dyn ");
        bound([this] {
            for (bool isFirst = true; !failed_ && !take('E'); isFirst = false) {
                if (!isFirst) print(" + ");
                trait();
            }
        });
        if (!take('L')) failed_ = true;
        if (const std::uint64_t index = failed_ ? 0 : base62(); index != 0) {
            print(" + ");
            lifetime(index);
        }
    }

    /// True when its generic arguments are still open.
    bool openPath() {
        const Level level(*this);
        bool isOpen = false;
        if (take('B')) {
            repeated([&] { isOpen = openPath(); });
        } else if (take('I')) {
            path(false);
            print("<");
            arguments();
            isOpen = true;
        } else {
            path(false);
        }
        return isOpen;
    }

    void trait() {
        bool isOpen = openPath();
        while (take('p')) {
            print(isOpen ? ", " : "<");
            isOpen = true;
            print(identifier().name + " = ");
            type();
        }
        if (isOpen) print(">");
    }

    void constant() {
        const Level level(*this);
        if (take('B')) return repeated([this] { constant(); });
        const char tag = next();
        if (tag == 'p') return print("_");
        const bool isSigned = std::string_view("asxlni").find(tag) != std::string_view::npos;
        const bool isUnsigned = std::string_view("htmyoj").find(tag) != std::string_view::npos;
        if (!isSigned && !isUnsigned && tag != 'b' && tag != 'c') failed_ = true;
        const bool isNegative = isSigned && take('n');
        const std::size_t begin = at_;
        while (!failed_ && !take('_'))
            if (const char c = next(); !isDigit(c) && !(c >= 'a' && c <= 'f')) failed_ = true;
        if (failed_) return;
        number(tag, isNegative, text_.substr(begin, at_ - begin - 1));
    }

    void number(char tag, bool isNegative, std::string_view digits) {
        constexpr std::size_t kOf64Bits = 16;
        if (digits.size() > kOf64Bits) return print((isNegative ? "-0x" : "0x") + std::string(digits));
        std::uint64_t value = 0;
        for (const char c : digits)
            value = value << 4U | static_cast<std::uint64_t>(isDigit(c) ? c - '0' : c - 'a' + 10);
        if (tag == 'b')
            print(value == 0 ? "false" : "true");
        else if (tag == 'c' && value > ' ' && value < 0x7F)
            print({'\'', static_cast<char>(value), '\''});
        else
            print((isNegative ? "-" : "") + std::to_string(value));
    }
    void print(std::initializer_list<char> characters) { print(std::string(characters)); }
    void print(const std::string& part) { print(std::string_view(part)); }
    void print(const char* part) { print(std::string_view(part)); }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
    std::uint64_t bound_ = 0;  ///< lifetimes that are in scope
    int depth_ = 0;
    int steps_ = 0;
    bool isSilent_ = false;
    bool failed_ = false;
};

}  // namespace

std::optional<std::string> rustV0Name(std::string_view mangled) {
    return Reader(mangled).read();
}

namespace {

// The names and values of RFC 3492, section 5.
constexpr std::uint64_t kBase = 36;
constexpr std::uint64_t kTMin = 1;
constexpr std::uint64_t kTMax = 26;
constexpr std::uint64_t kSkew = 38;
constexpr std::uint64_t kDamp = 700;
constexpr std::uint64_t kInitialBias = 72;
constexpr std::uint64_t kInitialN = 0x80;
constexpr std::uint64_t kLastCharacter = 0x10FFFF;
constexpr std::size_t kLongestLabel = 4096;

std::uint64_t adapted(std::uint64_t delta, std::uint64_t points, bool isFirst) {
    delta /= isFirst ? kDamp : 2;
    delta += delta / points;
    std::uint64_t k = 0;
    for (; delta > (kBase - kTMin) * kTMax / 2; k += kBase) delta /= kBase - kTMin;
    return k + (kBase - kTMin + 1) * delta / (delta + kSkew);
}

std::optional<std::uint64_t> digitOf(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a';
    if (c >= '0' && c <= '9') return c - '0' + 26;
    return {};
}

/// How far the next character is from the last one; takes it from `rest`.
std::optional<std::uint64_t> takeDelta(std::string_view& rest, std::uint64_t bias) {
    std::uint64_t delta = 0;
    std::uint64_t weight = 1;
    for (std::uint64_t k = kBase;; k += kBase) {
        const auto digit = rest.empty() ? std::nullopt : digitOf(rest.front());
        if (!digit || weight > kLastCharacter * kLongestLabel) return {};
        rest.remove_prefix(1);
        delta += *digit * weight;
        const std::uint64_t threshold = k <= bias + kTMin ? kTMin : k >= bias + kTMax ? kTMax : k - bias;
        if (*digit < threshold) return delta;
        weight *= kBase - threshold;
    }
}

}  // namespace

std::optional<std::string> fromPunycode(std::string_view encoded) {
    if (encoded.size() > kLongestLabel) return {};
    const std::size_t last = encoded.rfind('_');
    std::vector<std::uint32_t> characters;
    if (last != std::string_view::npos) {
        characters.assign(encoded.begin(), encoded.begin() + static_cast<std::ptrdiff_t>(last));
        encoded.remove_prefix(last + 1);
    }
    std::uint64_t n = kInitialN;
    std::uint64_t bias = kInitialBias;
    for (std::uint64_t i = 0; !encoded.empty(); ++i) {
        const auto delta = takeDelta(encoded, bias);
        if (!delta) return {};
        const std::uint64_t points = characters.size() + 1;
        bias = adapted(*delta, points, n == kInitialN && i == 0);
        i += *delta;
        n += i / points;
        i %= points;
        if (n > kLastCharacter || (n >= 0xD800 && n < 0xE000)) return {};
        characters.insert(characters.begin() + static_cast<std::ptrdiff_t>(i), static_cast<std::uint32_t>(n));
    }
    std::string text;
    for (const std::uint32_t character : characters) {
        char bytes[4];
        text.append(bytes, utf8::put(bytes, character));
    }
    return text;
}

}  // namespace holos
