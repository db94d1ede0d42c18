// SPDX-License-Identifier: BSD-3-Clause
// A program with Score-P's user macros.
#include <scorep/SCOREP_User.h>

SCOREP_USER_METRIC_LOCAL(queue)

static void function() {
    SCOREP_USER_REGION("scope", SCOREP_USER_REGION_TYPE_FUNCTION)
    SCOREP_USER_METRIC_INT64(queue, -3)
}

int main() {
    SCOREP_USER_REGION_DEFINE(handle)
    SCOREP_USER_REGION_DEFINE(known)
    SCOREP_USER_METRIC_INIT(queue, "queue", "items", SCOREP_USER_METRIC_TYPE_INT64,
                            SCOREP_USER_METRIC_CONTEXT_GLOBAL)
    SCOREP_USER_REGION_INIT(known, "known", SCOREP_USER_REGION_TYPE_COMMON)
    for (int i = 0; i < 2; ++i) {
        SCOREP_USER_REGION_BEGIN(handle, "iteration", SCOREP_USER_REGION_TYPE_DYNAMIC)
        SCOREP_USER_PARAMETER_INT64("number", i)
        function();
        SCOREP_USER_REGION_END(handle)
    }
    SCOREP_USER_REGION_ENTER(known)
    SCOREP_USER_REGION_BY_NAME_BEGIN("by name", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_BY_NAME_END("by name")
    SCOREP_RECORDING_OFF()
    SCOREP_USER_REGION_BY_NAME_BEGIN("not recorded", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_BY_NAME_END("not recorded")
    SCOREP_RECORDING_ON()
    SCOREP_USER_REGION_END(known)
    SCOREP_USER_REGION_END(known)
    return 0;
}
