// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/quantity.h"
#include "gui/models/source_lines.h"
#include "gui/models/value_cache.h"
#include "gui/views/parts/detail_view.h"

class QPushButton;

namespace holos::gui {

class Colors;
class ElidedLabel;
class SourceHighlighter;
class SourceText;

/// The source at the selected call path, with the values of lines in the margin.
class SourcePane : public DetailView {
    Q_OBJECT
  public:
    /// The cache and the colours must outlive the pane.
    SourcePane(ValueCache& cache, const Colors& colors, QWidget* parent = nullptr);

    void follow(const Focus& focus) override;

    /// Where sources may be: what was moved, and folders of which recorded names may be relative.
    void setPlaces(std::vector<SourceMapping> mappings, QStringList folders);
    const std::vector<SourceMapping>& mappings() const { return mappings_; }
    const QStringList& folders() const { return folders_; }
    /// Takes `path` for the file that could not be found, and all others that moved with it.
    void locate(const QString& path);

    /// The file that is shown, as it was found; empty: none.
    const QString& file() const { return file_; }
    /// What is marked, from 1; 0: nothing.
    int line() const;
    /// The value in the margin of a line, as it is written; empty: none.
    QString valueAt(int line) const;

  Q_SIGNALS:
    void mappingsChanged();

  private:
    void show(const SourcePlace& place);
    void tell(const QString& message, bool missing);
    void askForFile();
    void updateValues(const Focus& focus, const QString& recorded);
    std::vector<double> inclusiveOf(algebra::MetricChoice metric);

    ValueCache& cache_;
    std::vector<SourceMapping> mappings_;
    QStringList folders_;
    std::optional<SourcePlace> place_;
    std::optional<Focus> focus_;
    QString file_;
    ElidedLabel* title_;
    QPushButton* locate_;
    SourceText* text_;
    SourceHighlighter* highlighter_;
};

}  // namespace holos::gui
