// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/diagnosis.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer {

const char* toString(Trouble trouble) {
    static constexpr const char* kWords[] = {
        "damaged file",      "missing definition",   "unbalanced calls",  "clock ran backwards",
        "unmatched message", "unmatched collective", "unmatched threads", "clock violation",
        "not analyzed",      "not recorded",         "contradiction",
    };
    static_assert(std::size(kWords) == static_cast<std::size_t>(Trouble::Contradiction) + 1);
    return kWords[static_cast<std::size_t>(trouble)];
}

std::string diagnosisText(const Diagnosis& diagnosis) {
    std::string place;
    if (diagnosis.location) place += fmt::format("location {}", *diagnosis.location);
    if (diagnosis.event) place += fmt::format("{}event {}", place.empty() ? "" : ", ", *diagnosis.event);
    if (diagnosis.time) place += fmt::format("{}{:.9f} s", place.empty() ? "" : ", ", *diagnosis.time);
    if (place.empty()) place = "trace";
    std::string line = fmt::format("{}: {}: {}", place, toString(diagnosis.trouble), diagnosis.message);
    if (diagnosis.count > 1) line += fmt::format(" ({} times)", diagnosis.count);
    return line;
}

std::string diagnosesText(const std::vector<Diagnosis>& diagnoses) {
    std::string text;
    for (const Diagnosis& diagnosis : diagnoses) text += diagnosisText(diagnosis) + "\n";
    return text;
}

void DiagnosisLog::add(Trouble trouble, const std::string& message, std::uint64_t event, trace::Ticks time) {
    for (Diagnosis& known : diagnoses_)
        if (known.trouble == trouble && known.message == message) {
            ++known.count;
            return;
        }
    if (diagnoses_.size() == kMost) {
        diagnoses_.push_back({trouble, "further troubles of other kinds", location_, {}, {}, 1});
        return;
    }
    if (diagnoses_.size() > kMost) {
        ++diagnoses_.back().count;
        return;
    }
    Diagnosis fresh{trouble, message, location_, {}, {}, 1};
    if (event != 0) {
        fresh.event = event;
        fresh.time = definitions_.seconds(time);
    }
    diagnoses_.push_back(std::move(fresh));
}

}  // namespace holos::analyzer
