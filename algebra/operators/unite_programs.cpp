// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite_programs.h"

#include "algebra/operators/pairing.h"

namespace holos::algebra {
namespace {

struct RegionKey {
    std::string name;
    std::string module;
    std::int64_t beginLine;
    std::int64_t endLine;
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

RegionKey keyOf(const Region& region) {
    return {region.name, region.module, region.beginLine, region.endLine};
}

struct CallPathKey {
    std::optional<CallPathId> parent;
    RegionId region;
    std::int64_t line;
    std::string module;
    std::vector<std::pair<std::string, double>> numericParameters;
    std::vector<std::pair<std::string, std::string>> stringParameters;
    bool operator==(const CallPathKey&) const = default;
};

struct CallPathKeyHash {
    std::size_t operator()(const CallPathKey& key) const {
        std::size_t seed = key.parent ? key.parent->index() + 1 : 0;
        mixHash(seed, key.region.index());
        mixHash(seed, key.line);
        for (const auto& [name, value] : key.numericParameters) mixHash(seed, value);
        for (const auto& [name, value] : key.stringParameters) mixHash(seed, value);
        return seed;
    }
};

CallPathKey keyOf(const CallPath& path, std::optional<CallPathId> parent, RegionId region) {
    return {parent, region, path.line, path.module, path.numericParameters, path.stringParameters};
}

}  // namespace

std::vector<RegionId> uniteRegions(std::vector<Region>& into, const std::vector<Region>& from) {
    std::unordered_map<RegionKey, RegionId, RegionKeyHash> known;
    for (std::size_t i = 0; i < into.size(); ++i) known.emplace(keyOf(into[i]), RegionId(i));
    std::vector<RegionId> map;
    map.reserve(from.size());
    for (const Region& region : from) {
        const auto [found, isNew] = known.emplace(keyOf(region), RegionId(into.size()));
        if (isNew) into.push_back(region);
        map.push_back(found->second);
    }
    return map;
}

std::vector<CallPathId> uniteCallTrees(CallTree& into, const CallTree& from,
                                       const std::vector<RegionId>& regions) {
    Pairing<CallPathKey, CallPathId, CallPathKeyHash> pairing;
    for (const CallPathId id : into.ids())
        pairing.declare(keyOf(into[id], into.parent(id), into[id].region), id);

    std::vector<CallPathId> map;
    map.reserve(from.size());
    for (const CallPathId id : from.ids()) {
        const auto above = from.parent(id);
        const auto parent = above ? std::optional(map[above->index()]) : std::nullopt;
        const RegionId region = regions[from[id].region.index()];
        map.push_back(pairing.pair(keyOf(from[id], parent, region), [&] {
            CallPath path = from[id];
            path.region = region;
            return into.add(std::move(path), parent);
        }));
    }
    return map;
}

}  // namespace holos::algebra
