// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/shortage_attributes.h"

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_check.h"

namespace holos::archive {

void ShortageAttributes::add(const Record& record) {
    const std::uint64_t nanoseconds = record.words[0];
    const bool hasSlept = record.words[1] != 0;
    (hasSlept ? asleepOrWithout_ : without_) += nanoseconds;
}

OTF2_AttributeList* ShortageAttributes::with(OTF2_AttributeList* attributes) {
    if ((without_ == 0 && asleepOrWithout_ == 0) || !plan_.watchesShortage) return attributes;
    if (attributes == nullptr) {
        own_ = newAttributes();
        attributes = own_.get();
    }
    const OTF2_AttributeRef first = DefinitionsWriter::shortage(plan_);
    if (without_ != 0) OTF2_AttributeList_AddUint64(attributes, first, without_);
    if (asleepOrWithout_ != 0) OTF2_AttributeList_AddUint64(attributes, first + 1, asleepOrWithout_);
    written_ += without_;
    forget();
    return attributes;
}

void DefinitionsWriter::writeShortage() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "the shortage of processors");
    };
    add(shortage(plan_), "WithoutProcessor",
        "Nanoseconds since the location's last event in which its thread could run, and had no processor");
    add(shortage(plan_) + 1, "AsleepOrWithoutProcessor",
        "Nanoseconds since the location's last event in which its thread slept, or could run and had no "
        "processor: how much of it is which is not known");
}

}  // namespace holos::archive
