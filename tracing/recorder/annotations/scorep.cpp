// SPDX-License-Identifier: BSD-3-Clause
// Score-P's user macros: the functions and the class behind `SCOREP_USER_REGION_BEGIN` and the like, which
// programs get from Score-P or from `libholos-scorep-user.so`. Each call goes on there. The macros are
// described in Score-P's manual.
#include <cstdint>

#include "tracing/recorder/annotations/forward.h"
#include "tracing/recorder/annotations/names.h"
#include "tracing/recorder/core/events.h"

#define HOLOS_VISIBLE __attribute__((visibility("default")))
#define HOLOS_SCOREP extern "C" HOLOS_VISIBLE

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kScoreP = Annotation::ScoreP;

/// A region's handle is a pointer of Score-P, or ours where it gives none: to the name.
using Region = void*;
constexpr std::uint32_t kDynamic = 4, kPhase = 8;

Name* regionOf(const char* text, std::uint32_t type, const char* file, std::uint32_t line) noexcept {
    const bool isPhase = (type & (kDynamic | kPhase)) != 0;
    Name* const name = nameOf(kScoreP, isPhase ? What::Phase : What::Region, {}, text);
    if (name == nullptr || name->number.load(std::memory_order_relaxed) != 0) return name;
    const holos_interface& recorder = ownRecorder();
    auto* const define = isPhase ? recorder.define_phase : recorder.define;
    name->number.store(define(name->text(), file, line), std::memory_order_relaxed);
    return name;
}

/// What a handle of Score-P stands for is kept as the sum of a name that is the handle's bytes.
template <class Handle>
Name* nameOfHandle(const Handle& handle) noexcept {
    return nameOf(kScoreP, What::Text, "handle ",
                  std::string_view(reinterpret_cast<const char*>(&handle), sizeof handle));
}
template <class Handle>
void keep(const Handle& handle, Name* what) noexcept {
    if (Name* const name = nameOfHandle(handle); name != nullptr)
        name->sum.store(reinterpret_cast<std::int64_t>(what), std::memory_order_release);
}
template <class Handle>
Name* keptFor(const Handle& handle) noexcept {
    const Name* const name = nameOfHandle(handle);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): `keep` made a number of it
    return name != nullptr ? reinterpret_cast<Name*>(name->sum.load(std::memory_order_acquire)) : nullptr;
}

std::uint64_t keyOf(const void* handle) noexcept {
    return reinterpret_cast<std::uint64_t>(handle);
}

/// Score-P was asked for the handle before.
void know(Region* handle, Name* name) noexcept {
    if (handle == nullptr || name == nullptr) return;
    if (*handle == nullptr) *handle = name;
    keep(*handle, name);
}

void beginKnown(Region* handle, const char* text, std::uint32_t type, const char* file,
                std::uint32_t line) noexcept {
    if (handle == nullptr || !hears(kScoreP)) return;
    Name* const name = regionOf(text, type, file, line);
    if (*handle == nullptr) know(handle, name);
    if (*handle != nullptr) begin(kScoreP, name, keyOf(*handle));
}
void endKnown(Region handle) noexcept {
    if (handle != nullptr && hears(kScoreP)) end(kScoreP, keyOf(handle));
}

void record(std::uint32_t metric, long long number) noexcept {
    if (metric != 0 && hears(kScoreP)) value(keptFor(metric), number);
}

}  // namespace

#define HOLOS_FIRST(function, type, ...)             \
    static constinit Forwarded<type> next(function); \
    next.call(HOLOS_HERE, __VA_ARGS__)

using DefineRegion = void(Region*, const char**, std::uint32_t*, const char*, std::uint32_t, const char*,
                          std::uint32_t);

HOLOS_SCOREP void SCOREP_User_RegionInit(Region* handle, const char** lastName, std::uint32_t* lastFile,
                                         const char* name, std::uint32_t type, const char* file,
                                         std::uint32_t line) {
    HOLOS_FIRST("SCOREP_User_RegionInit", DefineRegion, handle, lastName, lastFile, name, type, file, line);
    if (hears(kScoreP)) know(handle, regionOf(name, type, file, line));
}
HOLOS_SCOREP void SCOREP_User_RegionBegin(Region* handle, const char** lastName, std::uint32_t* lastFile,
                                          const char* name, std::uint32_t type, const char* file,
                                          std::uint32_t line) {
    HOLOS_FIRST("SCOREP_User_RegionBegin", DefineRegion, handle, lastName, lastFile, name, type, file, line);
    beginKnown(handle, name, type, file, line);
}
HOLOS_SCOREP void SCOREP_User_RewindRegionBegin(Region* handle, const char** lastName,
                                                std::uint32_t* lastFile, const char* name, std::uint32_t type,
                                                const char* file, std::uint32_t line) {
    HOLOS_FIRST("SCOREP_User_RewindRegionBegin", DefineRegion, handle, lastName, lastFile, name, type, file,
                line);
    beginKnown(handle, name, type, file, line);
}
HOLOS_SCOREP void SCOREP_User_RegionEnter(Region handle) {
    HOLOS_FIRST("SCOREP_User_RegionEnter", void(Region), handle);
    if (handle != nullptr && hears(kScoreP)) begin(kScoreP, keptFor(handle), keyOf(handle));
}
HOLOS_SCOREP void SCOREP_User_RewindRegionEnter(Region handle) {
    HOLOS_FIRST("SCOREP_User_RewindRegionEnter", void(Region), handle);
    if (handle != nullptr && hears(kScoreP)) begin(kScoreP, keptFor(handle), keyOf(handle));
}
HOLOS_SCOREP void SCOREP_User_RegionEnd(Region handle) {
    endKnown(handle);
    HOLOS_FIRST("SCOREP_User_RegionEnd", void(Region), handle);
}
HOLOS_SCOREP void SCOREP_User_RewindRegionEnd(Region handle, bool rewinds) {
    endKnown(handle);
    HOLOS_FIRST("SCOREP_User_RewindRegionEnd", void(Region, bool), handle, rewinds);
}

HOLOS_SCOREP void SCOREP_User_RegionByNameBegin(const char* name, std::uint32_t type, const char* file,
                                                std::uint32_t line) {
    HOLOS_FIRST("SCOREP_User_RegionByNameBegin", void(const char*, std::uint32_t, const char*, std::uint32_t),
                name, type, file, line);
    if (name != nullptr && hears(kScoreP)) begin(kScoreP, regionOf(name, type, file, line), hashOf(name));
}
HOLOS_SCOREP void SCOREP_User_RegionByNameEnd(const char* name) {
    if (name != nullptr && hears(kScoreP)) end(kScoreP, hashOf(name));
    HOLOS_FIRST("SCOREP_User_RegionByNameEnd", void(const char*), name);
}

HOLOS_SCOREP void SCOREP_User_ParameterInt64(std::uint64_t* handle, const char* name, std::int64_t number) {
    HOLOS_FIRST("SCOREP_User_ParameterInt64", void(std::uint64_t*, const char*, std::int64_t), handle, name,
                number);
    if (hears(kScoreP)) parameter(nameOf(kScoreP, What::Parameter, {}, name), number);
}
HOLOS_SCOREP void SCOREP_User_ParameterUint64(std::uint64_t* handle, const char* name, std::uint64_t number) {
    HOLOS_FIRST("SCOREP_User_ParameterUint64", void(std::uint64_t*, const char*, std::uint64_t), handle, name,
                number);
    if (hears(kScoreP)) parameter(nameOf(kScoreP, What::Parameter, {}, name), static_cast<long long>(number));
}

HOLOS_SCOREP void SCOREP_User_InitMetric(std::uint32_t* metric, const char* text, const char* unit,
                                         std::uint32_t type, std::int8_t context) {
    HOLOS_FIRST("SCOREP_User_InitMetric",
                void(std::uint32_t*, const char*, const char*, std::uint32_t, std::int8_t), metric, text,
                unit, type, context);
    if (metric == nullptr || !hears(kScoreP)) return;
    constexpr std::uint32_t kDouble = 2;
    const bool isReal = type == kDouble;
    Name* const name = nameOf(kScoreP, isReal ? What::Real : What::Integer, {}, text);
    if (name == nullptr) return;
    if (name->number.load(std::memory_order_relaxed) == 0)
        name->number.store(ownRecorder().define_metric(name->text(), unit,
                                                       HOLOS_STATE | (isReal ? HOLOS_REAL : HOLOS_INTEGER)),
                           std::memory_order_relaxed);
    if (*metric == 0) *metric = numberOf(*name);
    keep(*metric, name);
}
HOLOS_SCOREP void SCOREP_User_TriggerMetricInt64(std::uint32_t metric, std::int64_t number) {
    HOLOS_FIRST("SCOREP_User_TriggerMetricInt64", void(std::uint32_t, std::int64_t), metric, number);
    record(metric, number);
}
HOLOS_SCOREP void SCOREP_User_TriggerMetricUint64(std::uint32_t metric, std::uint64_t number) {
    HOLOS_FIRST("SCOREP_User_TriggerMetricUint64", void(std::uint32_t, std::uint64_t), metric, number);
    record(metric, static_cast<long long>(number));
}
HOLOS_SCOREP void SCOREP_User_TriggerMetricDouble(std::uint32_t metric, double number) {
    HOLOS_FIRST("SCOREP_User_TriggerMetricDouble", void(std::uint32_t, double), metric, number);
    if (metric != 0 && hears(kScoreP)) value(keptFor(metric), number);
}

/// Of the calling thread.
HOLOS_SCOREP void SCOREP_User_EnableRecording() {
    static constinit Forwarded<void()> next("SCOREP_User_EnableRecording");
    next.call(HOLOS_HERE);
    if (hears(kScoreP)) resumeThread();
}
HOLOS_SCOREP void SCOREP_User_DisableRecording() {
    if (hears(kScoreP)) pauseThread();
    static constinit Forwarded<void()> next("SCOREP_User_DisableRecording");
    next.call(HOLOS_HERE);
}

HOLOS_SCOREP bool SCOREP_User_RecordingEnabled() {
    static constinit Forwarded<bool()> next("SCOREP_User_RecordingEnabled");
    return next.call(HOLOS_HERE) || (hears(kScoreP) && recording());
}

/// `SCOREP_USER_REGION` of C++.
class HOLOS_VISIBLE SCOREP_User_RegionClass {
  public:
    SCOREP_User_RegionClass(struct SCOREP_User_Region** handle, const char* name, std::uint32_t type,
                            const char** lastName, std::uint32_t* lastFile, const char* file,
                            std::uint32_t line);
    ~SCOREP_User_RegionClass();

  private:
    Region handle_;
};

/// Score-P's calls `SCOREP_User_RegionBegin` and `SCOREP_User_RegionEnd`.
SCOREP_User_RegionClass::SCOREP_User_RegionClass(struct SCOREP_User_Region** handle, const char* name,
                                                 std::uint32_t type, const char** lastName,
                                                 std::uint32_t* lastFile, const char* file,
                                                 std::uint32_t line)
    : handle_(nullptr) {
    auto* const own = reinterpret_cast<Region*>(handle);
    SCOREP_User_RegionBegin(own, lastName, lastFile, name, type, file, line);
    if (own != nullptr) handle_ = *own;
}
SCOREP_User_RegionClass::~SCOREP_User_RegionClass() {
    SCOREP_User_RegionEnd(handle_);
}
