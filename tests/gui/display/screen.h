// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QString>
#include <string>

#include "tests/gui/display/seat.h"

namespace holos::gui::testing {

/// The file into which the server paints the whole screen (`Xvfb -fbdir`), in the format of xwd.
void setScreenFile(const std::string& file);

/// Paints everything again and compares: what was seen before has to be the same. `after` says what was done.
/// Where it differs, both pictures are kept in the folder that `HOLOS_TEST_PICTURES` names.
::testing::AssertionResult isCompletelyPainted(Seat& seat, const QString& after);

}  // namespace holos::gui::testing
