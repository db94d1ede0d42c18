// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/call_names.h"

#include <algorithm>
#include <vector>

namespace holos::algebra {
namespace {

/// Whether the same caller calls the same region from somewhere else, too.
bool hasTwin(const Experiment& experiment, CallPathId path) {
    const auto parent = experiment.callTree.parent(path);
    const auto& siblings = parent ? experiment.callTree.children(*parent) : experiment.callTree.roots();
    return std::ranges::any_of(siblings, [&](CallPathId sibling) {
        return sibling != path && experiment.callTree[sibling].region == experiment.callTree[path].region;
    });
}

/// From the root downwards.
template <class TextOf>
std::string joined(const Experiment& experiment, CallPathId path, TextOf textOf) {
    std::vector<CallPathId> chain;
    for (std::optional<CallPathId> at = path; at; at = experiment.callTree.parent(*at)) chain.push_back(*at);
    std::string text;
    for (std::size_t at = chain.size(); at-- > 0;) text += textOf(chain[at]) + (at > 0 ? "/" : "");
    return text;
}

/// Names may have `/` in them: each call that the text could begin with is tried.
std::optional<CallPathId> namedAmong(const Experiment& experiment, const std::vector<CallPathId>& calls,
                                     std::string_view text) {
    for (const CallPathId call : calls) {
        const std::string usual = callText(experiment.regionOf(call).name, experiment.callTree[call]);
        const std::string whole = callText(experiment, call);
        for (const std::string& name : {whole, usual}) {
            if (!text.starts_with(name)) continue;
            if (text.size() == name.size()) return call;
            if (text[name.size()] != '/') continue;
            if (const auto found =
                    namedAmong(experiment, experiment.callTree.children(call), text.substr(name.size() + 1)))
                return found;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string calledAt(const CallPath& call) {
    // Writers put a word such as `MPI` where libraries have no file.
    const bool isOffset = call.module.find("+0x") != std::string::npos;
    if (call.module.empty() || (call.line <= 0 && !isOffset)) return {};
    return call.line > 0 ? call.module + ':' + std::to_string(call.line) : call.module;
}

std::string callSiteText(const CallPath& call) {
    const std::string whole = calledAt(call);
    return whole.substr(whole.find_last_of("/\\") + 1);
}

std::string callText(const std::string& name, const CallPath& call) {
    // Constructs of OpenMP have their place in their names; the call into the runtime may be a line beside
    // it.
    const std::string site = callSiteText(call);
    return site.empty() || name.find(" @") != std::string::npos ? name : name + " @" + site;
}

std::string callText(const Experiment& experiment, CallPathId path) {
    const std::string& name = experiment.regionOf(path).name;
    const std::string text = callText(name, experiment.callTree[path]);
    const std::string site = callSiteText(experiment.callTree[path]);
    return text == name && !site.empty() && hasTwin(experiment, path) ? name + " @" + site : text;
}

std::string callPathText(const Experiment& experiment, CallPathId path) {
    return joined(experiment, path, [&](CallPathId call) { return callText(experiment, call); });
}

std::string callPathText(const Experiment& experiment, CallPathId path, const ShortNames& names) {
    return joined(experiment, path, [&](CallPathId call) {
        const std::string& name = experiment.regionOf(call).name;
        return names.of(name) + callText(experiment, call).substr(name.size());
    });
}

std::optional<CallPathId> callPathNamed(const Experiment& experiment, std::string_view text) {
    return namedAmong(experiment, experiment.callTree.roots(), text);
}

ShortNames shortNamesOf(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const Region& region : experiment.regions) names.push_back(region.name);
    return ShortNames(names);
}

}  // namespace holos::algebra
