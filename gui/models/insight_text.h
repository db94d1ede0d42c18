// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

#include "algebra/insight/findings/findings.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "base/function_name.h"

namespace holos::gui {

/// A report as HTML: each finding with its conditions and explanation, then a link for each of the call paths
/// with most time. `names` are those of functions, as they are written.
QString findingsText(const algebra::Experiment& experiment, const algebra::FindingReport& report,
                     const ShortNames& names);

/// The call path that a link of the text leads to; nothing for other links.
std::optional<algebra::CallPathId> callPathOfLink(const QString& link, const algebra::Experiment& experiment);

/// The summary of a run as rich text, with links to what each statement rests on.
QString summaryHtml(const algebra::Experiment& experiment, const algebra::Summary& summary);

/// In place of a summary: of a difference the sentences that say what is different; of other experiments why
/// there is none.
QString insteadOfSummaryHtml(const algebra::Experiment& experiment);

/// What a link of that text stands for; nothing for other links.
std::optional<algebra::Evidence> evidenceOfLink(const QString& link, const algebra::Summary& summary);

}  // namespace holos::gui
