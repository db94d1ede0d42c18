// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite_systems.h"

#include <map>
#include <tuple>

#include "algebra/operators/pairing.h"

namespace holos::algebra {
namespace {

using NodePath = std::vector<std::pair<std::string, std::string>>;

NodePath pathOf(const SystemTree& tree, SystemNodeId node) {
    NodePath path;
    for (std::optional<SystemNodeId> up = node; up; up = tree.nodes.parent(*up))
        path.emplace_back(tree.nodes[*up].className, tree.nodes[*up].name);
    return path;
}

/// True when every process that several inputs have stands on the same machine and node in all of them.
bool placementsAgree(const std::vector<const SystemTree*>& inputs) {
    std::map<std::tuple<Process::Type, std::int64_t, std::size_t>, NodePath> known;
    for (const SystemTree* input : inputs) {
        std::map<std::pair<Process::Type, std::int64_t>, std::size_t> seen;
        std::vector<std::optional<NodePath>> paths(input->nodes.size());
        for (const Process& process : input->processes) {
            auto& path = paths[process.node.index()];
            if (!path) path = pathOf(*input, process.node);
            const std::size_t number = seen[{process.type, process.rank}]++;
            const auto [found, isNew] = known.try_emplace({process.type, process.rank, number}, *path);
            if (!isNew && found->second != *path) return false;
        }
    }
    return true;
}

struct Key {
    std::size_t parent;
    std::int64_t rank;
    int type;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::size_t seed = key.parent;
        mixHash(seed, key.rank);
        mixHash(seed, key.type);
        return seed;
    }
};

class Uniter {
  public:
    explicit Uniter(bool collapse, bool byStructure) : byStructure_(byStructure) {
        if (!collapse) return;
        const auto machine = tree_.nodes.add({"Virtual machine", "machine", "", {}});
        collapsed_ = tree_.nodes.add({"Virtual node", "node", "", {}}, machine);
    }

    SystemMap add(const SystemTree& from) {
        const auto nodes = addNodes(from);
        SystemMap map;
        addProcesses(from, nodes, map);
        addLocations(from, map);
        return map;
    }

    SystemTree take() { return std::move(tree_); }

  private:
    std::vector<SystemNodeId> addNodes(const SystemTree& from) {
        std::vector<SystemNodeId> map;
        std::map<std::pair<std::optional<SystemNodeId>, std::string>, std::size_t> seen;
        for (const SystemNodeId id : from.nodes.ids()) {
            if (collapsed_) {
                map.push_back(*collapsed_);
                continue;
            }
            const auto above = from.nodes.parent(id);
            const auto parent = above ? std::optional(map[above->index()]) : std::nullopt;
            const SystemNode& node = from.nodes[id];
            const std::string name =
                byStructure_ ? std::to_string(seen[{parent, node.className}]++) : node.name;
            const auto [found, isNew] = nodes_.try_emplace({parent, node.className, name});
            if (isNew) found->second = tree_.nodes.add(node, parent);
            map.push_back(found->second);
        }
        return map;
    }

    void addProcesses(const SystemTree& from, const std::vector<SystemNodeId>& nodes, SystemMap& map) {
        const auto keyOf = [this](const Process& process, SystemNodeId node) {
            const int type = static_cast<int>(process.type);
            return byStructure_ ? Key{node.index(), 0, type} : Key{0, process.rank, type};
        };
        Pairing<Key, ProcessId, KeyHash> pairing;
        for (std::size_t i = 0; i < tree_.processes.size(); ++i)
            pairing.declare(keyOf(tree_.processes[i], tree_.processes[i].node), ProcessId(i));
        for (const Process& process : from.processes) {
            const auto make = [&] {
                tree_.processes.push_back(process);
                tree_.processes.back().node = nodes[process.node.index()];
                return ProcessId(tree_.processes.size() - 1);
            };
            map.processes.push_back(pairing.pair(keyOf(process, nodes[process.node.index()]), make));
        }
    }

    void addLocations(const SystemTree& from, SystemMap& map) {
        Pairing<Key, LocationId, KeyHash> pairing;
        for (std::size_t i = 0; i < tree_.locations.size(); ++i) {
            const Location& each = tree_.locations[i];
            pairing.declare({each.process.index(), each.rank, static_cast<int>(each.type)}, LocationId(i));
        }
        for (const Location& location : from.locations) {
            const ProcessId process = map.processes[location.process.index()];
            const auto make = [&] {
                tree_.locations.push_back(location);
                tree_.locations.back().process = process;
                return LocationId(tree_.locations.size() - 1);
            };
            const Key key{process.index(), location.rank, static_cast<int>(location.type)};
            map.locations.push_back(pairing.pair(key, make));
        }
    }

    SystemTree tree_;
    bool byStructure_;
    std::optional<SystemNodeId> collapsed_;
    std::map<std::tuple<std::optional<SystemNodeId>, std::string, std::string>, SystemNodeId> nodes_;
};

}  // namespace

UnitedSystems uniteSystems(const std::vector<const SystemTree*>& inputs, Matching::Systems systems) {
    const bool byStructure = systems == Matching::Systems::Structure;
    Uniter uniter(!byStructure && !placementsAgree(inputs), byStructure);
    UnitedSystems united;
    for (const SystemTree* input : inputs) united.inputs.push_back(uniter.add(*input));
    united.tree = uniter.take();
    return united;
}

}  // namespace holos::algebra
