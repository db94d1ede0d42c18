// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/choice.h"
#include "validation/validation.h"

namespace holos::cli {

/// How the result is printed; `None`: only a file is written.
enum class ValidationFormat : unsigned char { Text, Csv, Json, None };
constexpr auto wordsOf(ValidationFormat) {
    return std::array{std::pair{"text", ValidationFormat::Text}, std::pair{"csv", ValidationFormat::Csv},
                      std::pair{"json", ValidationFormat::Json}, std::pair{"none", ValidationFormat::None}};
}

/// `holos counters validate`, below `counters`.
void addValidate(Command& counters);

/// `holos counters validate --peaks`: measures what this machine can do at most, prints it, and
/// stores it for recordings on machines of this kind. Throws `Error`.
void measureAndStorePeaks(ValidationFormat format);

/// A validation for people: the machine, what of it can be trusted, and every case. `accuracy` as in
/// `trustedFrom`.
std::string validationText(const validation::Validation& validation, double accuracy);

/// A validation for programs.
std::string validationJson(const validation::Validation& validation, double accuracy);

/// The microbenchmarks and what each predicts.
std::string microbenchmarkText();

}  // namespace holos::cli
