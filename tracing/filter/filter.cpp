// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/filter/filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "base/function_name.h"
#include "base/input_file.h"

namespace holos::filter {
namespace {

struct Word {
    std::string text;  ///< backslashes still in it: they are part of the pattern
    int line = 0;
};

/// Words are separated by white space; a hash at the start of a word makes the rest of the line a comment.
std::vector<Word> wordsIn(std::string_view text) {
    std::vector<Word> words;
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '#') at = std::min(text.find('\n', at), text.size());
        if (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) == 0) {
            const std::size_t begin = at;
            while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) == 0)
                at += text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
            words.push_back({std::string(text.substr(begin, at - begin)), line});
        } else if (at < text.size()) {
            line += text[at++] == '\n' ? 1 : 0;
        }
    }
    return words;
}

constexpr std::string_view kFiles = "SCOREP_FILE_NAMES";
constexpr std::string_view kRegions = "SCOREP_REGION_NAMES";

class Parser {
  public:
    Parser(std::string_view text, std::string name) : words_(wordsIn(text)), name_(std::move(name)) {}

    void parse(std::vector<Rule>& files, std::vector<Rule>& regions) {
        while (at_ < words_.size())
            if (take(std::string(kFiles) + "_BEGIN"))
                parseBlock(kFiles, files);
            else if (take(std::string(kRegions) + "_BEGIN"))
                parseBlock(kRegions, regions);
            else
                fail("expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN, not " +
                     words_[at_].text);
    }

  private:
    void parseBlock(std::string_view block, std::vector<Rule>& rules) {
        const std::string end = std::string(block) + "_END";
        while (!take(end)) {
            if (at_ == words_.size()) fail(end + " is missing");
            const bool excludes = words_[at_].text == "EXCLUDE";
            if (!excludes && words_[at_].text != "INCLUDE")
                fail("expected EXCLUDE, INCLUDE or " + end + ", not " + words_[at_].text);
            ++at_;
            const bool isMangled = block == kRegions && take("MANGLED");
            parsePatterns(excludes, isMangled, rules);
        }
    }

    void parsePatterns(bool excludes, bool isMangled, std::vector<Rule>& rules) {
        const std::size_t before = at_;
        for (; at_ < words_.size() && !isKeyword(words_[at_].text); ++at_)
            rules.push_back({words_[at_].text, excludes, isMangled});
        if (at_ == before) fail("a rule needs a pattern");
    }

    static bool isKeyword(const std::string& word) {
        return word == "EXCLUDE" || word == "INCLUDE" || word.starts_with(kFiles) ||
               word.starts_with(kRegions);
    }

    bool take(std::string_view word) {
        if (at_ == words_.size() || words_[at_].text != word) return false;
        ++at_;
        return true;
    }

    [[noreturn]] void fail(const std::string& what) const {
        const int last = words_.empty() ? 0 : words_.back().line;
        throw Error(what, {.file = name_, .line = at_ < words_.size() ? words_[at_].line : last});
    }

    std::vector<Word> words_;
    std::string name_;
    std::size_t at_ = 0;
};

bool fits(const std::string& pattern, const std::string& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// The path is absolute.
bool fitsFile(const std::string& pattern, const std::string& path) {
    const bool isWhole = pattern.starts_with('/') || pattern.starts_with('*');
    return fits(isWhole ? pattern : "*/" + pattern, path);
}

/// Of calls of MPI, OpenMP and threads.
bool isForCalls(const Rule& rule) {
    constexpr std::array<std::string_view, 7> kBegins{"MPI_", "omp_", "!$omp", "pthread_",
                                                      "sem_", "mtx_", "cnd_"};
    return !rule.isMangled && std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) {
        return rule.pattern.starts_with(begin);
    });
}

/// Copies of a function have a name like `f.part.0`, procedures inside of others like `f.0`.
std::string withoutCopy(const std::string& symbol) {
    return symbol.substr(0, symbol.find('.', 1));
}

}  // namespace

Filter::Filter(std::string_view text, const std::string& name) {
    Parser(text, name).parse(files_, regions_);
}

bool Filter::excludesFile(const std::string& path) const {
    bool excluded = false;
    for (const Rule& rule : files_)
        if (fitsFile(rule.pattern, path)) excluded = rule.excludes;
    return excluded;
}

bool Filter::excludes(const std::string& name, const std::string& mangled) const {
    const bool hasTwoNames = !mangled.starts_with("_Z");  // Fortran's and C's
    bool excluded = false;
    for (const Rule& rule : regions_)
        if ((!rule.isMangled && fits(rule.pattern, name)) ||
            ((rule.isMangled || hasTwoNames) && fits(rule.pattern, mangled)))
            excluded = rule.excludes;
    return excluded;
}

bool Filter::excludesRegion(const std::string& name) const {
    return excludes(name, name);
}

bool Filter::excludesCall(const std::string& name) const {
    bool excluded = false;
    for (const Rule& rule : regions_)
        if (isForCalls(rule) && fits(rule.pattern, name)) excluded = rule.excludes;
    return excluded;
}

bool Filter::excludesFunction(const std::string& symbol) const {
    const std::string function = withoutCopy(symbol);
    return excludes(demangled(function), function);
}

bool Filter::excludesFunction(const std::string& symbol, const std::string& shown) const {
    return shown == demangled(symbol) ? excludesFunction(symbol) : excludes(shown, withoutCopy(symbol));
}

bool Filter::excludesProcedure(const std::string& symbol) const {
    const std::string procedure = withoutCopy(symbol);
    const std::string ofModule = demangled(procedure);
    if (ofModule != procedure) return excludes(ofModule, procedure);
    const bool isMain = procedure == "MAIN__";
    if (!isMain && procedure.ends_with('_'))
        return excludes(procedure.substr(0, procedure.size() - 1), procedure);
    // The main program and procedures inside of others have any name.
    bool excluded = false;
    for (const Rule& rule : regions_)
        if (fits(rule.pattern, procedure) || (!rule.excludes && !rule.isMangled)) excluded = rule.excludes;
    return excluded;
}

Filter readFilter(const std::string& path) {
    if (path == "/dev/null") return {"", path};  // the name of a file with nothing in it
    constexpr std::uint64_t kLongest = 10'000'000;
    return {readText(path, kLongest, "a filter"), path};
}

}  // namespace holos::filter
