// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/metric_catalog.h"

#include <algorithm>

#include "analyzer/assemble/catalog_builder.h"
#include "analyzer/assemble/metric_groups.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

using trace::TimeClass;

Present::Present(const std::vector<trace::RegionClass>& classes) {
    const auto anyOf = [&](std::initializer_list<TimeClass> wanted) {
        return std::any_of(classes.begin(), classes.end(), [&](const trace::RegionClass& known) {
            return std::any_of(wanted.begin(), wanted.end(), [&](TimeClass one) { return known.has(one); });
        });
    };
    const auto set = [&](Needs needs, bool isThere) { has_[static_cast<std::size_t>(needs)] = isThere; };
    set(Needs::Nothing, true);
    set(Needs::Unrecorded, anyOf({TimeClass::Unrecorded}));
    set(Needs::Mpi, anyOf({TimeClass::Mpi}));
    set(Needs::MpiFiles,
        anyOf({TimeClass::MpiFiles, TimeClass::MpiIoIndividual, TimeClass::MpiIoCollective}));
    set(Needs::Files, anyOf({TimeClass::FileIo}));
    set(Needs::MpiWindows,
        anyOf({TimeClass::MpiWindows, TimeClass::MpiRma, TimeClass::MpiRmaActive, TimeClass::MpiRmaPassive}));
    set(Needs::OpenMp, anyOf({TimeClass::OmpRegion}));
    set(Needs::OpenMpLocks, anyOf({TimeClass::OmpCritical, TimeClass::OmpLockApi}));
    set(Needs::Pthread, anyOf({TimeClass::PthreadRegion}));
    set(Needs::PthreadLocks, anyOf({TimeClass::PthreadMutex, TimeClass::PthreadCondition}));
    set(Needs::PthreadJoins, std::any_of(classes.begin(), classes.end(), [](const trace::RegionClass& known) {
            return known.special == trace::Special::ThreadJoin;
        }));
    set(Needs::PthreadWaits, has(Needs::PthreadLocks) || has(Needs::PthreadJoins));
    set(Needs::SystemWaiting, anyOf({TimeClass::SystemWaiting}));
    set(Needs::Locks, has(Needs::OpenMpLocks) || has(Needs::PthreadLocks));
}

const Catalog& metricCatalog() {
    static const Catalog kCatalog = [] {
        CatalogBuilder<Metric> builder;
        for (const auto& groups : {timeGroups(), countGroups()})
            for (const Metric& group : groups) builder.append(group);
        for (const patterns::Pattern* pattern : patterns::allPatterns())
            for (const Metric* metric : pattern->metrics) builder.insert(*metric);
        return builder.take();
    }();
    return kCatalog;
}

}  // namespace holos::analyzer::assemble
