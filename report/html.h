// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::report {

/// The files page.css and page.js, for the page to carry within it.
extern const char* const kStyle;
extern const char* const kScript;

}  // namespace holos::report
