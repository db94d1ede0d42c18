// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/filtering.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/function_name.h"
#include "tracing/filter/filter.h"
#include "tracing/recorder/core/selection.h"
#include "tracing/recorder/core/symbol_table.h"
#include "tracing/recordings/format/run_variables.h"

namespace holos::tracing::core {
namespace {

/// `holos record` lays the filter beside the recording.
filter::Filter readOwnFilter() {
    const char* const folder = std::getenv(kRecordingVariable);
    const std::string path = std::string(folder != nullptr ? folder : "") + "/filter";
    if (::access(path.c_str(), R_OK) != 0) return {};
    try {
        return filter::readFilter(path);
    } catch (const std::exception& error) {
        trouble((std::string("the filter cannot be used: ") + error.what()).c_str());
        return {};
    }
}

/// Never destroyed: threads may still define regions while the program ends.
const filter::Filter& ownFilter() {
    static const auto* const kFilter = new filter::Filter(readOwnFilter());
    return *kFilter;
}

const SymbolTable& symbolsOf(const std::string& object) {
    static auto* const tables = new std::map<std::string, SymbolTable>;
    return tables->try_emplace(object, object.c_str()).first->second;
}

std::atomic<bool> expectsBodies{false};

}  // namespace

void expectBodiesOfConstructs() noexcept {
    expectsBodies.store(true, std::memory_order_relaxed);
}

bool isFilteredOut(const RegionDefinition& region) {
    if (region.paradigm != Paradigm::User || ownFilter().isEmpty()) return false;
    return ownFilter().excludesRegion(region.name) ||
           (region.file != nullptr && ownFilter().excludesFile(region.file));
}

bool isCallFilteredOut(const char* name) noexcept try {
    const Pause pause;
    return !ownFilter().isEmpty() && ownFilter().excludesCall(name);
} catch (const std::exception&) {
    return false;
}

bool isLeftOut(const RegionDefinition& region) noexcept try {
    const Pause pause;
    return isFilteredOut(region) && !isWantedPhase(region.name);
} catch (const std::exception&) {
    return false;
}

bool isFilteredOut(const std::string& object, std::uint64_t offset) {
    const bool mayBeBody = expectsBodies.load(std::memory_order_relaxed);
    if (ownFilter().regions().empty() && !mayBeBody) return false;
    static std::mutex* const mutex = new std::mutex;
    const std::scoped_lock lock(*mutex);
    const SymbolTable& symbols = symbolsOf(object);
    const std::string symbol = symbols.at(offset);
    if (symbol.empty()) return false;
    if (mayBeBody && isOutlinedBody(symbol)) return true;
    return symbols.isOfFortran() ? ownFilter().excludesProcedure(symbol)
                                 : ownFilter().excludesFunction(symbol);
}

}  // namespace holos::tracing::core
