// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/communication.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/number.h"

namespace holos::algebra {

namespace {

/// Of older files, which have no one-sided operations.
constexpr std::size_t kMessageNumbers = 4;

/// Takes a number and the tabulator behind it from the start of `line`.
template <class Number>
bool take(std::string_view& line, Number& number) {
    const auto taken = takeLeadingNumber<Number>(line);
    if (!taken) return false;
    number = *taken;
    if (line.empty()) return true;
    if (line.front() != '\t') return false;
    line.remove_prefix(1);
    return true;
}

bool takeFinite(std::string_view& line, double& number) {
    return take(line, number) && std::isfinite(number);
}

std::optional<Traffic> trafficOf(std::string_view line, std::size_t processes) {
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
    Traffic traffic;
    if (!take(line, sender) || !take(line, receiver) || sender >= processes || receiver >= processes)
        return std::nullopt;
    std::size_t known = 0;
    while (known < kTrafficNumbers.size() && !line.empty())
        if (!takeFinite(line, traffic.*kTrafficNumbers[known++].number)) return std::nullopt;
    if (!line.empty() || (known != kMessageNumbers && known != kTrafficNumbers.size())) return std::nullopt;
    traffic.sender = ProcessId(sender);
    traffic.receiver = ProcessId(receiver);
    return traffic;
}

/// As short as it can be read back.
template <class Number>
void appendNumber(std::string& text, Number number) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
}

bool isBefore(const Traffic& a, const Traffic& b) {
    return a.sender != b.sender ? a.sender < b.sender : a.receiver < b.receiver;
}

}  // namespace

std::string communicationText(const std::vector<Traffic>& traffic) {
    std::string text = "sender\treceiver";
    for (const TrafficNumber& column : kTrafficNumbers) text.append(1, '\t').append(column.name);
    text += '\n';
    for (const Traffic& pair : traffic) {
        appendNumber(text, pair.sender.index());
        text += '\t';
        appendNumber(text, pair.receiver.index());
        for (const TrafficNumber& column : kTrafficNumbers) {
            text += '\t';
            appendNumber(text, pair.*column.number);
        }
        text += '\n';
    }
    return text;
}

std::vector<Traffic> summedByPair(std::vector<Traffic> traffic) {
    std::ranges::stable_sort(traffic, isBefore);
    std::vector<Traffic> sums;
    for (const Traffic& pair : traffic) {
        if (sums.empty() || isBefore(sums.back(), pair)) {
            sums.push_back(pair);
            continue;
        }
        for (const TrafficNumber& column : kTrafficNumbers) sums.back().*column.number += pair.*column.number;
    }
    return sums;
}

std::vector<Traffic> communicationOf(const Experiment& experiment) {
    std::vector<Traffic> traffic;
    const auto found = experiment.files.find(kCommunicationFile);
    if (found == experiment.files.end()) return traffic;
    std::string_view text = found->second;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (const auto pair = trafficOf(text.substr(0, end), experiment.system.processes.size()))
            traffic.push_back(*pair);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return summedByPair(std::move(traffic));
}

}  // namespace holos::algebra
