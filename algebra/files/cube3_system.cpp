// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <utility>

#include "algebra/files/cube3_sections.h"

namespace holos::algebra {
namespace {

struct ElementWord {
    std::string_view cube3;
    std::string_view cube4;
};

constexpr std::array kElements{ElementWord{"machine", "systemtreenode"},
                               ElementWord{"node", "systemtreenode"}, ElementWord{"process", "locationgroup"},
                               ElementWord{"thread", "location"}};
constexpr std::array kCoordinates{ElementWord{"thrdId", "locId"}, ElementWord{"procId", "lgId"}};

template <class Words>
std::string_view translation(const Words& words, std::string_view word) {
    for (const auto& [cube3, cube4] : words)
        if (cube3 == word) return cube4;
    return word;
}

}  // namespace

XmlElement Cube3System::translated(const XmlElement& element) const {
    XmlElement found{translation(kElements, element.name), {}, element.line};
    for (const auto& [key, value] : element.attributes) {
        const auto process = processes_.find(value);
        const bool byPosition = element.name == "coord" && key == "procId" && process != processes_.end();
        found.attributes.emplace_back(element.name == "coord" ? translation(kCoordinates, key) : key,
                                      byPosition ? std::to_string(process->second) : value);
    }
    return found;
}

void Cube3System::begin(const XmlElement& element) {
    if (element.name == "process" && !processes_.emplace(element.get("Id"), processes_.size()).second)
        fail(element, "the process id " + element.get("Id") + " is there twice");
    system_.begin(translated(element));
}

void Cube3System::end(const XmlElement& element, std::string&& text) {
    if (element.name == "machine" || element.name == "node") {
        const XmlElement kind{"class", {}, element.line};
        system_.begin(kind);
        system_.end(kind, std::string(element.name));
    }
    system_.end(translated(element), std::move(text));
}

}  // namespace holos::algebra
