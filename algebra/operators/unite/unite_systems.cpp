// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/unite_parts.h"

#include <map>
#include <tuple>
#include <unordered_map>

#include "algebra/operators/unite/pairing.h"

namespace holos::algebra {
namespace {

using NodePath = std::vector<std::pair<std::string, std::string>>;

NodePath pathOf(const SystemTree& tree, SystemNodeId node) {
    NodePath path;
    for (std::optional<SystemNodeId> up = node; up; up = tree.nodes.parent(*up))
        path.emplace_back(tree.nodes[*up].className, tree.nodes[*up].name);
    return path;
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

/// True when every process that several inputs have stands on the same machine and node in all of them.
bool placementsAgree(const std::vector<const SystemTree*>& inputs) {
    std::map<NodePath, std::size_t> paths;
    std::unordered_map<Key, std::size_t, KeyHash> known;  // path by rank, type and number of a process
    for (const SystemTree* input : inputs) {
        std::vector<std::size_t> pathNumbers;  // by node
        for (const SystemNodeId node : input->nodes.ids())
            pathNumbers.push_back(paths.try_emplace(pathOf(*input, node), paths.size()).first->second);
        std::unordered_map<Key, std::size_t, KeyHash> seen;
        for (const Process& process : input->processes) {
            const int type = static_cast<int>(process.type);
            const std::size_t number = seen[{0, process.rank, type}]++;
            const std::size_t path = pathNumbers[process.node.index()];
            const auto place = known.try_emplace({number, process.rank, type}, path).first;
            if (place->second != path) return false;
        }
    }
    return true;
}

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
        const auto nodeOf = [&](std::size_t at) { return nodes[from.processes[at].node.index()]; };
        map.processes = pairLists<KeyHash, ProcessId>(
            tree_.processes.size(), from.processes.size(),
            [&](std::size_t at) { return keyOf(tree_.processes[at], tree_.processes[at].node); },
            [&](std::size_t at) { return keyOf(from.processes[at], nodeOf(at)); },
            [&](std::size_t at) {
                tree_.processes.push_back(from.processes[at]);
                tree_.processes.back().node = nodeOf(at);
                return ProcessId(tree_.processes.size() - 1);
            });
    }

    void addLocations(const SystemTree& from, SystemMap& map) {
        const auto keyOf = [](const Location& location, ProcessId process) {
            return Key{process.index(), location.rank, static_cast<int>(location.type)};
        };
        const auto processOf = [&](std::size_t at) {
            return map.processes[from.locations[at].process.index()];
        };
        map.locations = pairLists<KeyHash, LocationId>(
            tree_.locations.size(), from.locations.size(),
            [&](std::size_t at) { return keyOf(tree_.locations[at], tree_.locations[at].process); },
            [&](std::size_t at) { return keyOf(from.locations[at], processOf(at)); },
            [&](std::size_t at) {
                tree_.locations.push_back(from.locations[at]);
                tree_.locations.back().process = processOf(at);
                return LocationId(tree_.locations.size() - 1);
            });
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
