// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <map>

namespace holos::gui {

/// What somebody wrote down at call paths of a file, by the names of the call path (`RowTree::keyOf`), so
/// that a note stays where it is when the run is analyzed anew.
using PathNotes = std::map<QString, QString>;

}  // namespace holos::gui
