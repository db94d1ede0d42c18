// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace holos::gui {

/// Iterations of a run's outermost loop, from 1; the last one is one of them.
struct IterationNumbers {
    std::size_t first = 1;
    std::size_t last = 1;

    friend bool operator==(const IterationNumbers&, const IterationNumbers&) = default;
};

/// A part of a run, in seconds from its first event on.
struct PartOfTime {
    double from = 0.0;
    double to = 0.0;
    /// The iterations that were chosen, where the part was chosen by iterations.
    std::optional<IterationNumbers> iterations = {};

    friend bool operator==(const PartOfTime&, const PartOfTime&) = default;
    /// The times are the same, whatever the part was chosen by.
    bool isSameTime(const PartOfTime& other) const { return from == other.from && to == other.to; }
};

/// `iteration 5`, `iterations 5 to 9`.
QString iterationsText(const IterationNumbers& iterations);
/// As links have it, `0.5:1.25`, as exact as it is; of which iterations it is stands elsewhere.
QString linkOf(const PartOfTime& part);
/// Nothing where that is none.
std::optional<PartOfTime> partOfTimeFrom(const QString& link);

/// The part of a run that all views of an experiment show. What it does not name is not restricted; what it
/// names holds at once.
struct Filter {
    std::optional<PartOfTime> range = {};
    /// Threads, processes or machines, together: `RowTree::keyOf` of rows of the system. Empty: all.
    QStringList places = {};
    /// Call paths with what they call, together: keys of rows of the call tree. Empty: all.
    QStringList callPaths = {};
    /// Names of regions, of which only the calls count. Empty: all.
    QStringList regions = {};
    /// What regions belong to, as `kindOf` names it. Empty: all.
    QStringList kinds = {};
    /// Of those that are open, by their names: which of them views, comparisons and tables show. Empty: all.
    QStringList experiments = {};

    bool isEmpty() const { return *this == Filter(); }
    friend bool operator==(const Filter&, const Filter&) = default;
};

/// What a filter can name.
enum class FilterPart : unsigned char { Range, Places, CallPaths, Regions, Kinds, Experiments };

/// The parts of the run that a filter names.
std::vector<FilterPart> partsOf(const Filter& filter);
/// One of them in words: `0.5 s to 1.25 s`, `iterations 5 to 9`, `node 1 / MPI Rank 1`, `in
/// main / solve`; long lists are cut.
QString filterText(const Filter& filter, FilterPart part);
/// A part with all that it names, a line each: `iterations 5 to 9 (0.5 s to 1.25 s)`.
QString wholeTextOf(const Filter& filter, FilterPart part);
/// All parts of a filter, iterations with their time; empty for the whole run.
QString filterText(const Filter& filter);
/// The whole filter as a part of names of files, which have no slashes; not too long.
QString nameForFiles(const Filter& filter);
/// What is left when a part is removed.
Filter without(Filter filter, FilterPart part);

/// What it names of a run itself.
Filter ofOneRun(const Filter& filter);
/// Whether it leaves out calls, not only times and threads.
bool isOfCalls(const Filter& filter);

/// What `added` names instead of what the filter has of the same parts.
Filter with(Filter filter, const Filter& added);

/// For links: `key=value` for each part, as exact as it is.
QStringList linkOf(const Filter& filter);
/// Takes over what a part of a link says. False where it says nothing of a filter, or nothing that can be
/// understood.
bool takeFromLink(Filter& filter, const QString& key, const QString& value);

}  // namespace holos::gui
