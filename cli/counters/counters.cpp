// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "tracing/counters/source.h"

namespace holos::cli {
namespace {

struct ListOptions {
    bool onlyAvailable = false;
    TextOrJson format = TextOrJson::Text;
};

using counters::Counter;
using counters::Source;

std::vector<Counter> countersOf(const Source& source, bool onlyAvailable) {
    auto all = source.list();
    if (onlyAvailable)
        std::erase_if(all, [](const Counter& counter) { return !counter.unavailable.empty(); });
    return all;
}

/// One that is told of only where it has something.
bool isAPart(const Source& source) {
    return &source == &counters::papiOfProcess() || &source == &counters::papiOfNode();
}

void printComponent(const counters::Component& component) {
    const bool isHere = component.unavailable.empty();
    std::printf("  %c component %-16s       %s\n", isHere ? '+' : '-', component.name.c_str(),
                component.description.c_str());
    if (!isHere) std::printf("    %-26s       not here: %s\n", "", component.unavailable.c_str());
}

void printText(const Source& source, bool onlyAvailable) {
    const auto all = countersOf(source, onlyAvailable);
    const std::string missing = source.unavailable();
    const auto components = source.components();
    if (all.empty() && (onlyAvailable || (isAPart(source) && components.empty()))) return;
    std::printf("%s, per %s%s\n", source.name(), counters::scopeName(source.scope()),
                missing.empty() ? "" : (": " + missing).c_str());
    for (const auto& component : components)
        if (component.unavailable.empty() || !onlyAvailable) printComponent(component);
    for (const auto& counter : all) {
        const bool isHere = counter.unavailable.empty();
        const std::string reading = readingName(counter.reading);
        std::printf("  %c %-26s %-5s %s%s\n", isHere ? '+' : '-', counter.name.c_str(), counter.unit.c_str(),
                    counter.description.c_str(), reading.empty() ? "" : (" (" + reading + ")").c_str());
        if (!isHere) std::printf("    %-26s       not here: %s\n", "", counter.unavailable.c_str());
    }
}

nlohmann::json asJson(const Source& source, bool onlyAvailable) {
    auto list = nlohmann::json::array();
    for (const auto& counter : countersOf(source, onlyAvailable))
        list.push_back({{"name", counter.name},
                        {"description", counter.description},
                        {"unit", counter.unit},
                        {"grows", counter.mode == counters::Mode::Accumulated},
                        {"available", counter.unavailable.empty()},
                        {"reason", counter.unavailable},
                        {"read", readingName(counter.reading)}});
    auto components = nlohmann::json::array();
    for (const auto& component : source.components())
        components.push_back({{"name", component.name},
                              {"description", component.description},
                              {"available", component.unavailable.empty()},
                              {"reason", component.unavailable}});
    return {{"source", source.name()},
            {"scope", counters::scopeName(source.scope())},
            {"reason", source.unavailable()},
            {"components", std::move(components)},
            {"counters", std::move(list)}};
}

void printJson(bool onlyAvailable) {
    auto all = nlohmann::json::array();
    for (const auto* source : counters::sources()) all.push_back(asJson(*source, onlyAvailable));
    print(jsonText(all, 2) + '\n');
}

void list(const ListOptions& options) {
    const auto inText = [&] {
        for (const auto* source : counters::sources()) printText(*source, options.onlyAvailable);
    };
    inFormat(options.format, inText, [&] { printJson(options.onlyAvailable); });
}

}  // namespace

void addCounters(Command& app) {
    Command command =
        app.command("counters", "List the counters of this machine, and check that they count correctly");
    command.requireCommand();
    const auto options = std::make_shared<ListOptions>();
    Command listing = command.command(
        "list", "List every counter with its unit and meaning, or why it cannot be counted here");
    listing.flag("--available", options->onlyAvailable, "List only what can be counted here");
    addFormat(listing, options->format);
    listing.footer(
        "Raw events of the processor (rXXXX) and PAPI's native events can be recorded as well, by their "
        "names.\n"
        "Examples:\n"
        "  holos counters list --available\n"
        "Then: holos record --counters page-faults,ru_nvcsw -- ./solver");
    listing.action([options] { list(*options); });
    addValidate(command);
}

}  // namespace holos::cli
