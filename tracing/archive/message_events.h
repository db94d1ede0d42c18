// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/location_writer.h"
#include "tracing/archive/plan.h"

namespace holos::archive {

/// A location's events of MPI's messages and collective operations.
class MessageEvents {
  public:
    MessageEvents(LocationWriter& out, const TraceProcess& process) : out_(out), process_(process) {}

    void translate(const Record& record);

  private:
    LocationWriter& out_;
    const TraceProcess& process_;
};

}  // namespace holos::archive
