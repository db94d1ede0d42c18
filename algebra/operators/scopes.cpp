// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/scopes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace holos::algebra {
namespace {

using specs::Scope;

bool isOfClass(const SystemNode& node, Scope scope) {
    const std::string& name = node.className;
    switch (scope) {
        case Scope::Thread:
            return false;
        case Scope::Core:
            return name == "core";
        case Scope::Socket:
            return name == "socket" || name == "package";
        case Scope::Node:
            return name == "node";
    }
    return false;
}

std::optional<SystemNodeId> ancestorOf(const SystemTree& system, SystemNodeId node, Scope scope) {
    for (std::optional<SystemNodeId> at = node; at; at = system.nodes.parent(*at))
        if (isOfClass(system.nodes[*at], scope)) return at;
    return std::nullopt;
}

/// By location: the node of the system tree that is its scope; nothing where it is one of its own.
std::vector<std::optional<SystemNodeId>> scopesOf(const SystemTree& system, Scope scope) {
    std::vector<std::optional<SystemNodeId>> scopes;
    for (const Location& location : system.locations) {
        const SystemNodeId own = system[location.process].node;
        auto found = ancestorOf(system, own, scope);
        if (!found && scope == Scope::Socket) found = ancestorOf(system, own, Scope::Node);
        if (!found && scope != Scope::Core && scope != Scope::Thread) found = own;
        scopes.push_back(found);
    }
    return scopes;
}

/// By location: whether its values are those of its scope.
std::vector<bool> representatives(const SystemTree& system, Scope scope, const Rows& rows) {
    std::vector<bool> hasValues(rows.locations(), false);
    std::vector<double> scratch(rows.locations());
    for (std::size_t path = 0; path < rows.callPaths(); ++path) {
        const auto values = rows.row(CallPathId(path), scratch);
        for (std::size_t at = 0; at < values.size(); ++at)
            if (values[at] != rows.missing()) hasValues[at] = true;
    }
    const auto scopes = scopesOf(system, scope);
    std::map<SystemNodeId, bool> served;
    for (std::size_t at = 0; at < hasValues.size(); ++at)
        if (hasValues[at] && scopes[at]) hasValues[at] = served.emplace(*scopes[at], true).second;
    return hasValues;
}

class ScopedRows final : public Rows {
  public:
    ScopedRows(RowsPtr all, std::vector<bool> counts)
        : Rows(all->callPaths(), all->locations(), all->missing()),
          all_(std::move(all)),
          counts_(std::move(counts)) {}

    bool hasRow(CallPathId path) const override { return all_->hasRow(path); }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        const auto values = all_->row(path, scratch);
        if (values.empty()) return {};
        const auto result = scratch.first(locations());
        for (std::size_t at = 0; at < result.size(); ++at) result[at] = counts_[at] ? values[at] : missing();
        return result;
    }

  private:
    RowsPtr all_;
    std::vector<bool> counts_;
};

}  // namespace

RowSource oncePerScope(const SystemTree& system, Scope scope, const RowSource& source) {
    const auto counts = representatives(system, scope, *source());
    return [source, counts] { return std::make_shared<ScopedRows>(source(), counts); };
}

}  // namespace holos::algebra
