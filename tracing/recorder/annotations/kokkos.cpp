// SPDX-License-Identifier: BSD-3-Clause
// Kokkos Tools: the functions that Kokkos looks up in the library that `KOKKOS_TOOLS_LIBS` names, by way of
// `tool.c`. The interface is described in github.com/kokkos/kokkos-tools/wiki.
#include <cxxabi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracing/recorder/annotations/names.h"

#define HOLOS_KOKKOS extern "C" __attribute__((visibility("default"))) void

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kKokkos = Annotation::Kokkos;

/// By value on the stack, in the interface.
struct Space {
    char name[64];
    std::string_view view() const noexcept { return {name, ::strnlen(name, sizeof name)}; }
};

/// Keys of ranges that end without a number.
enum Key : std::uint64_t { kRegion = 1, kDeepCopy };
/// In the numbers that Kokkos gets for what it begins: not those keys.
constexpr std::uint64_t kNumbered = std::uint64_t{1} << 32;

/// What a kernel without a label is called: the type of its functor, as the compiler writes it.
bool mayBeType(const char* label) noexcept {
    const char first = label[0];
    const bool isNested =
        (first == 'N' || first == 'Z') && label[1] != '\0' && std::strpbrk(label, " :()[]<>,/-.") == nullptr;
    if (isNested) return std::strchr(label, 'E') != nullptr && std::strpbrk(label, "0123456789") != nullptr;
    char* rest = nullptr;
    const unsigned long length = first >= '1' && first <= '9' ? std::strtoul(label, &rest, 10) : 0;
    return length != 0 && std::strlen(rest) >= length && std::strpbrk(label, " ") == nullptr;
}

/// `Kokkos::parallel_for label`. A type is written as in the source.
Name* regionOf(std::string_view what, const char* label) noexcept {
    char prefix[64] = "Kokkos::";
    std::size_t length = std::strlen(prefix);
    length += what.copy(prefix + length, sizeof prefix - length - 1);
    if (label == nullptr || *label == '\0')
        return nameOf(kKokkos, What::Region, {}, std::string_view(prefix, length));
    prefix[length++] = ' ';
    Name* const name = nameOf(kKokkos, What::Region, {prefix, length}, label);
    if (name == nullptr || name->number.load(std::memory_order_relaxed) != 0 || !mayBeType(label))
        return name;
    int failed = 0;
    char* const readable = abi::__cxa_demangle(label, nullptr, nullptr, &failed);
    if (readable == nullptr) return name;
    if (Name* const other = nameOf(kKokkos, What::Region, {prefix, length}, readable); other != nullptr)
        name->number.store(numberOf(*other), std::memory_order_relaxed);
    std::free(readable);
    return name;
}

/// `number`: by which Kokkos ends it.
void beginNumbered(std::string_view what, const char* label, std::uint64_t* number) noexcept {
    static std::atomic<std::uint32_t> last{0};
    const std::uint64_t own = kNumbered + last.fetch_add(1, std::memory_order_relaxed);
    if (number != nullptr) *number = own;
    if (hears(kKokkos)) begin(kKokkos, regionOf(what, label), own);
}
void endNumbered(std::uint64_t number) noexcept {
    if (hears(kKokkos)) end(kKokkos, number);
}

/// What all spaces of one name hold.
void hold(const Space& space, std::int64_t bytes) noexcept {
    if (hears(kKokkos)) change(nameOf(kKokkos, What::Bytes, "Kokkos memory in ", space.view()), bytes);
}

/// Profile sections are made once, begin and end many times, and need not nest. Their numbers count from 1.
constexpr std::size_t kMostSections = 1024;
std::atomic<Name*> sections[kMostSections];
std::atomic<std::uint32_t> lastSection{0};

Name* section(std::uint32_t number) noexcept {
    return number < kMostSections ? sections[number].load(std::memory_order_acquire) : nullptr;
}

}  // namespace

HOLOS_KOKKOS holos_kokkos_init_library(int, std::uint64_t, std::uint32_t, void*) {
    hears(kKokkos);
}
HOLOS_KOKKOS holos_kokkos_finalize_library() {}

/// Kokkos would wait for its devices at the begin and end of everything: a recording does not change that.
HOLOS_KOKKOS holos_kokkos_request_tool_settings(std::uint32_t, bool* requiresGlobalFencing) {
    if (requiresGlobalFencing != nullptr) *requiresGlobalFencing = false;
}

HOLOS_KOKKOS holos_kokkos_begin_parallel_for(const char* label, std::uint32_t, std::uint64_t* number) {
    beginNumbered("parallel_for", label, number);
}
HOLOS_KOKKOS holos_kokkos_end_parallel_for(std::uint64_t number) {
    endNumbered(number);
}
HOLOS_KOKKOS holos_kokkos_begin_parallel_reduce(const char* label, std::uint32_t, std::uint64_t* number) {
    beginNumbered("parallel_reduce", label, number);
}
HOLOS_KOKKOS holos_kokkos_end_parallel_reduce(std::uint64_t number) {
    endNumbered(number);
}
HOLOS_KOKKOS holos_kokkos_begin_parallel_scan(const char* label, std::uint32_t, std::uint64_t* number) {
    beginNumbered("parallel_scan", label, number);
}
HOLOS_KOKKOS holos_kokkos_end_parallel_scan(std::uint64_t number) {
    endNumbered(number);
}
HOLOS_KOKKOS holos_kokkos_begin_fence(const char* label, std::uint32_t, std::uint64_t* number) {
    beginNumbered("fence", label, number);
}
HOLOS_KOKKOS holos_kokkos_end_fence(std::uint64_t number) {
    endNumbered(number);
}

HOLOS_KOKKOS holos_kokkos_push_profile_region(const char* label) {
    if (hears(kKokkos)) begin(kKokkos, nameOf(kKokkos, What::Region, {}, label), kRegion);
}
HOLOS_KOKKOS holos_kokkos_pop_profile_region() {
    if (hears(kKokkos)) end(kKokkos, kRegion);
}

HOLOS_KOKKOS holos_kokkos_begin_deep_copy(Space toSpace, const char* to, const void*, Space fromSpace,
                                          const char* from, const void*, std::uint64_t bytes) {
    if (!hears(kKokkos)) return;
    char text[256];
    std::snprintf(text, sizeof text, "%s = %s (%.*s = %.*s)", to != nullptr ? to : "",
                  from != nullptr ? from : "", static_cast<int>(toSpace.view().size()), toSpace.name,
                  static_cast<int>(fromSpace.view().size()), fromSpace.name);
    begin(kKokkos, regionOf("deep_copy", text), kDeepCopy);
    value(nameOf(kKokkos, What::Bytes, {}, "Kokkos bytes of a deep copy"), static_cast<long long>(bytes));
}
HOLOS_KOKKOS holos_kokkos_end_deep_copy() {
    if (hears(kKokkos)) end(kKokkos, kDeepCopy);
}

HOLOS_KOKKOS holos_kokkos_allocate_data(Space space, const char*, const void*, std::uint64_t bytes) {
    hold(space, static_cast<std::int64_t>(bytes));
}
HOLOS_KOKKOS holos_kokkos_deallocate_data(Space space, const char*, const void*, std::uint64_t bytes) {
    hold(space, -static_cast<std::int64_t>(bytes));
}

HOLOS_KOKKOS holos_kokkos_create_profile_section(const char* label, std::uint32_t* number) {
    const std::uint32_t own = lastSection.fetch_add(1, std::memory_order_relaxed) + 1;
    if (number != nullptr) *number = own;
    if (own < kMostSections && hears(kKokkos))
        sections[own].store(nameOf(kKokkos, What::Duration, "Kokkos section ", label),
                            std::memory_order_release);
}
HOLOS_KOKKOS holos_kokkos_destroy_profile_section(std::uint32_t) {}
HOLOS_KOKKOS holos_kokkos_start_profile_section(std::uint32_t number) {
    if (hears(kKokkos)) beginLoose(section(number), number);
}
HOLOS_KOKKOS holos_kokkos_stop_profile_section(std::uint32_t number) {
    if (hears(kKokkos)) endLoose(kKokkos, number);
}

HOLOS_KOKKOS holos_kokkos_profile_event(const char* label) {
    if (hears(kKokkos)) mark(nameOf(kKokkos, What::Region, {}, label));
}
