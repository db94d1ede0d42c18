// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/specification.h"

#include <fstream>
#include <set>

#include "metric-specs/error.h"
#include "metric-specs/problems.h"
#include "metric-specs/suggest.h"

namespace holos::specs {
namespace {

/// The largest files known have a few hundred lines.
constexpr std::uintmax_t kLargestFile = 4u << 20;

}  // namespace

const MeasurementSet& Specification::set(std::string_view name) const {
    std::vector<std::string> names;
    for (const MeasurementSet& each : sets) {
        if (each.name == name) return each;
        names.push_back(each.name);
    }
    std::string list;
    for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
    throw Error("there is no measurement set " + inQuotes(name) + "; expected " +
                    (list.empty() ? "none: the file has no aggroup" : "one of " + list) +
                    didYouMean(name, names),
                {.file = file});
}

std::vector<std::string> Specification::events() const {
    std::set<std::string_view> defined;
    for (const Definition& definition : definitions) defined.insert(definition.name);
    for (const Alias& alias : aliases) defined.insert(alias.name);
    std::set<std::string_view> seen;
    std::vector<std::string> found;
    const auto add = [&seen, &found](const std::string& name) {
        if (seen.insert(name).second) found.push_back(name);
    };
    for (const Alias& alias : aliases) add(alias.event);
    for (const MeasurementSet& each : sets)
        for (const std::string& event : each.events) add(event);
    for (const Definition& definition : definitions)
        for (const std::string& term : definition.formula.terms)
            if (!defined.contains(term)) add(term);
    return found;
}

Specification load(const std::filesystem::path& path) {
    const Place place{.file = path.string()};
    std::error_code trouble;
    const auto status = std::filesystem::status(path, trouble);
    if (!std::filesystem::exists(status))
        throw Error("there is no such file; expected a specification", place);
    if (std::filesystem::is_directory(status))
        throw Error("is a directory; expected a specification file", place);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error("cannot be opened for reading", place);
    std::string text(kLargestFile + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) throw Error("cannot be read", place);
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestFile) throw Error("is larger than 4 MiB; expected a specification", place);
    return parse(std::move(text), path.string());
}

}  // namespace holos::specs
