// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/conditions.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"

namespace holos::analyzer::predict {

namespace {

using Kind = Condition::Kind;

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kTimes{Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"ns", 1e-9}};
constexpr std::array kRates{Unit{"", 1},    Unit{"K", 1e3},    Unit{"M", 1e6},    Unit{"G", 1e9},
                            Unit{"B/s", 1}, Unit{"KB/s", 1e3}, Unit{"MB/s", 1e6}, Unit{"GB/s", 1e9}};
constexpr std::array kSizes{Unit{"", 1},       Unit{"B", 1},       Unit{"K", 1024},     Unit{"KB", 1024},
                            Unit{"KiB", 1024}, Unit{"M", 1048576}, Unit{"MB", 1048576}, Unit{"MiB", 1048576}};
constexpr std::array kPlain{Unit{"", 1}};

/// What a condition is written like.
struct Form {
    std::string_view begin;  ///< before the name or the value
    Kind kind;
    bool hasName;
    bool hasValue;
    std::string_view shown;
};
constexpr std::array kForms{
    Form{"network=ideal", Kind::IdealNetwork, false, false, "network=ideal"},
    Form{"latency=", Kind::Latency, false, true, "latency=2us"},
    Form{"bandwidth=", Kind::Bandwidth, false, true, "bandwidth=10G"},
    Form{"eager=", Kind::Eager, false, true, "eager=64K"},
    Form{"balance ", Kind::Balance, true, false, "balance CALLPATH"},
    Form{"speedup ", Kind::Speedup, true, true, "speedup CALLPATH=2"},
    Form{"remove ", Kind::Remove, true, false, "remove CALLPATH"},
    Form{"limit ", Kind::Limit, true, true, "limit CALLPATH=2s"},
    Form{"threads balanced", Kind::ThreadsBalanced, false, false, "threads balanced"},
    Form{"joined threads balanced", Kind::JoinedThreadsBalanced, false, false, "joined threads balanced"},
    Form{"locks free", Kind::LocksFree, false, false, "locks free"},
    Form{"cpu ratio ", Kind::CpuRatio, true, true, "cpu ratio NODE=0.8"}};

[[noreturn]] void fail(std::string_view text, const std::string& why) {
    throw Error("condition '" + std::string(text) + "': " + why);
}

template <std::size_t N>
std::optional<double> number(std::string_view word, const std::array<Unit, N>& units) {
    const auto value = takeLeadingNumber<double>(word);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    for (const Unit& unit : units)
        if (unit.name == trimmed(word)) return *value * unit.factor;
    return std::nullopt;
}

double valueOf(std::string_view text, Kind kind, std::string_view word) {
    std::optional<double> value;
    const char* expected = "expected a number above 0";
    bool isZeroAllowed = false;
    switch (kind) {
        case Kind::Latency:
        case Kind::Limit:
            value = number(word, kPlain) == 0 ? 0 : number(word, kTimes);
            expected = "expected a time, such as 2us, 0.5ms or 0";
            isZeroAllowed = true;
            break;
        case Kind::Bandwidth:
            if (word == "infinite") return std::numeric_limits<double>::infinity();
            value = number(word, kRates);
            expected = "expected bytes per second, such as 500M or 10G, or infinite";
            break;
        case Kind::Eager:
            value = number(word, kSizes);
            expected = "expected the size of the largest message that is sent at once, such as 64K";
            isZeroAllowed = true;
            break;
        default:
            value = number(word, kPlain);
    }
    if (!value || *value < 0 || (*value == 0 && !isZeroAllowed))
        fail(text, expected + (", not '" + std::string(word) + "'"));
    return *value;
}

const Form* formOf(std::string_view text) {
    for (const Form& form : kForms)
        if (form.hasName || form.hasValue ? text.starts_with(form.begin) : text == form.begin) return &form;
    return nullptr;
}

[[noreturn]] void failUnknown(std::string_view text) {
    std::vector<std::string> known;
    std::string all;
    for (const Form& form : kForms) {
        known.emplace_back(trimmed(form.begin));
        all += (all.empty() ? "" : ", ") + std::string(form.shown);
    }
    const std::string_view word = text.substr(0, text.find_first_of(" ="));
    fail(text, "nothing is known by that name" + didYouMean(word, known) + " (known are " + all + ")");
}

}  // namespace

Condition parseCondition(std::string_view text) {
    text = trimmed(text);
    const Form* const form = formOf(text);
    if (form == nullptr) failUnknown(text);
    Condition condition{form->kind, std::string(text)};
    std::string_view rest = trimmed(text.substr(std::min(text.size(), form->begin.size())));
    if (form->hasName && form->hasValue) {
        const std::size_t equals = rest.rfind('=');
        if (equals == std::string_view::npos)
            fail(text, "the value is missing; write " + std::string(form->shown));
        condition.name = trimmed(rest.substr(0, equals));
        rest = trimmed(rest.substr(equals + 1));
    } else if (form->hasName) {
        condition.name = rest;
    }
    if (form->hasName && condition.name.empty())
        fail(text, "the name is missing; write " + std::string(form->shown));
    if (form->hasValue) condition.value = valueOf(text, form->kind, rest);
    return condition;
}

}  // namespace holos::analyzer::predict
