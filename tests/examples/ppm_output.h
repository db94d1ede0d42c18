// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace holos::testing {

/// The checksum that examples/ppm printed; empty where there is none.
inline std::string checksumIn(const std::string& output) {
    const std::string label = "checksum  ";
    const auto place = output.find(label);
    return place == std::string::npos ? "" : output.substr(place + label.size(), 16);
}

}  // namespace holos::testing
