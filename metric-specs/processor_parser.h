// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "metric-specs/expression_parser.h"
#include "metric-specs/specification.h"

namespace holos::specs {

/// What a specification says of processors: which ones it is for, and how many events they count at once.
/// What is wrong is reported at its place.

/// `platform NAME = VENDOR [family LIST] [model LIST] [stepping LIST]`: adds a pattern to the platform.
void parsePlatform(std::span<const Token> tokens, Platform& platform, Problems& problems);

/// Any of the forms of `registers`, which build on each other: first `registers = …`, then the others.
void parseRegisters(std::span<const Token> tokens, Registers& registers, Problems& problems);

}  // namespace holos::specs
