// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::gui {

/// A line of the program's source, as the experiment names it.
struct SourcePlace {
    QString file;
    int line = 0;                 ///< from 1; 0: not known
    bool call = false;            ///< where the region is called; else where it begins
    algebra::CallPathId path{0};  ///< what is there: the call path asked for, or one that calls it
};

/// Where a call path is in the source: where it is called, else where its region begins, else the same of the
/// nearest caller of which something is known.
std::optional<SourcePlace> sourcePlaceOf(const algebra::Experiment& experiment, algebra::CallPathId path);

/// What is spent at lines of a file: of each call or region that is there, with everything it calls, by the
/// values of all call paths (inclusive). What calls itself at one line counts once.
std::map<int, double> lineValues(const algebra::Experiment& experiment, const QString& file,
                                 const std::vector<double>& inclusive);

/// Where sources are now: a beginning of paths as recorded, and what stands there today.
struct SourceMapping {
    QString from;
    QString to;
    friend bool operator==(const SourceMapping&, const SourceMapping&) = default;
};
/// What turns one path into the other: what is left of both without the names in which they end alike.
/// Nothing when they end differently.
std::optional<SourceMapping> mappingBetween(const QString& recorded, const QString& found);
/// The file that can be read for the recorded path: by the mappings (the last one first), as it is, or below
/// one of the folders.
std::optional<QString> findSource(const QString& recorded, const std::vector<SourceMapping>& mappings,
                                  const QStringList& folders);

}  // namespace holos::gui
