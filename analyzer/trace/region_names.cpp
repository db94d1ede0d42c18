// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/region_names.h"

#include <charconv>
#include <string>
#include <string_view>

namespace holos::analyzer::trace {

namespace {

constexpr std::string_view kPlace = " [{";

/// Of `7,1}…`: 7; zero where there is no number.
std::uint32_t numberAtBegin(std::string_view text) {
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Takes `f.c} {3,1}-{9,1}]` apart, or `f.c} {3}]`.
void setPlace(Region& region, std::string_view place) {
    const std::size_t fileEnd = place.find('}');
    region.file = place.substr(0, fileEnd);
    const std::size_t begin = place.find('{', fileEnd);
    if (begin == std::string_view::npos) return;
    region.beginLine = region.endLine = numberAtBegin(place.substr(begin + 1));
    const std::size_t end = place.find("-{", begin);
    if (end != std::string_view::npos) region.endLine = numberAtBegin(place.substr(end + 2));
}

/// Of `MPI_Send()` and `int MPI_Send(const void*, int)`: `MPI_Send`. Everything else as it is.
std::string functionOfMpi(const std::string& name) {
    const std::size_t end = name.find('(');
    const std::size_t begin = name.find("MPI_");
    if (end == std::string::npos || begin >= end || (begin != 0 && name[begin - 1] != ' ')) return name;
    return name.substr(begin, end - begin);
}

}  // namespace

void separateName(Region& region) {
    const std::string_view name = region.name;
    const std::size_t place = name.find(kPlace);
    if (place != std::string_view::npos && place != 0 && name.ends_with("]") && region.file.empty()) {
        setPlace(region, name.substr(place + kPlace.size()));
        region.name.erase(place);
    }
    if (region.paradigm == Paradigm::Mpi) region.name = functionOfMpi(region.name);
}

}  // namespace holos::analyzer::trace
