// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/openmp_directives.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/text.h"

namespace holos::code {
namespace {

namespace fs = std::filesystem;

/// What names of directives consist of; what follows is a clause.
constexpr std::array<std::string_view, 27> kNames{
    "atomic", "barrier",   "cancel",   "cancellation", "critical", "distribute", "do",
    "end",    "for",       "loop",     "masked",       "master",   "ordered",    "parallel",
    "point",  "scope",     "section",  "sections",     "simd",     "single",     "target",
    "task",   "taskgroup", "taskloop", "taskwait",     "teams",    "workshare"};

bool isOfName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view withoutSpace(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    return begin == text.npos ? std::string_view{} : text.substr(begin);
}

/// The word that a text begins with, which is taken from it.
std::string_view takeWord(std::string_view& text) {
    text = withoutSpace(text);
    std::size_t size = 0;
    while (size < text.size() && isOfName(text[size])) ++size;
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

/// What follows the words in a text that begins with them.
std::optional<std::string_view> behind(std::string_view text, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (takeWord(text) != word) return {};
    return text;
}

/// Makes spaces of the comments in the lines of a source in C or C++.
class WithoutComments {
  public:
    std::string operator()(std::string_view line) {
        std::string code;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string_view pair = line.substr(i, 2);
            if (isInside_) {
                isInside_ = pair != "*/";
                code.append(isInside_ ? 1 : 2, ' ');
                i += isInside_ ? 0 : 1;
            } else if (quote_ == 0 && pair == "//") {
                break;
            } else if (quote_ == 0 && pair == "/*") {
                isInside_ = true;
                code.append(2, ' ');
                ++i;
            } else {
                code += line[i];
                follow(line, i);
            }
        }
        quote_ = 0;
        return code;
    }

  private:
    void follow(std::string_view line, std::size_t i) {
        const char c = line[i];
        const bool isEscaped = i > 0 && line[i - 1] == '\\';
        if (quote_ != 0)
            quote_ = c == quote_ && !isEscaped ? '\0' : quote_;
        else if (c == '"')
            quote_ = c;
    }

    bool isInside_ = false;
    char quote_ = 0;
};

/// Follows `#if 0` to its end.
class LeftOut {
  public:
    bool operator()(std::string_view line) {
        std::string_view rest = withoutSpace(line);
        if (!rest.starts_with('#')) return depth_ != 0;
        rest.remove_prefix(1);
        const std::string_view word = takeWord(rest);
        const bool isIf = word == "if" || word == "ifdef" || word == "ifndef";
        if (depth_ != 0 && isIf) ++depth_;
        if (depth_ == 0 && word == "if" && takeWord(rest) == "0") depth_ = 1;
        if (depth_ == 1 && (word == "else" || word == "elif")) depth_ = 0;
        if (depth_ != 0 && word == "endif") --depth_;
        return depth_ != 0;
    }

  private:
    int depth_ = 0;
};

/// What follows the mark of a directive: `#pragma omp`, `_Pragma("omp ...")`, `[[omp::directive(...)]]`.
std::optional<std::string_view> directiveOfC(std::string_view code) {
    constexpr std::string_view kOperator = "_pragma(\"omp";
    constexpr std::string_view kAttribute = "omp::directive(";
    code = withoutSpace(code);
    if (code.starts_with('#')) return behind(code.substr(1), {"pragma", "omp"});
    if (const auto at = code.find(kOperator); at != code.npos) return code.substr(at + kOperator.size());
    if (const auto at = code.find(kAttribute); at != code.npos) return code.substr(at + kAttribute.size());
    return {};
}

bool endsWith(std::string_view line, char sign) {
    const auto last = line.find_last_not_of(" \t\r");
    return last != line.npos && line[last] == sign;
}

std::optional<std::string_view> directiveOfFortran(std::string_view line) {
    line = withoutSpace(line);
    for (const std::string_view mark : {"!$omp", "c$omp", "*$omp"})
        if (line.starts_with(mark)) return line.substr(mark.size());
    return {};
}

void addWords(std::string_view text, Directive& directive) {
    const std::string_view all = text;
    while (true) {
        const std::string_view word = takeWord(text);
        const std::string_view rest = withoutSpace(text);
        if (std::ranges::find(kNames, word) == kNames.end()) break;
        directive.words.emplace_back(word);
        if (rest.starts_with('(')) break;
    }
    for (std::string_view rest = all; !rest.empty();) {
        if (takeWord(rest) == "nowait") directive.hasNoWait = true;
        if (!rest.empty() && !isOfName(rest.front())) rest.remove_prefix(1);
    }
}

/// Reads a file line by line; directives that go on have all their words.
class DirectiveReader {
  public:
    explicit DirectiveReader(bool isFortran) : isFortran_(isFortran) {}

    void add(std::uint32_t number, const std::string& text) {
        if (isPlain(text)) return;
        const std::string line = lowerCase(text);
        const std::string code = isFortran_ ? line : withoutComments_(line);
        if (!isFortran_ && isLeftOut_(code)) return;
        const auto directive = isFortran_   ? directiveOfFortran(code)
                               : isInMacro_ ? std::nullopt
                                            : directiveOfC(code);
        if (goesOn_) {
            addWords(continued(directive ? *directive : std::string_view(code)), all.back());
        } else if (directive) {
            all.push_back({number, {}, false});
            addWords(*directive, all.back());
        }
        const bool isPart = goesOn_ || directive;
        goesOn_ = isPart && endsWith(code, isFortran_ ? '&' : '\\');
        if (isFortran_) return;
        isInMacro_ = !isPart && (isInMacro_ || withoutSpace(code).starts_with('#')) && endsWith(code, '\\');
    }

    std::vector<Directive> all;

  private:
    /// Most lines have nothing that matters here.
    bool isPlain(const std::string& line) const {
        if (goesOn_ || isInMacro_) return false;
        const auto hasOne = [&](std::initializer_list<const char*> signs) {
            return std::ranges::any_of(signs, [&](auto* sign) { return line.find(sign) != line.npos; });
        };
        return isFortran_ ? !hasOne({"$"}) : !hasOne({"#", "omp", "/*", "*/"});
    }
    /// A line of Fortran that goes on may begin with the sign for that.
    static std::string_view continued(std::string_view text) {
        text = withoutSpace(text);
        if (text.starts_with('&')) text.remove_prefix(1);
        return text;
    }

    bool isFortran_;
    bool goesOn_ = false;
    bool isInMacro_ = false;  ///< its directives stand where it is used
    WithoutComments withoutComments_;
    LeftOut isLeftOut_;
};

/// Follows the lines of a source in C or C++ from a directive to the head of the loop behind it.
class HeadReader {
  public:
    /// False when the head is complete, or when there is none.
    bool goesOn(std::uint32_t number, std::string_view text, std::uint32_t directive) {
        const std::string code = withoutComments_(text);
        if (number < directive) return true;
        const bool isPart = number == directive || goesOn_ || withoutSpace(code).starts_with('#');
        goesOn_ = isPart && code.ends_with('\\');
        if (head.begin.line == 0 && (isPart || withoutSpace(code).empty())) return true;
        if (head.begin.line == 0 && !begins(number, code)) return false;
        return !ends(number, code);
    }

    LoopHead head;

  private:
    bool begins(std::uint32_t number, std::string_view code) {
        std::string_view rest = code;
        if (takeWord(rest) != "for") return false;
        head.begin = {number, columnOf(code.find("for"))};
        return true;
    }
    bool ends(std::uint32_t number, std::string_view code) {
        const auto end = code.find(';');
        if (end == code.npos) return false;
        head.end = {number, columnOf(end)};
        return true;
    }
    static std::uint32_t columnOf(std::size_t place) { return static_cast<std::uint32_t>(place) + 1; }

    bool goesOn_ = false;
    WithoutComments withoutComments_;
};

/// Follows the lines of a source in C or C++ from a directive to the end of the statement that it is for.
class StatementReader {
  public:
    /// Lines from the first one of the file on. False when the statement has ended.
    bool goesOn(std::uint32_t number, std::string_view text, std::uint32_t directive) {
        const std::string code = withoutComments_(text);
        if (number < directive) return true;
        const bool isPart = isOfPreprocessor_ || withoutSpace(code).starts_with('#');
        isOfPreprocessor_ = isPart && endsWith(code, '\\');
        if (isPart) return true;
        return follow(number == directive ? fromMark(code) : std::string_view(code));
    }
    /// Whether it is complete before such a line.
    bool endsBefore(std::string_view line) const { return mayEnd_ && takeWord(line) != "else"; }

  private:
    static std::string_view fromMark(std::string_view code) {
        for (const std::string_view mark : {"_Pragma", "[["})
            if (const auto at = code.find(mark); at != code.npos) return code.substr(at);
        return code;
    }
    bool follow(std::string_view code) {
        char quote = 0;
        for (std::size_t i = 0; i < code.size(); ++i) {
            const char c = code[i];
            if (quote != 0 && c == '\\')
                ++i;
            else if (quote != 0)
                quote = c == quote ? '\0' : quote;
            else if (withoutSpace(code.substr(i, 1)).empty())
                continue;
            else if (mayEnd_ && endsBefore(code.substr(i)))
                return false;
            else if (!note(c, quote))
                return false;
        }
        return true;
    }
    /// False where it leaves what the directive stands in.
    bool note(char c, char& quote) {
        mayEnd_ = false;
        if (c == '"' || c == '\'') quote = c;
        if (c == '(' || c == '[') ++parentheses_;
        if (c == ')' || c == ']') --parentheses_;
        if (c == '{') ++braces_;
        if (c == '}') --braces_;
        mayEnd_ = (c == ';' || c == '}') && braces_ == 0 && parentheses_ <= 0;
        return braces_ >= 0;
    }

    WithoutComments withoutComments_;
    bool isOfPreprocessor_ = false;
    bool mayEnd_ = false;  ///< unless `else` follows
    int braces_ = 0;
    int parentheses_ = 0;
};

}  // namespace

bool Directive::has(std::string_view word) const {
    return std::ranges::find(words, word) != words.end();
}

LoopHead headBehind(const std::string& file, const Directive& directive) {
    std::ifstream in(file);
    HeadReader reader;
    std::string line;
    for (std::uint32_t number = 1; std::getline(in, line); ++number)
        if (!reader.goesOn(number, line, directive.line)) return reader.head;
    return {};
}

bool isFortranFile(const std::string& file) {
    return lowerCase(fs::path(file).extension().string()).starts_with(".f");
}

std::vector<Directive> directivesOf(const std::string& file, std::uint32_t first, std::uint32_t last) {
    constexpr std::uint32_t kMostContinued = 20;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    std::ifstream in(file);
    DirectiveReader reader(isFortranFile(file));
    std::string line;
    for (std::uint32_t number = 1; number <= last + kMostContinued && std::getline(in, line); ++number)
        reader.add(number, line);
    std::erase_if(reader.all, [&](const Directive& one) { return one.line < first || one.line > last; });
    return std::move(reader.all);
}

bool isWithin(const std::string& file, const Directive& directive, std::uint32_t line) {
    if (isFortranFile(file)) {
        const auto behind = directivesOf(file, directive.line + 1, line - 1);
        return std::ranges::none_of(behind, [&](const Directive& one) {
            return one.begins("end") && one.words.size() > 1 && directive.begins(one.words[1]);
        });
    }
    std::ifstream in(file);
    StatementReader reader;
    std::string text;
    for (std::uint32_t number = 1; number < line && std::getline(in, text); ++number)
        if (!reader.goesOn(number, text, directive.line)) return false;
    return std::getline(in, text) && !reader.endsBefore(text);
}

namespace {

/// From a call to its directive, where nothing is optimised.
constexpr std::uint32_t kLinesBehindCall = 10;

bool isOfLoop(const Directive& one) {
    const bool isStart = !one.begins("end") && !one.begins("cancel") && !one.begins("cancellation");
    return isStart && (one.has("for") || one.has("do"));
}

std::vector<Directive> loopsOf(const std::string& file, std::uint32_t first, std::uint32_t last) {
    auto all = directivesOf(file, first, last);
    std::erase_if(all, [](const Directive& one) { return !isOfLoop(one); });
    return all;
}

/// The line of the directive whose loop has the statement in its head, up to the first semicolon.
std::optional<std::uint32_t> byHead(const CallLines& call) {
    const auto loops = loopsOf(call.file, 1, call.statement);
    if (loops.empty()) return {};
    const LoopHead head = headBehind(call.file, loops.back());
    const auto isBefore = [](SourcePlace a, SourcePlace b) {
        return a.line < b.line || (a.line == b.line && a.column < b.column);
    };
    SourcePlace statement{call.statement, call.column};
    if (call.column == 0 && call.statement == head.begin.line) statement = head.begin;
    if (head.begin.line == 0 || isBefore(statement, head.begin) || !isBefore(statement, head.end)) return {};
    return loops.back().line;
}

std::uint32_t nearestBehind(const std::string& file, std::uint32_t line) {
    const auto loops = loopsOf(file, line, line + kLinesBehindCall - 1);
    return loops.empty() ? line : loops.front().line;
}

/// Where nothing is optimised, what the loop does stands behind the call, and anything before it.
std::uint32_t lastBeforeNext(const CallLines& call, std::uint32_t line) {
    const bool isKnown = call.ofFunction != 0 && call.next > call.ofFunction;
    const auto loops =
        isKnown ? loopsOf(call.file, call.ofFunction, call.next - 1) : std::vector<Directive>();
    return loops.empty() ? nearestBehind(call.file, line) : loops.back().line;
}

/// Calls of several loops of a function may all stand before the first loop, or behind what another does.
std::uint32_t theOnlyOne(const CallLines& call, std::uint32_t line) {
    if (call.ofFunction == 0) return nearestBehind(call.file, line);
    const auto loops = loopsOf(call.file, call.ofFunction, call.lastInFunction);
    if (loops.empty()) return line;
    return loops.size() == 1 ? loops.front().line : call.ofFunction;
}

}  // namespace

std::uint32_t lineOfLoop(const CallLines& call, const std::string& file, std::uint32_t line) {
    if (call.file != file) return nearestBehind(file, line);
    if (call.by == Compiled::ByGcc) return lastBeforeNext(call, line);
    if (!loopsOf(file, line, line).empty()) return line;
    if (const auto known = byHead(call)) return *known;
    return call.by == Compiled::ByGccOptimised ? theOnlyOne(call, line) : nearestBehind(file, line);
}

}  // namespace holos::code
