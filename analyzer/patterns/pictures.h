// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/metric_guide.h"

/// Pictures that several metrics share. Those of a pattern that causes refer to are defined in its file.
namespace holos::analyzer::patterns {

extern const algebra::Picture kLateSenderPicture;
extern const algebra::Picture kLateReceiverPicture;
extern const algebra::Picture kLockPicture;

/// All wait for the last one.
inline const algebra::Picture kAllWait{{{"rank 0", "collective", "----########===-----"},
                                        {"rank 1", "collective", "--------####===-----"},
                                        {"last rank", "collective", "------------===-----"}},
                                       {{2, 12, 0, 12}, {2, 12, 1, 12}}};

/// All are compared with the one that is through first.
inline const algebra::Picture kCompletion{{{"rank 0", "collective", "---=======####------"},
                                           {"first to leave", "collective", "-----=====----------"},
                                           {"rank 2", "collective", "-------===######----"}},
                                          {{1, 10, 0, 10}, {1, 10, 2, 10}}};

/// One has more to do than the one that waits for it.
inline const algebra::Picture kDelay{
    {{"causes it", "call", "----dddddd===-------"}, {"waits", "call", "----######===-------"}},
    {{0, 10, 1, 11}}};

/// One has more to do than all others.
inline const algebra::Picture kImbalance{{{"rank 0", "barrier", "----########==------"},
                                          {"rank 1", "barrier", "------######==------"},
                                          {"most to do", "barrier", "-----ddddddd==------"}}};

}  // namespace holos::analyzer::patterns
