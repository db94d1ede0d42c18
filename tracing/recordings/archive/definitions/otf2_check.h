// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <string>

#include "base/error.h"

namespace holos::archive {

/// Throws `Error` that says what could not be written and why.
inline void check(OTF2_ErrorCode code, const char* what) {
    if (code != OTF2_SUCCESS)
        throw Error(std::string("cannot write ") + what +
                    " of the trace: " + OTF2_Error_GetDescription(code));
}

}  // namespace holos::archive
