// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "algebra/model/communication.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

using algebra::Experiment;
using algebra::kTrafficNumbers;
using algebra::ProcessId;
using algebra::Traffic;
using algebra::TrafficNumber;

namespace {

const std::string& processName(const Experiment& experiment, ProcessId process) {
    return experiment.system[process].name;
}

/// One-sided bytes have columns where there are any.
std::string row(const Traffic& pair, bool oneSided, const std::string& name) {
    std::string out = fmt::format("{:>12} {:>16} {:>14.6f} {:>14.6f}", pair.messages, pair.bytes,
                                  pair.lateSender, pair.lateReceiver);
    if (oneSided) out += fmt::format(" {:>16} {:>16}", pair.put, pair.got);
    return out + "  " + name + '\n';
}

std::string text(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    const bool oneSided =
        std::ranges::any_of(traffic, [](const Traffic& pair) { return pair.put != 0.0 || pair.got != 0.0; });
    std::string out =
        fmt::format("{:>12} {:>16} {:>14} {:>14}", "messages", "bytes", "late sender", "late receiver");
    if (oneSided) out += fmt::format(" {:>16} {:>16}", "bytes put", "bytes got");
    out += "  from → to\n";
    Traffic whole;
    for (std::size_t at = 0; at < traffic.size(); ++at) {
        const Traffic& pair = traffic[at];
        for (const TrafficNumber& column : kTrafficNumbers) whole.*column.number += pair.*column.number;
        if (at < shown)
            out += row(pair, oneSided,
                       printable(processName(experiment, pair.sender) + " → " +
                                 processName(experiment, pair.receiver)));
    }
    return out + row(whole, oneSided, fmt::format("all {} pairs", traffic.size()));
}

std::string csv(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    std::string out = "sender,receiver";
    for (const TrafficNumber& column : kTrafficNumbers) out += fmt::format(",{}", column.name);
    out += '\n';
    for (std::size_t at = 0; at < shown; ++at) {
        const Traffic& pair = traffic[at];
        out += csvField(processName(experiment, pair.sender)) + ',' +
               csvField(processName(experiment, pair.receiver));
        for (const TrafficNumber& column : kTrafficNumbers) out += ',' + csvField(pair.*column.number);
        out += '\n';
    }
    return out;
}

std::string json(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t at = 0; at < shown; ++at) {
        const Traffic& pair = traffic[at];
        list.push_back({{"sender", processName(experiment, pair.sender)},
                        {"receiver", processName(experiment, pair.receiver)},
                        {"messages", pair.messages},
                        {"bytes", pair.bytes},
                        {"lateSender", pair.lateSender},
                        {"lateReceiver", pair.lateReceiver},
                        {"bytesPut", pair.put},
                        {"bytesGot", pair.got}});
    }
    return jsonText(nlohmann::ordered_json{{"communication", list}}, 2) + '\n';
}

}  // namespace

std::string showCommunication(const Experiment& experiment, const ShowRequest& request,
                              const Style& /*style*/) {
    std::vector<Traffic> traffic = algebra::communicationOf(experiment);
    if (traffic.empty())
        throw Error(
            "does not say who sent what to whom; holos analyze finds that in a trace with messages or "
            "one-sided operations",
            Place{.file = request.file});
    std::ranges::stable_sort(traffic, [](const Traffic& a, const Traffic& b) {
        const auto bytes = [](const Traffic& pair) {
            return std::fabs(pair.bytes) + std::fabs(pair.put) + std::fabs(pair.got);
        };
        return bytes(a) > bytes(b);
    });
    const std::size_t shown = request.top.of(traffic.size());
    return inFormat(
        request.format, [&] { return text(experiment, traffic, shown); },
        [&] { return csv(experiment, traffic, shown); }, [&] { return json(experiment, traffic, shown); });
}

}  // namespace holos::cli
