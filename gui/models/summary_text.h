// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"

namespace holos::gui {

/// The summary of a run as rich text, with links to what each statement rests on.
QString summaryHtml(const algebra::Experiment& experiment, const algebra::Summary& summary);

/// In place of a summary: of a difference the sentences that say what is different; of other experiments why
/// there is none.
QString insteadOfSummaryHtml(const algebra::Experiment& experiment);

/// What a link of that text stands for; nothing for other links.
std::optional<algebra::Evidence> evidenceOfLink(const QString& link, const algebra::Summary& summary);

}  // namespace holos::gui
