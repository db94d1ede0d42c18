// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/experiment_facts.h"

namespace holos::algebra {
namespace {

cubepl::Value number(double value) {
    return {value, std::nullopt};
}
cubepl::Value number(std::size_t value) {
    return {static_cast<double>(value), std::nullopt};
}
cubepl::Value text(const std::string& value) {
    return {0.0, value};
}

}  // namespace

std::optional<cubepl::Value> ExperimentFacts::find(const std::string& name,
                                                   std::optional<std::size_t> index) const {
    if (name == "calculation::metric::id") return number(metric_.index());
    if (name == "calculation::callpath::id")
        return path_ ? std::optional(number(path_->index())) : std::nullopt;
    if (name == "calculation::region::id")
        return path_ ? std::optional(number(experiment_.callTree[*path_].region.index())) : std::nullopt;
    if (name == "cube::#metrics") return number(experiment_.metrics.size());
    if (name == "cube::#callpaths") return number(experiment_.callTree.size());
    if (name == "cube::#regions") return number(experiment_.regions.size());
    if (name == "cube::#locations") return number(experiment_.system.locations.size());
    if (name == "cube::#locationgroups") return number(experiment_.system.processes.size());
    if (!index) return std::nullopt;
    if (name.starts_with("cube::region::")) return regionFact(name.substr(14), *index);
    if (name.starts_with("cube::callpath::")) return callPathFact(name.substr(16), *index);
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::regionFact(const std::string& name, std::size_t index) const {
    if (index >= experiment_.regions.size()) return std::nullopt;
    const Region& region = experiment_.regions[index];
    if (name == "name") return text(region.name);
    if (name == "mangled::name") return text(region.mangledName);
    if (name == "paradigm") return text(region.paradigm);
    if (name == "role") return text(region.role);
    if (name == "mod") return text(region.module);
    if (name == "url") return text(region.url);
    if (name == "description") return text(region.description);
    if (name == "begin::line") return number(static_cast<double>(region.beginLine));
    if (name == "end::line") return number(static_cast<double>(region.endLine));
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::callPathFact(const std::string& name, std::size_t index) const {
    if (index >= experiment_.callTree.size()) return std::nullopt;
    const CallPathId path(index);
    if (name == "calleeid") return number(experiment_.callTree[path].region.index());
    if (name == "line") return number(static_cast<double>(experiment_.callTree[path].line));
    if (name == "mod") return text(experiment_.callTree[path].module);
    if (name == "#children") return number(experiment_.callTree.children(path).size());
    if (name == "parent::id") {
        const auto parent = experiment_.callTree.parent(path);
        return number(parent ? static_cast<double>(parent->index()) : -1.0);
    }
    return std::nullopt;
}

}  // namespace holos::algebra
