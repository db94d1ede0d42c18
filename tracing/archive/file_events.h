// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/location_writer.h"
#include "tracing/archive/open_regions.h"
#include "tracing/archive/plan.h"

namespace holos::archive {

/// A location's events of MPI's files.
class FileEvents {
  public:
    FileEvents(LocationWriter& out, OpenRegions& open, const TraceProcess& process)
        : out_(out), open_(open), process_(process) {}

    void translate(const Record& record);

  private:
    LocationWriter& out_;
    OpenRegions& open_;
    const TraceProcess& process_;
};

}  // namespace holos::archive
