// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/annotations/heard.h"

#include <link.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::annotations {
namespace {

constexpr std::size_t kInterfaces = kAnnotationInterfaces.size();
/// What they are, with their number behind.
constexpr std::array<const char*, 5> kOddities{
    "ends of ranges that had not begun, left out",
    "ranges that ended before others that began in them, which were divided",
    "ranges that were nested too deeply, left out", "events of names beyond those that are kept, left out",
    "ranges that need not nest, of which too many were open, left out"};

std::atomic<Annotations> heard{0};
std::array<std::array<std::atomic<std::uint64_t>, kOddities.size()>, kInterfaces> counts;

Annotations wanted() noexcept {
    static const Annotations all = annotationsOf(core::settings().annotations).value_or(0);
    return all;
}

const char* nameOf(std::size_t interface) noexcept {
    return kAnnotationInterfaces[interface].name;
}

std::string_view fileName(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

/// Of a list of libraries the first one, which is the one that is used.
std::string_view firstOf(const char* libraries) noexcept {
    const std::string_view all(libraries);
    return all.substr(0, all.find(';'));
}

int isLibrary(dl_phdr_info* library, std::size_t, void* name) noexcept {
    const auto& searched = *static_cast<const std::string_view*>(name);
    return library->dlpi_name != nullptr && fileName(library->dlpi_name) == searched ? 1 : 0;
}

/// The variable of the two that names a tool.
const char* variableOf(const AnnotationInterface& one) noexcept {
    const bool isOlder = one.older != nullptr && std::getenv(one.older) != nullptr;
    return isOlder ? one.older : one.variable;
}

/// Where another tool was asked for, by the user, and the program has loaded it.
void noteOtherTool(const AnnotationInterface& one) noexcept {
    const char* const variable = variableOf(one);
    const char* const libraries = variable != nullptr ? std::getenv(variable) : nullptr;
    if (libraries == nullptr || !isWanted(one.which)) return;
    std::string_view name = fileName(firstOf(libraries));
    if (name.empty() || name.starts_with("libholos-") || ::dl_iterate_phdr(&isLibrary, &name) == 0) return;
    char text[512];
    std::snprintf(text, sizeof text,
                  "what the program says by %s is not recorded: the tool that %s names hears it (%.*s); "
                  "unset the variable to record it",
                  one.name, variable, static_cast<int>(name.size()), name.data());
    trouble(text);
}

}  // namespace

bool isWanted(Annotation interface) noexcept {
    return (wanted() & bitOf(interface)) != 0;
}

/// Children of the process, and what comes when the recording has failed, are counted where the events are.
bool hears(Annotation interface) noexcept {
    const Annotations bit = bitOf(interface);
    if (!isWanted(interface)) return false;
    if ((heard.load(std::memory_order_relaxed) & bit) != 0) [[likely]]
        return true;
    if (!core::recordingIsOpen.load(std::memory_order_acquire)) {
        core::countLost();
        return false;
    }
    if ((heard.fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
        heardInterface(nameOf(static_cast<std::size_t>(interface)));
    return true;
}

void noteOddity(Annotation interface, Oddity what) noexcept {
    counts[static_cast<std::size_t>(interface)][static_cast<std::size_t>(what)].fetch_add(
        1, std::memory_order_relaxed);
}

void noteAtEnd() noexcept {
    const Annotations all = heard.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < kInterfaces; ++i) {
        const AnnotationInterface& one = kAnnotationInterfaces[i];
        if ((all & bitOf(one.which)) == 0) {
            noteOtherTool(one);
            continue;
        }
        for (std::size_t k = 0; k < kOddities.size(); ++k) {
            const std::uint64_t count = counts[i][k].load(std::memory_order_relaxed);
            if (count == 0) continue;
            char text[256];
            std::snprintf(text, sizeof text, "%s: %s: %llu", nameOf(i), kOddities[k],
                          static_cast<unsigned long long>(count));
            trouble(text);
        }
    }
}

}  // namespace holos::tracing::annotations
