// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <functional>
#include <memory>

#include "algebra/model/experiment.h"

namespace holos::far {

/// Opens what is asked about. May throw `holos::Error`.
using Open = std::function<std::shared_ptr<const algebra::Experiment>()>;

/// Answers the questions of a browser on another machine (`questions.h`), until there are no more. Why there
/// is no answer, or no experiment, is an answer, too. Throws `holos::Error` when nobody takes the answers.
void answerQuestions(const Open& open, std::FILE* questions, std::FILE* answers);

}  // namespace holos::far
