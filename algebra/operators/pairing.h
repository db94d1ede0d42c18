// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// Mixes the hash of a further part of a key into `seed`.
template <class Part>
void mixHash(std::size_t& seed, const Part& part) {
    seed ^= std::hash<Part>{}(part) + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
}

}  // namespace holos::algebra
