// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/scopes.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "algebra/model/processors.h"

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

/// A part of the hardware: a node of the system tree, and what the locations' attributes tell apart in it.
using Part = std::pair<SystemNodeId, std::optional<std::pair<std::uint32_t, std::uint32_t>>>;

/// The socket or the core in which a thread ran.
std::optional<Part> partOf(const Location& location, SystemNodeId node, Scope scope) {
    const auto place = placeOf(location);
    if (!place || (scope != Scope::Core && scope != Scope::Socket)) return std::nullopt;
    return Part{node, {{place->socket, scope == Scope::Core ? place->core : 0}}};
}

/// What the location's attributes say comes before the system tree, in which processes hang below what all
/// their threads have in common.
std::optional<Part> scopeOf(const SystemTree& system, const Location& location, Scope scope) {
    const SystemNodeId own = system[location.process].node;
    if (const auto part = partOf(location, own, scope)) return part;
    auto found = ancestorOf(system, own, scope);
    if (!found && scope == Scope::Socket) found = ancestorOf(system, own, Scope::Node);
    if (!found && scope != Scope::Core && scope != Scope::Thread) found = own;
    return found ? std::optional(Part{*found, std::nullopt}) : std::nullopt;
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
    std::set<Part> served;
    for (std::size_t at = 0; at < hasValues.size(); ++at) {
        if (!hasValues[at]) continue;
        if (const auto part = scopeOf(system, system.locations[at], scope))
            hasValues[at] = served.insert(*part).second;
    }
    return hasValues;
}

class ScopedRows final : public Rows {
  public:
    ScopedRows(RowsPtr all, std::vector<bool> counts)
        : Rows(all->callPaths(), all->locations(), all->missing()),
          all_(std::move(all)),
          counts_(std::move(counts)) {}

    bool hasRow(CallPathId path) const override { return all_->hasRow(path); }
    bool isFar() const override { return all_->isFar(); }

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
