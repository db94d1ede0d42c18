// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <climits>
#include <string>

namespace holos {

/// The name that this machine gives itself.
inline std::string hostName() {
    char host[HOST_NAME_MAX + 1] = {};
    ::gethostname(host, sizeof host - 1);
    return host;
}

}  // namespace holos
