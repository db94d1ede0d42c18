// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/values_menu.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QMenu>
#include <QToolBar>

#include "base/error.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/menus/file_menu.h"
#include "gui/views/browser.h"
#include "gui/views/parts/assistive.h"

namespace holos::gui {

namespace {

constexpr double kSmall = 0.01;

QKeySequence keyOf(ValueMode mode) {
    if (mode == ValueMode::Absolute) return u"Ctrl+Shift+A"_qs;
    return mode == ValueMode::Percent ? QKeySequence(u"Ctrl+Shift+P"_qs) : QKeySequence();
}

void addDigits(QMenu* menu, Actions& actions) {
    QStringList titles{u"Automatic"_qs};
    for (int digits = kFewestDigits; digits <= kMostDigits; ++digits) titles << QString::number(digits);
    actions.addChoices(
        menu, u"Digits"_qs, u"With how many digits the largest value of a pane is written"_qs, titles,
        [](Browser& browser) {
            const Digits digits = browser.selection().digits();
            return digits ? *digits - kFewestDigits + 1 : 0;
        },
        [](Browser& browser, int at) {
            browser.selection().setDigits(at == 0 ? Digits() : Digits(kFewestDigits + at - 1));
        });
}

void addColors(QMenu* menu, Actions& actions) {
    QStringList titles;
    for (const ColorMap map : kColorMaps)
        titles << colorMapName(map).left(1).toUpper() + colorMapName(map).mid(1);
    actions.addChoices(
        menu, u"Colours"_qs, u"Colours of values"_qs, titles,
        [](Browser& browser) { return static_cast<int>(browser.colors().map()); },
        [](Browser& browser, int at) { browser.colors().setMap(kColorMaps[static_cast<std::size_t>(at)]); });
}

}  // namespace

ValuesMenu::ValuesMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments)
    : QObject(menu), experiments_(experiments) {
    addModes(menu, tools, actions);
    menu->addSeparator();
    addHiding(menu, tools, actions);
    addDigits(menu, actions);
    addColors(menu, actions);
    setMode(ValueMode::Absolute);
    connect(&experiments, &OpenExperiments::added, this,
            [this](const OpenExperiment& added) { follow(*added.browser); });
    connect(&experiments, &OpenExperiments::activeChanged, this, [this] {
        if (experiments_.browser() == nullptr) return;
        setMode(experiments_.browser()->selection().mode());
        applyHiding();
    });
}

void ValuesMenu::addModes(QMenu* menu, QToolBar* tools, Actions& actions) {
    auto* group = new QActionGroup(this);
    modeBox_ = new QComboBox(tools);
    modeBox_->setFocusPolicy(Qt::NoFocus);
    setNameOfBox(*modeBox_, u"How values are written"_qs);
    modeBox_->setToolTip(u"How values are written"_qs);
    for (const ValueModeText& text : valueModes()) {
        const ValueMode mode = text.value;
        const QString title = QString::fromUtf8(text.title);
        QAction* action = actions.add(menu, title, keyOf(mode), QString::fromUtf8(text.help),
                                      [this, mode] { chooseMode(mode); });
        action->setCheckable(true);
        group->addAction(action);
        modes_.push_back(action);
        modeBox_->addItem(title);
    }
    connect(modeBox_, &QComboBox::activated, this, [this](int at) { chooseMode(valueModes()[at].value); });
    tools->addWidget(modeBox_);
}

/// Of the two at most one is ticked.
void ValuesMenu::addHiding(QMenu* menu, QToolBar* tools, Actions& actions) {
    hideSmall_ = actions.add(menu, u"Hide small values"_qs, u"Ctrl+9"_qs,
                             u"Leave out what is less than one percent, with everything below it"_qs, [this] {
                                 hideZeros_->setChecked(false);
                                 applyHiding();
                             });
    hideSmall_->setCheckable(true);
    hideZeros_ = actions.add(menu, u"Hide zeros"_qs, u"Ctrl+0"_qs,
                             u"Leave out what is zero with everything below it"_qs, [this] {
                                 hideSmall_->setChecked(false);
                                 applyHiding();
                             });
    hideZeros_->setCheckable(true);
    hideZeros_->setChecked(true);
    tools->addAction(hideZeros_);
}

/// A new one has the mode that is chosen; the menu shows the active one's.
void ValuesMenu::follow(Browser& browser) {
    browser.selection().setMode(valueModes()[static_cast<std::size_t>(modeBox_->currentIndex())].value);
    connect(&browser.selection(), &Selection::modeChanged, this, [this, &browser] {
        if (&browser == experiments_.browser()) setMode(browser.selection().mode());
    });
}

void ValuesMenu::setMode(ValueMode mode) {
    const auto at = static_cast<std::size_t>(mode);
    modes_[at]->setChecked(true);
    modeBox_->setCurrentIndex(static_cast<int>(at));
    if (Browser* browser = experiments_.browser()) browser->selection().setMode(mode);
}

/// Another experiment has to be chosen before values can relate to it.
void ValuesMenu::chooseMode(ValueMode mode) {
    Browser* browser = experiments_.browser();
    if (mode == ValueMode::External && browser != nullptr && !browser->hasReference() &&
        !askForReference(*browser))
        mode = browser->selection().mode();
    setMode(mode);
}

/// False where nothing was chosen.
bool ValuesMenu::askForReference(Browser& browser) {
    const QString path = askForExperiment(experiments_.window(), u"100 percent is in …"_qs);
    if (path.isEmpty()) return false;
    try {
        browser.setReference(loadExperiment(path));
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
    return true;
}

void ValuesMenu::applyHiding() {
    if (experiments_.browser() == nullptr) return;
    experiments_.browser()->setHideBelow(hideSmall_->isChecked()   ? std::optional(kSmall)
                                         : hideZeros_->isChecked() ? std::optional(0.0)
                                                                   : std::nullopt);
}

}  // namespace holos::gui
