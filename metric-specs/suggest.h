// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/suggest.h"

namespace holos::specs {

using holos::didYouMean;
using holos::nearest;

}  // namespace holos::specs
