// SPDX-License-Identifier: BSD-3-Clause
#include "validation/case_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.h"
#include "base/number.h"
#include "validation/microbenchmark.h"

namespace holos::validation {
namespace {

constexpr const char* kHead = "event,microbenchmark,processor,predicted,runs,mean,deviation,nanoseconds";

std::string lineOf(const std::string& event, const std::string& microbenchmark, unsigned processor,
                   const Case& one, const std::string& nanoseconds) {
    return fmt::format("{},{},{},{},{},{},{},{}\n", event, microbenchmark, processor, one.predicted, one.runs,
                       one.mean, one.deviation, nanoseconds);
}

/// The fields of one line.
class Fields {
  public:
    Fields(const std::string& line, Place place) : place_(std::move(place)) {
        std::istringstream in(line + ',');
        for (std::string field; std::getline(in, field, ',');) fields_.push_back(field);
        const auto expected =
            static_cast<std::size_t>(std::count(kHead, kHead + std::string(kHead).size(), ',')) + 1;
        if (fields_.size() != expected)
            throw Error(fmt::format("expected {} fields: {}", expected, kHead), place_);
    }

    const std::string& text(std::size_t at) const {
        if (fields_[at].empty()) throw Error(fmt::format("field {} is empty", at + 1), place_);
        return fields_[at];
    }
    double number(std::size_t at) const {
        const std::string& field = fields_[at];
        const auto value = asFiniteNumber(field);
        if (!value || *value < 0.0)
            throw Error(fmt::format("field {} is no number that is 0 or more: '{}'", at + 1, field), place_);
        return *value;
    }
    std::size_t count(std::size_t at) const {
        constexpr double kMost = 1e9;
        const double value = number(at);
        if (value > kMost || value != std::floor(value))
            throw Error(fmt::format("field {} is no count: '{}'", at + 1, fields_[at]), place_);
        return static_cast<std::size_t>(value);
    }
    bool isEmpty(std::size_t at) const { return fields_[at].empty(); }

  private:
    std::vector<std::string> fields_;
    Place place_;
};

void addFact(const std::string& line, Validation& validation) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return;
    const std::size_t begin = line.find_first_not_of("# ");
    validation.machine.emplace_back(line.substr(begin, colon - begin), line.substr(colon + 2));
}

void addLine(const Fields& fields, Validation& validation) {
    const Case one{fields.number(3), fields.count(4), fields.number(5), fields.number(6)};
    if (fields.text(1) == kReading) {
        validation.reads.push_back({fields.text(0), fields.isEmpty(7) ? 0.0 : fields.number(7), one});
        return;
    }
    const Suite suite{fields.text(0), fields.text(1), static_cast<unsigned>(fields.count(2)), {}};
    auto same = std::ranges::find_if(validation.suites, [&](const Suite& each) {
        return each.event == suite.event && each.microbenchmark == suite.microbenchmark &&
               each.processor == suite.processor;
    });
    if (same == validation.suites.end()) same = validation.suites.insert(same, suite);
    same->cases.push_back(one);
}

}  // namespace

std::string tableOf(const Validation& validation) {
    std::string text;
    for (const auto& [name, value] : validation.machine) text += fmt::format("# {}: {}\n", name, value);
    text += std::string(kHead) + '\n';
    for (const ReadCost& each : validation.reads)
        text += lineOf(each.event, kReading, 0, each.events, fmt::format("{}", each.nanoseconds));
    for (const Suite& suite : validation.suites)
        for (const Case& one : suite.cases)
            text += lineOf(suite.event, suite.microbenchmark, suite.processor, one, "");
    return text;
}

Validation readTable(const std::string& text, const std::string& file) {
    Validation validation;
    std::istringstream in(text);
    std::uint64_t number = 0;
    bool hasHead = false;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) continue;
        if (line.front() == '#') {
            addFact(line, validation);
        } else if (!hasHead) {
            if (line != kHead) throw Error(fmt::format("expected {}", kHead), {.file = file, .line = number});
            hasHead = true;
        } else {
            addLine(Fields(line, {.file = file, .line = number}), validation);
        }
    }
    if (validation.suites.empty() && validation.reads.empty())
        throw Error("has no case: is it a table of holos counters validate?", {.file = file});
    return validation;
}

}  // namespace holos::validation
