// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/packing.h"

namespace holos::analyzer::workers {

using holos::Packer;
using holos::Unpacker;

}  // namespace holos::analyzer::workers
