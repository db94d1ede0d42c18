/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLOS_SCOREP_USER_H
#define HOLOS_SCOREP_USER_H

/// Score-P's user macros for programs that have them, where Score-P is not installed: the macros of its
/// manual that mark regions, parameters and metrics, for C and C++. As with Score-P, they do nothing unless
/// SCOREP_USER_ENABLE is defined. Programs link `libholos-scorep-user.so`, which does nothing; `holos record`
/// hears the calls. Handles are those of the program's own Score-P, should it be built with that later.

#define SCOREP_USER_REGION_TYPE_COMMON 0
#define SCOREP_USER_REGION_TYPE_FUNCTION 1
#define SCOREP_USER_REGION_TYPE_LOOP 2
#define SCOREP_USER_REGION_TYPE_DYNAMIC 4
#define SCOREP_USER_REGION_TYPE_PHASE 8

#define SCOREP_USER_METRIC_TYPE_INT64 0
#define SCOREP_USER_METRIC_TYPE_UINT64 1
#define SCOREP_USER_METRIC_TYPE_DOUBLE 2

#define SCOREP_USER_METRIC_CONTEXT_GLOBAL 0
#define SCOREP_USER_METRIC_CONTEXT_CALLPATH 1

#ifdef SCOREP_USER_ENABLE

#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SCOREP_User_Region* SCOREP_User_RegionHandle;
typedef uint32_t SCOREP_SamplingSetHandle;
typedef uint64_t SCOREP_User_ParameterHandle;

void SCOREP_User_RegionInit(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char* name,
                            uint32_t type, const char* file, uint32_t line);
void SCOREP_User_RegionBegin(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char* name,
                             uint32_t type, const char* file, uint32_t line);
void SCOREP_User_RegionEnter(SCOREP_User_RegionHandle);
void SCOREP_User_RegionEnd(SCOREP_User_RegionHandle);
void SCOREP_User_RewindRegionBegin(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char* name,
                                   uint32_t type, const char* file, uint32_t line);
void SCOREP_User_RewindRegionEnd(SCOREP_User_RegionHandle, bool rewinds);
void SCOREP_User_RegionByNameBegin(const char* name, uint32_t type, const char* file, uint32_t line);
void SCOREP_User_RegionByNameEnd(const char* name);
void SCOREP_User_ParameterInt64(SCOREP_User_ParameterHandle*, const char* name, int64_t value);
void SCOREP_User_ParameterUint64(SCOREP_User_ParameterHandle*, const char* name, uint64_t value);
void SCOREP_User_ParameterString(SCOREP_User_ParameterHandle*, const char* name, const char* value);
void SCOREP_User_InitMetric(SCOREP_SamplingSetHandle*, const char* name, const char* unit, uint32_t type,
                            int8_t context);
void SCOREP_User_TriggerMetricInt64(SCOREP_SamplingSetHandle, int64_t value);
void SCOREP_User_TriggerMetricUint64(SCOREP_SamplingSetHandle, uint64_t value);
void SCOREP_User_TriggerMetricDouble(SCOREP_SamplingSetHandle, double value);
void SCOREP_User_EnableRecording(void);
void SCOREP_User_DisableRecording(void);
bool SCOREP_User_RecordingEnabled(void);

#ifdef __cplusplus
}

class SCOREP_User_RegionClass {
  public:
    SCOREP_User_RegionClass(SCOREP_User_RegionHandle* handle, const char* name, uint32_t type,
                            const char** lastName, uint32_t* lastFile, const char* file, uint32_t line);
    ~SCOREP_User_RegionClass();

  private:
    SCOREP_User_RegionHandle handle_;
};
#endif

#define HOLOS_SCOREP_JOIN2(a, b) a##b
#define HOLOS_SCOREP_JOIN(a, b) HOLOS_SCOREP_JOIN2(a, b)
#define HOLOS_SCOREP_HERE __FILE__, __LINE__

#define SCOREP_USER_REGION_DEFINE(handle) static SCOREP_User_RegionHandle handle = 0;
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle) SCOREP_User_RegionHandle handle = 0;
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle) extern SCOREP_User_RegionHandle handle;
#define SCOREP_USER_REGION_INIT(handle, name, type) \
    SCOREP_User_RegionInit(&handle, 0, 0, name, type, HOLOS_SCOREP_HERE);
#define SCOREP_USER_REGION_BEGIN(handle, name, type) \
    SCOREP_User_RegionBegin(&handle, 0, 0, name, type, HOLOS_SCOREP_HERE);
#define SCOREP_USER_REGION_ENTER(handle) SCOREP_User_RegionEnter(handle);
#define SCOREP_USER_REGION_END(handle) SCOREP_User_RegionEnd(handle);
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type) \
    SCOREP_User_RegionByNameBegin(name, type, HOLOS_SCOREP_HERE);
#define SCOREP_USER_REGION_BY_NAME_END(name) SCOREP_User_RegionByNameEnd(name);
#define SCOREP_USER_FUNC_BEGIN()                               \
    static SCOREP_User_RegionHandle holos_scorep_function = 0; \
    SCOREP_USER_REGION_BEGIN(holos_scorep_function, __func__, SCOREP_USER_REGION_TYPE_FUNCTION)
#define SCOREP_USER_FUNC_END() SCOREP_USER_REGION_END(holos_scorep_function)
#define SCOREP_USER_REWIND_DEFINE(handle) SCOREP_USER_REGION_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name) \
    SCOREP_User_RewindRegionBegin(&handle, 0, 0, name, SCOREP_USER_REGION_TYPE_COMMON, HOLOS_SCOREP_HERE);
#define SCOREP_USER_REWIND_CHECK(handle, value) SCOREP_User_RewindRegionEnd(handle, value);

#define HOLOS_SCOREP_PARAMETER(function, name, value)                             \
    {                                                                             \
        static SCOREP_User_ParameterHandle holos_scorep_parameter = (uint64_t)-1; \
        function(&holos_scorep_parameter, name, value);                           \
    }
#define SCOREP_USER_PARAMETER_INT64(name, value) \
    HOLOS_SCOREP_PARAMETER(SCOREP_User_ParameterInt64, name, value)
#define SCOREP_USER_PARAMETER_UINT64(name, value) \
    HOLOS_SCOREP_PARAMETER(SCOREP_User_ParameterUint64, name, value)
#define SCOREP_USER_PARAMETER_STRING(name, value) \
    HOLOS_SCOREP_PARAMETER(SCOREP_User_ParameterString, name, value)

#define SCOREP_USER_METRIC_LOCAL(handle) static SCOREP_SamplingSetHandle handle = 0;
#define SCOREP_USER_METRIC_GLOBAL(handle) SCOREP_SamplingSetHandle handle = 0;
#define SCOREP_USER_METRIC_EXTERNAL(handle) extern SCOREP_SamplingSetHandle handle;
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context) \
    SCOREP_User_InitMetric(&handle, name, unit, type, context);
#define SCOREP_USER_METRIC_INT64(handle, value) SCOREP_User_TriggerMetricInt64(handle, value);
#define SCOREP_USER_METRIC_UINT64(handle, value) SCOREP_User_TriggerMetricUint64(handle, value);
#define SCOREP_USER_METRIC_DOUBLE(handle, value) SCOREP_User_TriggerMetricDouble(handle, value);

#define SCOREP_RECORDING_ON() SCOREP_User_EnableRecording();
#define SCOREP_RECORDING_OFF() SCOREP_User_DisableRecording();
#define SCOREP_RECORDING_IS_ON() SCOREP_User_RecordingEnabled()

#ifdef __cplusplus
#define SCOREP_USER_REGION(name, type)                                                    \
    static SCOREP_User_RegionHandle HOLOS_SCOREP_JOIN(holos_scorep_handle, __LINE__) = 0; \
    SCOREP_User_RegionClass HOLOS_SCOREP_JOIN(holos_scorep_region, __LINE__)(             \
        &HOLOS_SCOREP_JOIN(holos_scorep_handle, __LINE__), name, type, 0, 0, HOLOS_SCOREP_HERE);
#endif

#else /* SCOREP_USER_ENABLE */

#define SCOREP_USER_REGION(name, type)
#define SCOREP_USER_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle)
#define SCOREP_USER_REGION_INIT(handle, name, type)
#define SCOREP_USER_REGION_BEGIN(handle, name, type)
#define SCOREP_USER_REGION_ENTER(handle)
#define SCOREP_USER_REGION_END(handle)
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type)
#define SCOREP_USER_REGION_BY_NAME_END(name)
#define SCOREP_USER_FUNC_BEGIN()
#define SCOREP_USER_FUNC_END()
#define SCOREP_USER_REWIND_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name)
#define SCOREP_USER_REWIND_CHECK(handle, value)
#define SCOREP_USER_PARAMETER_INT64(name, value)
#define SCOREP_USER_PARAMETER_UINT64(name, value)
#define SCOREP_USER_PARAMETER_STRING(name, value)
#define SCOREP_USER_METRIC_LOCAL(handle)
#define SCOREP_USER_METRIC_GLOBAL(handle)
#define SCOREP_USER_METRIC_EXTERNAL(handle)
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context)
#define SCOREP_USER_METRIC_INT64(handle, value)
#define SCOREP_USER_METRIC_UINT64(handle, value)
#define SCOREP_USER_METRIC_DOUBLE(handle, value)
#define SCOREP_RECORDING_ON()
#define SCOREP_RECORDING_OFF()
#define SCOREP_RECORDING_IS_ON() 0

#endif /* SCOREP_USER_ENABLE */

#endif
