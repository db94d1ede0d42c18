// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>

#include "gui/views/parts/color_scale.h"

namespace holos::gui {

/// The colours that all views of a browser share.
class Colors : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    ColorMap map() const { return map_; }
    void setMap(ColorMap map);
    /// The scale for what is painted on `palette`'s base.
    ColorScale on(const QPalette& palette) const;

  Q_SIGNALS:
    void changed();

  private:
    ColorMap map_ = ColorMap::Fire;
};

}  // namespace holos::gui
