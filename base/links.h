// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos {

/// What becomes of symbolic links, and of devices and the like, where a file is to be written.
enum class Links : unsigned char {
    Followed,  ///< of a name that the user gave
    Refused    ///< of a name that Holos chose: in somebody else's folder it may lead to a file of the user
};

}  // namespace holos
