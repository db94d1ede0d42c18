// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/unite_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "algebra/model/structure.h"
#include "algebra/operators/history/metric_names.h"
#include "base/function_name.h"

namespace holos::algebra {

/// Pairs the parts of an input with those of a union by key: the n-th of a key in the input with the n-th of
/// that key in the union. So two experiments of the same structure pair up completely even where keys repeat.
template <class Key, class Id, class Hash = std::hash<Key>>
class Pairing {
  public:
    /// Declares a part of the union.
    void declare(const Key& key, Id id) { parts_[key].ids.push_back(id); }

    /// The partner of the input's next part of this key; `make` adds it to the union when there is none.
    template <class Make>
    Id pair(const Key& key, Make make) {
        Parts& parts = parts_[key];
        if (parts.used == parts.ids.size()) parts.ids.push_back(make());
        return parts.ids[parts.used++];
    }

  private:
    struct Parts {
        std::vector<Id> ids;
        std::size_t used = 0;
    };
    std::unordered_map<Key, Parts, Hash> parts_;
};

/// The partners of a list of `from` parts among `into` others, each of which is given by its position. Most
/// lists begin alike, or are: what does needs no table.
template <class Hash, class Id, class KeyOfInto, class KeyOfFrom, class Make>
std::vector<Id> pairLists(std::size_t into, std::size_t from, KeyOfInto keyOfInto, KeyOfFrom keyOfFrom,
                          Make make) {
    std::vector<Id> partners;
    partners.reserve(from);
    while (partners.size() < std::min(into, from) && keyOfInto(partners.size()) == keyOfFrom(partners.size()))
        partners.emplace_back(partners.size());
    if (partners.size() == into) {
        while (partners.size() < from) partners.push_back(make(partners.size()));
        return partners;
    }
    Pairing<decltype(keyOfInto(into)), Id, Hash> pairing;
    for (std::size_t at = partners.size(); at < into; ++at) pairing.declare(keyOfInto(at), Id(at));
    for (std::size_t at = partners.size(); at < from; ++at)
        partners.push_back(pairing.pair(keyOfFrom(at), [&] { return make(at); }));
    return partners;
}

/// Pairs two lists in stages, from strict keys to loose ones: within a stage the n-th unpaired part of a key
/// in one list goes with the n-th of that key in the other.
template <class Id>
class StagedPairing {
  public:
    StagedPairing(const std::vector<Id>& from, const std::vector<Id>& into)
        : from_(from), into_(into), partners_(from.size()), taken_(into.size(), false) {}

    template <class Key, class Hash, class KeyOfFrom, class KeyOfInto>
    void pair(KeyOfFrom keyOfFrom, KeyOfInto keyOfInto) {
        const std::size_t both = std::min(from_.size(), into_.size());
        if (paired_ == 0)  // lists that begin alike need no table so far
            while (paired_ < both && keyOfFrom(from_[paired_]) == keyOfInto(into_[paired_]))
                pairAt(paired_, paired_);
        if (paired_ == both) return;
        std::unordered_map<Key, std::vector<std::size_t>, Hash> open;
        for (std::size_t at = into_.size(); at-- > 0;)  // the last of a list is taken first
            if (!taken_[at]) open[keyOfInto(into_[at])].push_back(at);
        for (std::size_t at = 0; at < from_.size(); ++at) {
            if (partners_[at]) continue;
            const auto found = open.find(keyOfFrom(from_[at]));
            if (found == open.end() || found->second.empty()) continue;
            pairAt(at, found->second.back());
            found->second.pop_back();
        }
    }

    /// Of the part at this position of the first list.
    std::optional<Id> partner(std::size_t at) const { return partners_[at]; }

  private:
    void pairAt(std::size_t from, std::size_t into) {
        partners_[from] = into_[into];
        taken_[into] = true;
        ++paired_;
    }

    const std::vector<Id>& from_;
    const std::vector<Id>& into_;
    std::vector<std::optional<Id>> partners_;
    std::vector<bool> taken_;
    std::size_t paired_ = 0;
};

/// Mixes the hash of a further part of a key into `seed`.
template <class Part>
void mixHash(std::size_t& seed, const Part& part) {
    seed ^= std::hash<Part>{}(part) + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
}

namespace {

/// The last part of a path.
std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

struct MetricKey {
    std::optional<MetricId> parent;
    std::string name;
    bool hasValues;
    bool operator==(const MetricKey&) const = default;
};

struct MetricKeyHash {
    std::size_t operator()(const MetricKey& key) const {
        std::size_t seed = key.parent ? key.parent->index() + 1 : 0;
        mixHash(seed, key.name);
        mixHash(seed, key.hasValues);
        return seed;
    }
};

/// Of what is attributed in one experiment, others have each value once, too: earlier versions of Holos have
/// it where it was read.
void reconcileAttribution(Metric& into, const Metric& from) {
    const auto by = attribute(from.attributes, kAttributedAttribute);
    if (!by || attribute(into.attributes, kAttributedAttribute)) return;
    setAttribute(into.attributes, kAttributedAttribute, *by);
    into.description = from.description;
}

void reconcile(Metric& into, const Metric& from) {
    into.valueType = commonType(into.valueType, from.valueType);
    if (into.typeName != from.typeName) into.typeName.clear();
    if (from.incomplete && !into.incomplete) {
        into.incomplete = true;
        into.displayName = from.displayName;
    }
    reconcileAttribution(into, from);
    into.isVoid = into.isVoid && from.isVoid;
    into.ghost = into.ghost && from.ghost;
    if (into.origin != from.origin && !into.isVoid) into.origin = Origin::Measured;
    if (into.description.empty()) into.description = from.description;
    if (into.url.empty()) into.url = from.url;
}

}  // namespace

std::vector<MetricId> uniteMetrics(MetricForest& into, const MetricForest& from) {
    const auto keyOf = [](const Metric& metric, std::optional<MetricId> parent) {
        return MetricKey{parent, specifiedName(metric), metric.hasValues()};
    };
    Pairing<MetricKey, MetricId, MetricKeyHash> pairing;
    for (const MetricId id : into.ids()) pairing.declare(keyOf(into[id], into.parent(id)), id);

    std::vector<MetricId> map;
    map.reserve(from.size());
    for (const MetricId id : from.ids()) {
        const auto above = from.parent(id);
        const auto parent = above ? std::optional(map[above->index()]) : std::nullopt;
        const auto make = [&] { return into.add(from[id], parent); };
        const MetricId partner = pairing.pair(keyOf(from[id], parent), make);
        reconcile(into[partner], from[id]);
        map.push_back(partner);
    }
    return map;
}

namespace {

struct RegionKey {
    std::string name;
    std::string module;
    std::int64_t beginLine = -1;
    std::int64_t endLine = -1;
    bool operator==(const RegionKey&) const = default;
};

struct RegionKeyHash {
    std::size_t operator()(const RegionKey& key) const {
        std::size_t seed = std::hash<std::string>{}(key.name);
        mixHash(seed, key.module);
        mixHash(seed, key.beginLine);
        mixHash(seed, key.endLine);
        return seed;
    }
};

struct CallPathKey {
    RegionId region;
    std::int64_t line = -1;
    std::string module = {};
    std::vector<std::pair<std::string, double>> numericParameters = {};
    std::vector<std::pair<std::string, std::string>> stringParameters = {};
    bool operator==(const CallPathKey&) const = default;
};

struct CallPathKeyHash {
    std::size_t operator()(const CallPathKey& key) const {
        std::size_t seed = key.region.index();
        mixHash(seed, key.line);
        for (const auto& [name, value] : key.numericParameters) mixHash(seed, value);
        for (const auto& [name, value] : key.stringParameters) mixHash(seed, value);
        return seed;
    }
};

/// Pairs the call paths of an input with those of the union, from the roots downwards.
class CallTreePairing {
  public:
    CallTreePairing(const CallTree& into, const CallTree& from, const std::vector<RegionId>& regions,
                    const Matching& matching)
        : into_(into), from_(from), regions_(regions), matching_(matching), partners_(from.size()) {}

    std::vector<std::optional<CallPathId>> run() {
        pairSiblings(from_.roots(), into_.roots());
        for (const CallPathId path : from_.ids())
            if (const auto partner = partners_[path.index()])
                pairSiblings(from_.children(path), into_.children(*partner));
        return std::move(partners_);
    }

  private:
    CallPathKey exactKey(const CallPath& path, RegionId region) const {
        return {region, path.line, path.module, path.numericParameters, path.stringParameters};
    }
    CallPathKey looseKey(const CallPath& path, RegionId region) const {
        return {region, matching_.lines ? path.line : -1, {}, path.numericParameters, path.stringParameters};
    }

    void pairSiblings(const std::vector<CallPathId>& from, const std::vector<CallPathId>& into) {
        if (from.empty() || into.empty()) return;
        StagedPairing<CallPathId> siblings(from, into);
        const auto stage = [&](auto keyOf) {
            siblings.template pair<CallPathKey, CallPathKeyHash>(
                [&](CallPathId id) { return keyOf(from_[id], regions_[from_[id].region.index()]); },
                [&](CallPathId id) { return keyOf(into_[id], into_[id].region); });
        };
        stage([this](const CallPath& path, RegionId region) { return exactKey(path, region); });
        if (!matching_.lines || matching_.loosely)
            stage([](const CallPath& path, RegionId region) {
                return CallPathKey{region, path.line, std::string(fileName(path.module)),
                                   path.numericParameters, path.stringParameters};
            });
        if (!matching_.lines || matching_.loosely)
            stage([this](const CallPath& path, RegionId region) { return looseKey(path, region); });
        for (std::size_t at = 0; at < from.size(); ++at) partners_[from[at].index()] = siblings.partner(at);
    }

    const CallTree& into_;
    const CallTree& from_;
    const std::vector<RegionId>& regions_;
    const Matching& matching_;
    std::vector<std::optional<CallPathId>> partners_;
};

std::vector<RegionId> allIds(std::size_t count) {
    std::vector<RegionId> ids;
    ids.reserve(count);
    for (std::size_t at = 0; at < count; ++at) ids.emplace_back(at);
    return ids;
}

}  // namespace

std::vector<RegionId> uniteRegions(std::vector<Region>& into, const std::vector<Region>& from,
                                   const Matching& matching) {
    const auto ofFrom = allIds(from.size());
    const auto ofInto = allIds(into.size());
    StagedPairing<RegionId> pairing(ofFrom, ofInto);
    const auto stage = [&](auto keyOf) {
        pairing.template pair<RegionKey, RegionKeyHash>([&](RegionId id) { return keyOf(from[id.index()]); },
                                                        [&](RegionId id) { return keyOf(into[id.index()]); });
    };
    stage([](const Region& region) {
        return RegionKey{region.name, region.module, region.beginLine, region.endLine};
    });
    if (!matching.lines) stage([](const Region& region) { return RegionKey{region.name, region.module}; });
    if (matching.loosely) {
        const auto lines = [&matching](RegionKey key, const Region& region) {
            if (matching.lines) key.beginLine = region.beginLine, key.endLine = region.endLine;
            return key;
        };
        stage([&lines](const Region& region) {
            return lines({plainName(region.name), std::string(fileName(region.module))}, region);
        });
        stage([&lines](const Region& region) { return lines({plainName(region.name), {}}, region); });
    }
    std::vector<RegionId> map;
    map.reserve(from.size());
    for (std::size_t at = 0; at < from.size(); ++at) {
        const auto partner = pairing.partner(at);
        map.push_back(partner.value_or(RegionId(into.size())));
        if (!partner) into.push_back(from[at]);
    }
    return map;
}

std::vector<CallPathId> uniteCallTrees(CallTree& into, const CallTree& from,
                                       const std::vector<RegionId>& regions, const Matching& matching) {
    const auto partners = CallTreePairing(into, from, regions, matching).run();
    std::vector<CallPathId> map;
    map.reserve(from.size());
    for (const CallPathId id : from.ids()) {
        if (const auto partner = partners[id.index()]) {
            map.push_back(*partner);
            continue;
        }
        const auto above = from.parent(id);
        CallPath path = from[id];
        path.region = regions[path.region.index()];
        map.push_back(into.add(std::move(path), above ? std::optional(map[above->index()]) : std::nullopt));
    }
    return map;
}

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
