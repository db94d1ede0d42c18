// SPDX-License-Identifier: BSD-3-Clause
// `libholos-scorep-user.so`: what programs with Score-P's user macros call where Score-P is not there.
// Nothing is done here: `scorep.cpp`, in the recorder, stands in front of it. Fortran's functions call those
// of C, as Score-P's do.
#define SCOREP_USER_ENABLE
#include "tracing/recorder/annotations/include/scorep/SCOREP_User.h"

#include <cstdint>
#include <cstring>

void SCOREP_User_RegionInit(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char*, uint32_t,
                            const char*, uint32_t) {}
void SCOREP_User_RegionBegin(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char*, uint32_t,
                             const char*, uint32_t) {}
void SCOREP_User_RegionEnter(SCOREP_User_RegionHandle) {}
void SCOREP_User_RegionEnd(SCOREP_User_RegionHandle) {}
void SCOREP_User_RewindRegionBegin(SCOREP_User_RegionHandle*, const char**, uint32_t*, const char*, uint32_t,
                                   const char*, uint32_t) {}
void SCOREP_User_RewindRegionEnd(SCOREP_User_RegionHandle, bool) {}
void SCOREP_User_RegionByNameBegin(const char*, uint32_t, const char*, uint32_t) {}
void SCOREP_User_RegionByNameEnd(const char*) {}
void SCOREP_User_ParameterInt64(SCOREP_User_ParameterHandle*, const char*, int64_t) {}
void SCOREP_User_ParameterUint64(SCOREP_User_ParameterHandle*, const char*, uint64_t) {}
void SCOREP_User_ParameterString(SCOREP_User_ParameterHandle*, const char*, const char*) {}
void SCOREP_User_InitMetric(SCOREP_SamplingSetHandle*, const char*, const char*, uint32_t, int8_t) {}
void SCOREP_User_TriggerMetricInt64(SCOREP_SamplingSetHandle, int64_t) {}
void SCOREP_User_TriggerMetricUint64(SCOREP_SamplingSetHandle, uint64_t) {}
void SCOREP_User_TriggerMetricDouble(SCOREP_SamplingSetHandle, double) {}
void SCOREP_User_EnableRecording() {}
void SCOREP_User_DisableRecording() {}
bool SCOREP_User_RecordingEnabled() {
    return false;
}

SCOREP_User_RegionClass::SCOREP_User_RegionClass(SCOREP_User_RegionHandle* handle, const char* name,
                                                 uint32_t type, const char** lastName, uint32_t* lastFile,
                                                 const char* file, uint32_t line)
    : handle_(nullptr) {
    SCOREP_User_RegionBegin(handle, lastName, lastFile, name, type, file, line);
    if (handle != nullptr) handle_ = *handle;
}
SCOREP_User_RegionClass::~SCOREP_User_RegionClass() {
    SCOREP_User_RegionEnd(handle_);
}

// --- Fortran, as gfortran and flang name it: handles have eight bytes, -1 where they are not known
// ---------------

namespace {

/// A text of Fortran, which has a length and no end.
class Text {
  public:
    Text(const char* text, std::size_t length) {
        if (length >= sizeof text_) length = sizeof text_ - 1;
        while (length > 0 && text[length - 1] == ' ') --length;
        std::memcpy(text_, text, length);
    }
    const char* get() const { return text_; }

  private:
    char text_[256] = {};
};

using Handle = std::int64_t;
constexpr Handle kUnknown = -1;

SCOREP_User_RegionHandle regionOf(const Handle* handle) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): Fortran's handles are numbers
    return *handle == kUnknown ? nullptr : reinterpret_cast<SCOREP_User_RegionHandle>(*handle);
}
void keep(Handle* handle, SCOREP_User_RegionHandle region) {
    if (region != nullptr) *handle = reinterpret_cast<Handle>(region);
}
SCOREP_SamplingSetHandle metricOf(const Handle* handle) {
    return *handle == kUnknown ? 0 : static_cast<SCOREP_SamplingSetHandle>(*handle);
}

}  // namespace

extern "C" {

void scorep_f_init_(Handle* handle, const char* name, const int* type, const char*, const int* line,
                    std::size_t length, std::size_t) {
    SCOREP_User_RegionHandle region = regionOf(handle);
    SCOREP_User_RegionInit(&region, nullptr, nullptr, Text(name, length).get(), static_cast<uint32_t>(*type),
                           "", static_cast<uint32_t>(*line));
    keep(handle, region);
}
void scorep_f_begin_(Handle* handle, const char* name, const int* type, const char*, const int* line,
                     std::size_t length, std::size_t) {
    SCOREP_User_RegionHandle region = regionOf(handle);
    SCOREP_User_RegionBegin(&region, nullptr, nullptr, Text(name, length).get(), static_cast<uint32_t>(*type),
                            "", static_cast<uint32_t>(*line));
    keep(handle, region);
}
void scorep_f_regionenter_(const Handle* handle) {
    SCOREP_User_RegionEnter(regionOf(handle));
}
void scorep_f_regionend_(const Handle* handle) {
    SCOREP_User_RegionEnd(regionOf(handle));
}
void scorep_f_regionbynamebegin_(const char* name, const int* type, const char*, const int* line,
                                 std::size_t length, std::size_t) {
    SCOREP_User_RegionByNameBegin(Text(name, length).get(), static_cast<uint32_t>(*type), "",
                                  static_cast<uint32_t>(*line));
}
void scorep_f_regionbynameend_(const char* name, std::size_t length) {
    SCOREP_User_RegionByNameEnd(Text(name, length).get());
}
void scorep_f_parameterint64_(SCOREP_User_ParameterHandle* handle, const char* name,
                              const std::int64_t* value, std::size_t length) {
    SCOREP_User_ParameterInt64(handle, Text(name, length).get(), *value);
}
void scorep_f_parameteruint64_(SCOREP_User_ParameterHandle* handle, const char* name,
                               const std::uint64_t* value, std::size_t length) {
    SCOREP_User_ParameterUint64(handle, Text(name, length).get(), *value);
}
void scorep_f_initmetric_(Handle* handle, const char* name, const char* unit, const int* type,
                          const int* context, std::size_t length, std::size_t unitLength) {
    SCOREP_SamplingSetHandle metric = metricOf(handle);
    SCOREP_User_InitMetric(&metric, Text(name, length).get(), Text(unit, unitLength).get(),
                           static_cast<uint32_t>(*type), static_cast<int8_t>(*context));
    if (metric != 0) *handle = metric;
}
void scorep_f_metricint64_(const Handle* handle, const std::int64_t* value) {
    SCOREP_User_TriggerMetricInt64(metricOf(handle), *value);
}
void scorep_f_metricuint64_(const Handle* handle, const std::uint64_t* value) {
    SCOREP_User_TriggerMetricUint64(metricOf(handle), *value);
}
void scorep_f_metricdouble_(const Handle* handle, const double* value) {
    SCOREP_User_TriggerMetricDouble(metricOf(handle), *value);
}
void scorep_f_enablerecording_() {
    SCOREP_User_EnableRecording();
}
void scorep_f_disablerecording_() {
    SCOREP_User_DisableRecording();
}
}
