// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor_names.h"

#include <array>
#include <utility>

namespace holos::algebra {
namespace {

template <class Value>
using Word = std::pair<std::string_view, Value>;

// The first word of a value is the one that is written.
constexpr std::array<Word<Storage>, 7> kStorages{{{"EXCLUSIVE", Storage::Exclusive},
                                                  {"INCLUSIVE", Storage::Inclusive},
                                                  {"SIMPLE", Storage::Inclusive},
                                                  {"POSTDERIVED", Storage::PostDerived},
                                                  {"DERIVED", Storage::PostDerived},
                                                  {"PREDERIVED_INCLUSIVE", Storage::PreDerivedInclusive},
                                                  {"PREDERIVED_EXCLUSIVE", Storage::PreDerivedExclusive}}};
constexpr std::array<Word<Process::Type>, 3> kProcessTypes{{{"process", Process::Type::Process},
                                                            {"metrics", Process::Type::Metrics},
                                                            {"accelerator", Process::Type::Accelerator}}};
constexpr std::array<Word<Location::Type>, 4> kLocationTypes{
    {{"thread", Location::Type::Thread},
     {"metric", Location::Type::Metric},
     {"accelerator stream", Location::Type::AcceleratorStream},
     {"gpu", Location::Type::AcceleratorStream}}};
constexpr std::array<Word<Origin>, 4> kOrigins{{{"measured", Origin::Measured},
                                                {"composed", Origin::Composed},
                                                {"computed", Origin::Computed},
                                                {"ratio", Origin::Ratio}}};

template <class Words>
auto find(const Words& words, std::string_view word)
    -> std::optional<typename Words::value_type::second_type> {
    for (const auto& [known, value] : words)
        if (known == word) return value;
    return std::nullopt;
}

template <class Words>
std::string_view wordOf(const Words& words, typename Words::value_type::second_type value) {
    for (const auto& [known, candidate] : words)
        if (candidate == value) return known;
    return words.front().first;
}

}  // namespace

Storage storageOf(std::string_view word) {
    return find(kStorages, word).value_or(Storage::Exclusive);
}
std::string_view wordFor(Storage storage) {
    return wordOf(kStorages, storage);
}
std::optional<Process::Type> processTypeOf(std::string_view word) {
    return find(kProcessTypes, word);
}
std::string_view wordFor(Process::Type type) {
    return wordOf(kProcessTypes, type);
}
std::optional<Location::Type> locationTypeOf(std::string_view word) {
    return find(kLocationTypes, word);
}
std::string_view wordFor(Location::Type type) {
    return wordOf(kLocationTypes, type);
}
std::optional<Origin> originOf(std::string_view word) {
    return find(kOrigins, word);
}
std::string_view wordFor(Origin origin) {
    return wordOf(kOrigins, origin);
}

}  // namespace holos::algebra
