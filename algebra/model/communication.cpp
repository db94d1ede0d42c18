// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/communication.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace holos::algebra {

namespace {

/// Takes a number and the tabulator behind it from the begin of `line`.
template <class Number>
bool take(std::string_view& line, Number& number) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc()) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
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
    const bool good = take(line, sender) && take(line, receiver) && sender < processes &&
                      receiver < processes && takeFinite(line, traffic.messages) &&
                      takeFinite(line, traffic.bytes) && takeFinite(line, traffic.lateSender) &&
                      takeFinite(line, traffic.lateReceiver) && line.empty();
    if (!good) return std::nullopt;
    traffic.sender = ProcessId(sender);
    traffic.receiver = ProcessId(receiver);
    return traffic;
}

/// As short as it can be read back.
template <class Number>
void append(std::string& text, Number number, char behind) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
    text += behind;
}

bool isBefore(const Traffic& a, const Traffic& b) {
    return a.sender != b.sender ? a.sender < b.sender : a.receiver < b.receiver;
}

}  // namespace

std::string communicationText(const std::vector<Traffic>& traffic) {
    std::string text = "sender\treceiver\tmessages\tbytes\tlate_sender\tlate_receiver\n";
    for (const Traffic& pair : traffic) {
        append(text, pair.sender.index(), '\t');
        append(text, pair.receiver.index(), '\t');
        for (const double number : {pair.messages, pair.bytes, pair.lateSender}) append(text, number, '\t');
        append(text, pair.lateReceiver, '\n');
    }
    return text;
}

std::vector<Traffic> summedByPair(std::vector<Traffic> traffic) {
    std::stable_sort(traffic.begin(), traffic.end(), isBefore);
    std::vector<Traffic> sums;
    for (const Traffic& pair : traffic) {
        if (sums.empty() || isBefore(sums.back(), pair)) {
            sums.push_back(pair);
            continue;
        }
        sums.back().messages += pair.messages;
        sums.back().bytes += pair.bytes;
        sums.back().lateSender += pair.lateSender;
        sums.back().lateReceiver += pair.lateReceiver;
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
