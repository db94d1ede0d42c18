// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// Pairs two lists in stages, from strict keys to loose ones: within a stage the n-th unpaired part of a key
/// in one list goes with the n-th of that key in the other.
template <class Id>
class StagedPairing {
  public:
    StagedPairing(const std::vector<Id>& from, const std::vector<Id>& into)
        : from_(from), into_(into), partners_(from.size()), taken_(into.size(), false) {}

    template <class Key, class Hash, class KeyOfFrom, class KeyOfInto>
    void pair(KeyOfFrom keyOfFrom, KeyOfInto keyOfInto) {
        if (paired_ == from_.size() || paired_ == into_.size()) return;
        std::unordered_map<Key, std::vector<std::size_t>, Hash> open;
        for (std::size_t at = into_.size(); at-- > 0;)  // the last of a list is taken first
            if (!taken_[at]) open[keyOfInto(into_[at])].push_back(at);
        for (std::size_t at = 0; at < from_.size(); ++at) {
            if (partners_[at]) continue;
            const auto found = open.find(keyOfFrom(from_[at]));
            if (found == open.end() || found->second.empty()) continue;
            partners_[at] = into_[found->second.back()];
            taken_[found->second.back()] = true;
            found->second.pop_back();
            ++paired_;
        }
    }

    /// Of the part at this position of the first list.
    std::optional<Id> partner(std::size_t at) const { return partners_[at]; }

  private:
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
