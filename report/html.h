// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::report {

/// The files page.css and page.js, for the page to carry within it.
extern const char* const kStyle;
extern const char* const kScript;
/// Style and script of the panes: the client of `holos serve`, its modules as one script.
extern const char* const kPanesStyle;
extern const char* const kPanesScript;

}  // namespace holos::report
