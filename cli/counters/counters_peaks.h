// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace holos::cli {

/// `holos counters validate --peaks`: measures what this machine can do at most, prints it (`text`, `csv`,
/// `json`, `none`), and stores it for recordings on machines of this kind. Throws `Error`.
void measureAndStorePeaks(const std::string& format);

}  // namespace holos::cli
