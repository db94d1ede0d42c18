// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.h"

namespace holos {

/// The command line asks for something that is not there, such as a metric that the experiment lacks, or that
/// cannot be meant. Another request would succeed, and nothing is wrong with files: exit code 2.
class WrongRequest : public Error {
  public:
    using Error::Error;
};

}  // namespace holos
