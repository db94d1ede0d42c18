// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/processor_parser.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/suggest.h"

namespace holos::specs {

namespace {

using Arguments = std::span<const Token>;

constexpr const char* kNumbersExpected = "numbers and ranges such as 1, 3-5 or 0x2a";

std::optional<NumberRange> rangeOf(std::string_view word) {
    const std::size_t dash = word.find('-');
    const auto first = asDecimalOrHexadecimal(word.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : asDecimalOrHexadecimal(word.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    return NumberRange{*first, *last};
}

/// `0`, `2-3,5`; nothing when it is something else.
std::optional<std::vector<NumberRange>> rangesOf(std::string_view word) {
    std::vector<NumberRange> ranges;
    while (true) {
        const std::size_t comma = std::min(word.find(','), word.size());
        const auto range = rangeOf(word.substr(0, comma));
        if (!range) return std::nullopt;
        ranges.push_back(*range);
        if (comma == word.size()) return ranges;
        word.remove_prefix(comma + 1);
    }
}

class RegistersParser {
  public:
    RegistersParser(Registers& registers, Problems& problems) : registers_(registers), problems_(problems) {}

    void run(Arguments tokens) {
        const Token& keyword = tokens[0];
        if (tokens.size() < 2) return reportExpected(nullptr, keyword, "'=' and their number", problems_);
        if (tokens[1].is('=')) return howMany(tokens[1], tokens.subspan(2));
        if (!tokens[1].isWord())
            return reportExpected(&tokens[1], keyword, "'=', register numbers, fixed, exclude or a name",
                                  problems_);
        if (tokens.size() < 3 || !tokens[2].is('='))
            return reportExpected(tokens.size() < 3 ? nullptr : &tokens[2], tokens[1], "'='", problems_);
        assign(tokens[1], tokens[2], tokens.subspan(3));
    }

  private:
    void howMany(const Token& equals, Arguments arguments) {
        const Token* number = arguments.empty() ? nullptr : arguments.data();
        const auto range = number != nullptr && number->isWord() ? rangeOf(number->text) : std::nullopt;
        if (!range) return reportExpected(number, equals, "a number or a range of registers", problems_);
        if (registers_.limited) return wrong(equals, "the number of registers is given twice");
        const bool plain = number->text.find('-') == std::string_view::npos;
        const std::uint64_t count = plain ? range->first : range->last - range->first + 1;
        if (count == 0 || count > Registers::kMost || range->last > 1'000'000)
            return wrong(*number, "found " + inQuotes(number->text) + ", expected from 1 to " +
                                      std::to_string(Registers::kMost) + " registers");
        registers_.limited = true;
        registers_.first = plain ? 0 : range->first;
        registers_.count = count;
        if (arguments.size() == 1) return;
        if (!arguments[1].isWord("restricted") || arguments.size() > 2)
            return reportExpected(&arguments[arguments.size() > 2 ? 2 : 1], *number,
                                  "'restricted' or the end of the line", problems_);
        registers_.restricted = true;
    }

    void assign(const Token& which, const Token& equals, Arguments arguments) {
        if (which.text == "fixed") return onFixed(events(equals, arguments));
        if (which.text == "exclude") return exclude(equals, events(equals, arguments));
        if (which.text.find_first_not_of("0123456789-,") == std::string_view::npos)
            return onNumbers(which, events(equals, arguments));
        inBank(which, equals, arguments);
    }

    /// Empty when one of them is wrong.
    std::vector<std::string> events(const Token& before, Arguments arguments) {
        std::vector<std::string> found;
        if (arguments.empty()) reportExpected(nullptr, before, "the names of events", problems_);
        for (const Token& token : arguments) {
            if (!token.isWord())
                return reportExpected(&token, before, "the name of an event", problems_), found;
            if (checkName(token, problems_)) found.emplace_back(token.text);
        }
        return found;
    }

    void onFixed(std::vector<std::string> events) { registers_.fixed.insert(events.begin(), events.end()); }

    void exclude(const Token& equals, std::vector<std::string> events) {
        if (events.size() == 1) return wrong(equals, "one event excludes none: expected two or more");
        if (!events.empty()) registers_.exclusions.push_back(std::move(events));
    }

    void onNumbers(const Token& which, const std::vector<std::string>& events) {
        if (!registers_.limited)
            return wrong(which, "the number of registers is not given before; expected 'registers = NUMBER'");
        const auto ranges = rangesOf(which.text);
        if (!ranges) return reportExpected(&which, which, kNumbersExpected, problems_);
        std::uint64_t bits = 0;
        const std::size_t last = registers_.first + registers_.count - 1;
        for (const NumberRange& range : *ranges) {
            if (range.first < registers_.first || range.last > last)
                return wrong(which, "found " + inQuotes(which.text) + ", expected registers from " +
                                        std::to_string(registers_.first) + " to " + std::to_string(last));
            for (std::uint64_t i = range.first; i <= range.last; ++i)
                bits |= std::uint64_t{1} << (i - registers_.first);
        }
        for (const std::string& event : events) registers_.allowed[event] |= bits;
    }

    /// `registers NAME = COUNT of EVENT …`
    void inBank(const Token& name, const Token& equals, Arguments arguments) {
        if (!checkName(name, problems_)) return;
        const auto count = !arguments.empty() && arguments[0].isWord()
                               ? asDecimalOrHexadecimal(arguments[0].text)
                               : std::nullopt;
        if (!count || *count == 0 || *count > Registers::kMost)
            return reportExpected(arguments.empty() ? nullptr : arguments.data(), equals,
                                  "the number of registers of " + inQuotes(name.text), problems_);
        if (arguments.size() < 2 || !arguments[1].isWord("of"))
            return reportExpected(arguments.size() < 2 ? nullptr : &arguments[1], arguments[0],
                                  "'of' and the names of events", problems_);
        for (const RegisterBank& bank : registers_.banks)
            if (bank.name == name.text) return wrong(name, "these registers are given twice");
        registers_.banks.push_back({std::string(name.text), *count});
        for (const std::string& event : events(arguments[1], arguments.subspan(2)))
            registers_.bankOf.emplace(event, registers_.banks.size() - 1);
    }

    void wrong(const Token& token, const std::string& message) {
        problems_.add(token.line, token.column, token.text, message);
    }

    Registers& registers_;
    Problems& problems_;
};

}  // namespace

void parsePlatform(std::span<const Token> tokens, Platform& platform, Problems& problems) {
    ProcessorPattern pattern;
    if (tokens.size() == 2) return;  // a platform that no processor is matched with
    if (!tokens[2].is('=') || tokens.size() < 4 || !tokens[3].isWord())
        return reportExpected(tokens[2].is('=') ? (tokens.size() < 4 ? nullptr : &tokens[3]) : &tokens[2],
                              tokens[2].is('=') ? tokens[2] : tokens[1],
                              tokens[2].is('=') ? "the vendor of the processor" : "'='", problems);
    pattern.vendor = tokens[3].text;
    std::vector<NumberRange>* ranges = nullptr;
    for (const Token& token : tokens.subspan(4)) {
        const std::pair<std::string_view, std::vector<NumberRange>*> fields[] = {
            {"family", &pattern.family}, {"model", &pattern.model}, {"stepping", &pattern.stepping}};
        const auto field =
            std::ranges::find_if(fields, [&token](const auto& each) { return token.isWord(each.first); });
        if (field != std::end(fields)) {
            ranges = field->second;
            continue;
        }
        const auto range = token.isWord() ? rangesOf(token.text) : std::nullopt;
        if (ranges == nullptr || !range)
            return reportExpected(&token, tokens[3],
                                  std::string(ranges == nullptr ? "" : kNumbersExpected) +
                                      (ranges == nullptr ? "" : ", or ") + "family, model or stepping" +
                                      didYouMean(token.text, {"family", "model", "stepping"}),
                                  problems);
        ranges->insert(ranges->end(), range->begin(), range->end());
    }
    platform.patterns.push_back(std::move(pattern));
}

void parseRegisters(std::span<const Token> tokens, Registers& registers, Problems& problems) {
    RegistersParser(registers, problems).run(tokens);
}

}  // namespace holos::specs
