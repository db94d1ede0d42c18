// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"

namespace holos::specs {

struct Specification;

}  // namespace holos::specs

namespace holos::algebra {

/// Puts the composed and computed metrics of a specification into the experiment, above the measurements that
/// they are made of. Earlier derivations are replaced.
///
/// Measurements are known by the name of their event (`eventName`). One that the file renames gets the new
/// name for display, one that is a term of a composition moves below it; only roots of the metric forest
/// move, so that hierarchies of measured metrics stay as they are. A composed metric's values are the sums of
/// its available terms, and it shows `~` while one is missing; a computed metric's formula is evaluated for
/// every call path, exclusively, and location; a ratio is an expression, evaluated on sums. The clock that
/// makes seconds of cycles is that of `processorOf`. A counter that the file says is shared (`scope`) keeps
/// one location's values per scope (`oncePerScope`), which stays so when another specification is applied.
/// Minima and maxima are never terms. Unavailable metrics are left out. The specification's text is kept in
/// `files[kSpecificationFile]`.
Experiment derive(Experiment experiment, const specs::Specification& specification);

/// `choice` as in `--spec`: `none` (earlier derivations stay), `auto` (the platform file for `processorOf`
/// when it knows any measurement, otherwise the one that knows most of them; none when no file knows any), or
/// the name or path of a specification.
Experiment applySpecification(Experiment experiment, const std::string& choice);

/// Evaluates composed and computed metrics on measurements that an operator changed, with the specification
/// that the experiment carries; without one everything stays as it is. A metric that is incomplete stays so
/// also where all its terms are there, as not all of what they combine had them.
Experiment deriveAgain(Experiment experiment);

}  // namespace holos::algebra
