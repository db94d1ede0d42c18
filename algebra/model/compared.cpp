// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/compared.h"

#include <cmath>
#include <limits>

namespace holos::algebra {

namespace {

template <class Part>
std::vector<bool> compared(const std::vector<Part>& parts, const std::vector<double>& values,
                           bool (*isOfProgram)(const Part&)) {
    std::vector<bool> ofProgram, others;
    bool hasProgram = false, programHasValues = false, othersHaveValues = false;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const bool isMember = isOfProgram(parts[at]);
        const bool hasValue = std::isfinite(values[at]) && values[at] != 0.0;
        ofProgram.push_back(isMember);
        others.push_back(!isMember && hasValue);
        hasProgram = hasProgram || isMember;
        programHasValues = programHasValues || (isMember && hasValue);
        othersHaveValues = othersHaveValues || others.back();
    }
    if (!programHasValues && othersHaveValues) return others;
    return hasProgram ? ofProgram : std::vector<bool>(parts.size(), true);
}

bool isOfProgram(const Process& process) {
    return process.type == Process::Type::Process;
}

}  // namespace

bool isThread(const Location& location) {
    return location.type == Location::Type::Thread;
}

std::vector<bool> comparedLocations(const SystemTree& system, const std::vector<double>& valueOfEach) {
    return compared(system.locations, valueOfEach, isThread);
}

std::vector<bool> comparedProcesses(const SystemTree& system, const std::vector<double>& valueOfEach) {
    return compared(system.processes, valueOfEach, isOfProgram);
}

std::vector<double> onlyCompared(std::vector<double> values, const std::vector<bool>& isCompared) {
    for (std::size_t at = 0; at < values.size(); ++at)
        if (!isCompared[at]) values[at] = std::numeric_limits<double>::quiet_NaN();
    return values;
}

}  // namespace holos::algebra
