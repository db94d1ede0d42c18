// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

#include "algebra/insight/findings/findings.h"
#include "base/short_name.h"

namespace holos::gui {

/// A report as HTML: each finding with its conditions and explanation, then a link for each of the call paths
/// with most time. `names` are those of functions, as they are written.
QString findingsText(const algebra::Experiment& experiment, const algebra::FindingReport& report,
                     const ShortNames& names);

/// The call path that a link of the text leads to; nothing for other links.
std::optional<algebra::CallPathId> callPathOfLink(const QString& link, const algebra::Experiment& experiment);

}  // namespace holos::gui
