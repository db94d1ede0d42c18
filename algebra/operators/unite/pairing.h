// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

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

}  // namespace holos::algebra
