// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPalette>
#include <QStringList>
#include <QWidget>

namespace holos::gui {

/// The colour of the folder of this number, for what is painted on the palette's base. Folders after the
/// first ones, which are told apart, are all grey.
QColor folderColor(int number, const QPalette& palette);
/// How many are told apart.
inline constexpr int kColoredFolders = 8;

/// Says which colour is which folder, as far as there is room.
class FolderLegend : public QWidget {
  public:
    explicit FolderLegend(QWidget* parent = nullptr);

    void setFolders(const QStringList& folders);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QStringList folders_;
};

}  // namespace holos::gui
