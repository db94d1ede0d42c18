// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/diagnosis.h"

#include <fmt/format.h>

namespace holos::analyzer {

const char* toString(Trouble trouble) {
    switch (trouble) {
        case Trouble::DamagedFile:
            return "damaged file";
        case Trouble::MissingDefinition:
            return "missing definition";
        case Trouble::UnbalancedCalls:
            return "unbalanced calls";
        case Trouble::ClockBackwards:
            return "clock ran backwards";
        case Trouble::UnmatchedMessage:
            return "unmatched message";
        case Trouble::UnmatchedCollective:
            return "unmatched collective";
        case Trouble::UnmatchedThreads:
            return "unmatched threads";
        case Trouble::ClockViolation:
            return "clock violation";
        case Trouble::NotAnalyzed:
            return "not analyzed";
        case Trouble::NotRecorded:
            return "not recorded";
    }
    return "unknown";
}

std::string describe(const Diagnosis& diagnosis) {
    std::string place;
    if (diagnosis.location) place += fmt::format("location {}", *diagnosis.location);
    if (diagnosis.event) place += fmt::format("{}event {}", place.empty() ? "" : ", ", *diagnosis.event);
    if (diagnosis.time) place += fmt::format("{}{:.9f} s", place.empty() ? "" : ", ", *diagnosis.time);
    if (place.empty()) place = "trace";
    std::string line = fmt::format("{}: {}: {}", place, toString(diagnosis.trouble), diagnosis.message);
    if (diagnosis.count > 1) line += fmt::format(" ({} times)", diagnosis.count);
    return line;
}

std::string describe(const std::vector<Diagnosis>& diagnoses) {
    std::string text;
    for (const Diagnosis& diagnosis : diagnoses) text += describe(diagnosis) + "\n";
    return text;
}

}  // namespace holos::analyzer
