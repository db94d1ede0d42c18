// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <vector>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/stays.h"

namespace holos::analyzer::patterns {

/// Finds the ranks for whose return to MPI others may have waited in nonblocking collective operations. Only
/// in traces that tell of times without a processor, as those of our recorder do: what others call these
/// waits is left as it is.
class Returns {
  public:
    Returns(const replay::ReplayedTrace& trace, workers::Workers& workers);

    /// Looks at all parts of an operation of one group. Thread safety: any number of threads.
    void look(CollectiveParts parts);
    /// Hands over all of them, in the order of the records.
    void finish(AllFindings& found);

  private:
    struct Found {
        std::uint32_t location;
        LateReturn what;
    };
    bool mayHaveSome(CollectiveParts parts) const;
    void note(const replay::RecordRef& record, const LateReturn& what);

    const replay::ReplayedTrace& trace_;
    std::vector<std::vector<Stay>> stays_;  ///< by location; empty where it has no such operation
    std::mutex mutex_;
    std::vector<Found> found_;
};

}  // namespace holos::analyzer::patterns
