// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "report/serve/server.h"

namespace holos::serve {

/// A file of the client, which is part of the program: `/` and `/main.js` and the like.
std::optional<Answer> clientPage(const std::string& path);

}  // namespace holos::serve
