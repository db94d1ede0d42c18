// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/diagnoses.h"

#include <map>
#include <utility>

namespace holos::analyzer {

namespace {

class DiagnosisList {
  public:
    void add(const std::vector<Diagnosis>& some) {
        for (const Diagnosis& diagnosis : some) add(diagnosis);
    }
    std::vector<Diagnosis> take() { return std::move(all_); }

  private:
    void add(const Diagnosis& diagnosis) {
        const auto [known, isNew] = diagnosis.trouble == Trouble::NotAnalyzed
                                        ? leftOut_.try_emplace(diagnosis.message, all_.size())
                                        : std::pair(leftOut_.end(), true);
        if (isNew) {
            all_.push_back(diagnosis);
            return;
        }
        Diagnosis& everywhere = all_[known->second];
        everywhere.count += diagnosis.count;
        everywhere.location = everywhere.event = std::nullopt;
        everywhere.time = std::nullopt;
    }

    std::vector<Diagnosis> all_;
    std::map<std::string, std::size_t> leftOut_;  ///< by message: position in `all_`
};

}  // namespace

std::vector<Diagnosis> gatherDiagnoses(const replay::ReplayedCalls& calls, const matching::Matches& matches,
                                       const std::vector<Diagnosis>& others) {
    DiagnosisList all;
    for (const std::string& problem : calls.definitions.problems)
        all.add({{Trouble::MissingDefinition, problem, {}, {}, {}, 1}});
    for (std::size_t i = 0; i < calls.locations.size(); ++i) {
        all.add(calls.locations[i].diagnoses);
        all.add(matches.messages.diagnoses[i]);
    }
    all.add(others);
    return all.take();
}

}  // namespace holos::analyzer
