// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/communication.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Who sent how much to whom in messages of two, and who waited for whom: what `comms_send`, `syncs_send`,
/// `bytes_sent`, Late Sender and Late Receiver count, by sender and receiver. Of one-sided operations what
/// `bytes_put` and `bytes_get` count, from the process that had the bytes to the one that has them
/// afterwards.
std::vector<algebra::Traffic> communication(const patterns::JudgedTrace& run, workers::Workers& workers);

}  // namespace holos::analyzer::assemble
