// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QImage>
#include <QString>

#include "tests/gui/display/seat.h"

namespace holos::gui::testing {

/// What a person sees on the whole screen, with all windows and their frames.
QImage screenshot();

/// Paints everything again and compares: what was seen before has to be the same. `after` says what was done.
/// Where it differs, both pictures are kept in the folder that `HOLOS_TEST_PICTURES` names.
::testing::AssertionResult isCompletelyPainted(Seat& seat, const QString& after);

}  // namespace holos::gui::testing
