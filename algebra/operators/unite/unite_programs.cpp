// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/unite_parts.h"

#include "algebra/operators/unite/pairing.h"
#include "algebra/operators/unite/plain_name.h"

namespace holos::algebra {
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

}  // namespace holos::algebra
