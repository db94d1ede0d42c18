// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/member_names.h"

namespace holos::algebra {
namespace {

constexpr std::string_view kGhost = "ghost_";

}  // namespace

std::string memberStem(std::uint64_t metricId, bool ghost) {
    return (ghost ? std::string(kGhost) : std::string()) + std::to_string(metricId);
}

bool isValueMember(std::string_view name) {
    if (name.starts_with(kGhost)) name.remove_prefix(kGhost.size());
    const auto digits = name.find_first_not_of("0123456789");
    return digits != 0 && digits != name.npos &&
           (name.substr(digits) == ".data" || name.substr(digits) == ".index");
}

}  // namespace holos::algebra
