// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::tables {

/// Makes long names of functions shorter for reading (`ShortNames`). What is written or compared afterwards
/// would miss the rest.
void shortenNames(algebra::Experiment& experiment);

}  // namespace holos::tables
