// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "validation/validation.h"

namespace holos::cli {

/// A validation for people: the machine, what of it can be trusted, and every case. `accuracy` as in
/// `trustedFrom`.
std::string validationText(const validation::Validation& validation, double accuracy);

/// The same for programs.
std::string validationJson(const validation::Validation& validation, double accuracy);

/// The microbenchmarks and what each predicts.
std::string microbenchmarkText();

}  // namespace holos::cli
