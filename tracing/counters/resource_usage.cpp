// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "tracing/counters/source.h"

namespace holos::counters {
namespace {

std::uint64_t nanoseconds(const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_usec) * 1'000;
}

struct Field {
    const char* name;
    const char* description;
    const char* unit;
    Mode mode;
    std::uint64_t (*value)(const rusage&);
};

constexpr std::array<Field, 9> kFields{{
    {"ru_utime", "Processor time in the program", "ns", Mode::Accumulated,
     [](const rusage& u) { return nanoseconds(u.ru_utime); }},
    {"ru_stime", "Processor time in the kernel for the program", "ns", Mode::Accumulated,
     [](const rusage& u) { return nanoseconds(u.ru_stime); }},
    {"ru_minflt", "Page faults served without a disk", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_minflt); }},
    {"ru_majflt", "Page faults served from a disk", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_majflt); }},
    {"ru_nvcsw", "Context switches because the thread waited", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_nvcsw); }},
    {"ru_nivcsw", "Context switches although the thread had work", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_nivcsw); }},
    {"ru_inblock", "Reads from a disk", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_inblock); }},
    {"ru_oublock", "Writes to a disk", "occ", Mode::Accumulated,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_oublock); }},
    {"ru_maxrss", "Largest resident memory of the process so far", "kB", Mode::Absolute,
     [](const rusage& u) { return static_cast<std::uint64_t>(u.ru_maxrss); }},
}};

const Field* findField(const std::string& name) {
    const auto* at =
        std::find_if(kFields.begin(), kFields.end(), [&](const Field& field) { return field.name == name; });
    return at != kFields.end() ? at : nullptr;
}

Counter counterOf(const Field& field) {
    return {field.name, field.description, field.unit, field.mode, ""};
}

class UsageGroup final : public Group {
  public:
    explicit UsageGroup(std::vector<const Field*> fields) : fields_(std::move(fields)) {}

    bool read(std::uint64_t* values) noexcept override {
        rusage usage{};
        if (::getrusage(RUSAGE_THREAD, &usage) != 0) return false;
        for (std::size_t i = 0; i < fields_.size(); ++i) values[i] = fields_[i]->value(usage);
        return true;
    }

  private:
    std::vector<const Field*> fields_;
};

class ResourceUsage final : public Source {
  public:
    const char* name() const override { return "resource usage"; }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        for (const auto& field : kFields) all.push_back(counterOf(field));
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const Field* field = findField(name);
        return field != nullptr ? std::make_unique<Counter>(counterOf(*field)) : nullptr;
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        std::vector<const Field*> fields;
        for (const auto& name : names) {
            fields.push_back(findField(name));
            if (fields.back() == nullptr) throw Refusal(name, "not a counter of resource usage");
        }
        return std::make_unique<UsageGroup>(std::move(fields));
    }
};

}  // namespace

const Source& resourceUsage() {
    static const auto* source = new ResourceUsage;
    return *source;
}

}  // namespace holos::counters
