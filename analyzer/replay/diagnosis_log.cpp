// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/diagnosis_log.h"

namespace holos::analyzer::replay {

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

}  // namespace holos::analyzer::replay
