! SPDX-License-Identifier: BSD-3-Clause
#include "scorep/SCOREP_User.inc"
program marked
    implicit none
    SCOREP_USER_REGION_DEFINE(part)
    SCOREP_USER_METRIC_LOCAL(queue)
    integer*8 :: length = 5
    SCOREP_USER_METRIC_INIT(queue, "queue", "items", SCOREP_USER_METRIC_TYPE_INT64, SCOREP_USER_METRIC_CONTEXT_GLOBAL)
    SCOREP_USER_REGION_BEGIN(part, "part  ", SCOREP_USER_REGION_TYPE_PHASE)
    SCOREP_USER_METRIC_INT64(queue, length)
    SCOREP_USER_REGION_END(part)
end program marked
