// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stop_token>
#include <string>

#include "algebra/model/experiment.h"
#include "report/far/far_file.h"

namespace holos::far {

/// The experiment there, whose values stay there until they are asked for. `program`: how holos is called
/// there. Who stops ends the connection; values that nobody asked for before then cannot be read. Throws
/// `holos::Error` when there is no such experiment, or nobody who tells of it.
algebra::Experiment openFar(const FarFile& file, const std::string& program, std::stop_token stopped = {});

}  // namespace holos::far
