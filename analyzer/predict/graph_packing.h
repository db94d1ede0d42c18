// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/predict/graph_builder.h"
#include "analyzer/predict/timing.h"

namespace holos::analyzer::predict {

/// Puts the marks of one location together, when all is known that they depend on.
class GraphBuilder::Packing {
  public:
    Packing(GraphBuilder& builder, std::uint32_t location);
    LocationGraph run();

  private:
    void add(const Note& note, Mark& mark);
    void addKept(Mark& mark);
    void depend(Mark& mark, Dependency on);

    GraphBuilder& builder_;
    std::uint32_t location_;
    Local& local_;
    const std::vector<KeptMark>& kept_;
    std::vector<std::uint32_t> stays_;     ///< by stay: its team
    std::vector<std::uint32_t> barriers_;  ///< by barrier: its meeting
    TicksAtMarks tasks_;                   ///< by barrier
    std::uint32_t next_ = 0;               ///< the kept mark that comes next
    std::size_t waiting_ = 0;              ///< and what is of it
    std::size_t arrival_ = 0;
    std::size_t exchange_ = 0;
};

}  // namespace holos::analyzer::predict
