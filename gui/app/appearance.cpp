// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/appearance.h"

#include <QApplication>
#include <QProxyStyle>
#include <array>

namespace holos::gui {

namespace {

struct SurfaceTones {
    QRgb window, base, alternate, text, faint, button, highlight, link, mid;
};
constexpr SurfaceTones kLight{0xfff3f4f6, 0xffffffff, 0xfff8f9fa, 0xff1f2328, 0xff6b7280,
                              0xffeceef1, 0xffd6e4f7, 0xff0b57d0, 0xffd0d4da};
constexpr SurfaceTones kDark{0xff22262c, 0xff1a1d22, 0xff1f2329, 0xffdcdfe4, 0xff8b939e,
                             0xff2c3138, 0xff30465f, 0xff8ab4f8, 0xff3a4049};

QPalette paletteFrom(const SurfaceTones& tones) {
    QPalette palette(QColor(tones.button), QColor(tones.window));
    const auto set = [&palette](QPalette::ColorRole role, QRgb rgb) { palette.setColor(role, QColor(rgb)); };
    set(QPalette::Base, tones.base);
    set(QPalette::AlternateBase, tones.alternate);
    set(QPalette::Text, tones.text);
    set(QPalette::WindowText, tones.text);
    set(QPalette::ButtonText, tones.text);
    set(QPalette::ToolTipBase, tones.alternate);
    set(QPalette::ToolTipText, tones.text);
    set(QPalette::PlaceholderText, tones.faint);
    set(QPalette::Highlight, tones.highlight);
    set(QPalette::HighlightedText, tones.text);
    set(QPalette::Link, tones.link);
    set(QPalette::Mid, tones.mid);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(tones.faint));
    return palette;
}

/// Nothing moves by itself: over a network every picture of it costs.
class StillStyle : public QProxyStyle {
  public:
    StillStyle() : QProxyStyle(u"Fusion"_qs) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* more) const override {
        if (hint == SH_Widget_Animate || hint == SH_Widget_Animation_Duration) return 0;
        return QProxyStyle::styleHint(hint, option, widget, more);
    }
};

constexpr std::array kEffects{Qt::UI_AnimateMenu,    Qt::UI_FadeMenu,    Qt::UI_AnimateCombo,
                              Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox};

}  // namespace

QPalette paletteOf(Theme theme, const QPalette& systemPalette) {
    const bool dark = theme == Theme::Dark ||
                      (theme == Theme::System && systemPalette.color(QPalette::Window).lightness() < 128);
    return paletteFrom(dark ? kDark : kLight);
}

void applyTheme(Theme theme) {
    const QPalette palette = paletteOf(theme, QApplication::palette());
    QApplication::setStyle(new StillStyle);
    for (const Qt::UIEffect effect : kEffects) QApplication::setEffectEnabled(effect, false);
    QApplication::setPalette(palette);
}

}  // namespace holos::gui
