// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/registers.h"

#include <algorithm>

namespace holos::specs {
namespace {

std::string listOf(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string quantity(std::size_t number, const std::string& what) {
    return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

std::string numbersOf(const Registers& registers, std::uint64_t which) {
    std::string text;
    for (; which != 0; which &= which - 1)
        text += (text.empty() ? "" : ", ") +
                std::to_string(registers.first + static_cast<std::size_t>(std::countr_zero(which)));
    return text;
}

std::optional<std::string> crowded(const Registers& registers, const std::vector<std::string>& events) {
    if (events.size() > registers.count)
        return quantity(events.size(), "event") + " for " + quantity(registers.count, "register") + ": " +
               listOf(events);
    std::vector<std::uint64_t> allowed;
    for (const std::string& event : events) {
        const auto found = registers.allowed.find(event);
        allowed.push_back(found == registers.allowed.end() ? allRegisters(registers) : found->second);
    }
    RegisterAssignment assignment(registers.count, allowed);
    if (!assignment.firstWithout()) return std::nullopt;
    const std::uint64_t contested = assignment.tried();
    std::vector<std::string> rivals;
    for (std::size_t i = 0; i < events.size(); ++i)
        if ((allowed[i] & ~contested) == 0) rivals.push_back(events[i]);
    return listOf(rivals) + " can be counted on " +
           (std::has_single_bit(contested) ? "register " : "registers ") + numbersOf(registers, contested) +
           " only";
}

}  // namespace

bool needsNoRegister(const Registers& registers, std::string_view event) {
    return registers.fixed.contains(event) || event.find(":::") != std::string_view::npos;
}

std::optional<std::string> whyNotTogether(const Registers& registers,
                                          const std::vector<std::string>& events) {
    for (const auto& exclusion : registers.exclusions) {
        std::vector<std::string> rivals;
        for (const std::string& event : events)
            if (std::ranges::find(exclusion, event) != exclusion.end()) rivals.push_back(event);
        if (rivals.size() > 1) return listOf(rivals) + " exclude each other";
    }
    std::vector<std::string> own;
    std::vector<std::vector<std::string>> inBank(registers.banks.size());
    for (const std::string& event : events) {
        if (const auto bank = registers.bankOf.find(event); bank != registers.bankOf.end())
            inBank[bank->second].push_back(event);
        else if (!needsNoRegister(registers, event))
            own.push_back(event);
    }
    for (std::size_t i = 0; i < inBank.size(); ++i)
        if (inBank[i].size() > registers.banks[i].count)
            return quantity(inBank[i].size(), "event") + " for " +
                   quantity(registers.banks[i].count, "register") + " of " + registers.banks[i].name + ": " +
                   listOf(inBank[i]);
    return registers.limited ? crowded(registers, own) : std::nullopt;
}

}  // namespace holos::specs
