// SPDX-License-Identifier: BSD-3-Clause
#include "cli/communication.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "algebra/model/communication.h"
#include "cli/csv.h"
#include "metric-specs/error.h"

namespace holos::cli {

using algebra::Experiment;
using algebra::ProcessId;
using algebra::Traffic;

namespace {

const std::string& nameOf(const Experiment& experiment, ProcessId process) {
    return experiment.system[process].name;
}

std::string text(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    constexpr const char* kRow = "{:>12} {:>16} {:>14} {:>14}  {}\n";
    std::string out = fmt::format(kRow, "messages", "bytes", "late sender", "late receiver", "from → to");
    Traffic whole;
    for (std::size_t at = 0; at < traffic.size(); ++at) {
        const Traffic& pair = traffic[at];
        whole.messages += pair.messages;
        whole.bytes += pair.bytes;
        whole.lateSender += pair.lateSender;
        whole.lateReceiver += pair.lateReceiver;
        if (at < shown)
            out += fmt::format(
                kRow, pair.messages, pair.bytes, fmt::format("{:.6f}", pair.lateSender),
                fmt::format("{:.6f}", pair.lateReceiver),
                printable(nameOf(experiment, pair.sender) + " → " + nameOf(experiment, pair.receiver)));
    }
    const std::string pairs = fmt::format("all {} pairs", traffic.size());
    return out + fmt::format(kRow, whole.messages, whole.bytes, fmt::format("{:.6f}", whole.lateSender),
                             fmt::format("{:.6f}", whole.lateReceiver), pairs);
}

std::string csv(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    std::string out = "sender,receiver,messages,bytes,late_sender,late_receiver\n";
    for (std::size_t at = 0; at < shown; ++at) {
        const Traffic& pair = traffic[at];
        out += fmt::format("{},{},{},{},{},{}\n", csvField(nameOf(experiment, pair.sender)),
                           csvField(nameOf(experiment, pair.receiver)), csvField(pair.messages),
                           csvField(pair.bytes), csvField(pair.lateSender), csvField(pair.lateReceiver));
    }
    return out;
}

std::string json(const Experiment& experiment, const std::vector<Traffic>& traffic, std::size_t shown) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t at = 0; at < shown; ++at) {
        const Traffic& pair = traffic[at];
        list.push_back({{"sender", nameOf(experiment, pair.sender)},
                        {"receiver", nameOf(experiment, pair.receiver)},
                        {"messages", pair.messages},
                        {"bytes", pair.bytes},
                        {"lateSender", pair.lateSender},
                        {"lateReceiver", pair.lateReceiver}});
    }
    return nlohmann::ordered_json{{"communication", list}}.dump(2, ' ', false,
                                                                nlohmann::json::error_handler_t::replace) +
           '\n';
}

}  // namespace

std::string showCommunication(const Experiment& experiment, const ShowRequest& request) {
    std::vector<Traffic> traffic = algebra::communicationOf(experiment);
    if (traffic.empty())
        throw Error(
            "does not say who sent messages to whom; holos analyze finds that in a trace with messages",
            Place{.file = request.file});
    std::stable_sort(traffic.begin(), traffic.end(), [](const Traffic& a, const Traffic& b) {
        return std::fabs(a.bytes) > std::fabs(b.bytes);
    });
    const std::size_t shown = request.top == 0 ? traffic.size() : std::min(request.top, traffic.size());
    return request.format == "csv"    ? csv(experiment, traffic, shown)
           : request.format == "json" ? json(experiment, traffic, shown)
                                      : text(experiment, traffic, shown);
}

}  // namespace holos::cli
