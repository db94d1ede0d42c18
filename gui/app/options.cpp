// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include "base/error.h"
#include "gui/app/main_window.h"
#include "gui/experiments/filtering.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/roofline_pane.h"
#include "gui/views/details/source_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

namespace {

constexpr int kWrongUsage = 2;
constexpr int kSmallest = 200;
constexpr int kLargest = 16384;

Ending wrong(const QString& message) {
    return {u"holos view: %1\nRun with --help for more information.\n"_qs.arg(message), kWrongUsage};
}

/// The parser calls the program as its file is called, or names none before there is an application.
QString helpOf(const QCommandLineParser& parser) {
    const QString text = parser.helpText();
    return u"Usage: holos view"_qs + text.mid(text.indexOf(u" [options]"_qs)) +
           u"\nExample:\n  holos view run/analysis.cubex --select mpi_latesender --expand-hottest\n"_qs;
}

QString modeNames() {
    QStringList names;
    for (const ValueModeText& mode : valueModes()) names << QString::fromLatin1(mode.name);
    return names.join(u", "_qs);
}

QSize parseSize(const QString& text) {
    static const QRegularExpression form(u"^(\\d{1,5})x(\\d{1,5})$"_qs);
    const auto match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sensible = size.width() >= kSmallest && size.height() >= kSmallest &&
                          size.width() <= kLargest && size.height() <= kLargest;
    return match.hasMatch() && sensible ? size : QSize();
}

std::optional<SourceMapping> parseMapping(const QString& text) {
    const QStringList ends = text.split(u'=');
    if (ends.size() != 2 || ends[1].isEmpty()) return std::nullopt;
    const auto trimmed = [](QString path) {
        while (path.size() > 1 && path.endsWith(u'/')) path.chop(1);
        return path;
    };
    return SourceMapping{trimmed(ends[0]), trimmed(ends[1])};
}

}  // namespace

std::variant<Options, Ending> parseOptions(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Browse an experiment: metrics, call paths, system."_qs);
    const QCommandLineOption help({u"h"_qs, u"help"_qs}, u"Print this help."_qs);
    const QCommandLineOption screenshot(u"screenshot"_qs, u"Write a picture; needs no display."_qs,
                                        u"PNG"_qs);
    const QCommandLineOption watch(
        u"watch"_qs, u"Show a program while it is recorded to this folder, and refresh what is shown."_qs,
        u"DIR"_qs);
    const QCommandLineOption size(u"size"_qs, u"Size of the window or the picture, such as 1280x800."_qs,
                                  u"WxH"_qs);
    const QCommandLineOption select(u"select"_qs, u"Select this metric (unique or displayed name)."_qs,
                                    u"METRIC"_qs);
    const QCommandLineOption state(u"state"_qs, u"Show this view, as File > Copy link gives it."_qs,
                                   u"STATE"_qs);
    const QCommandLineOption detail(
        u"detail"_qs, u"Open a view below the panes: %1."_qs.arg(detailNames().join(u", "_qs)), u"VIEW"_qs);
    const QCommandLineOption flops(
        u"peak-flops"_qs, u"Floating-point operations per second that a node can do, for the roofline."_qs,
        u"RATE"_qs);
    const QCommandLineOption bandwidth(
        u"peak-bandwidth"_qs, u"Bytes per second that a node's memory can deliver, for the roofline."_qs,
        u"RATE"_qs);
    const QCommandLineOption sources(
        u"source-map"_qs, u"Sources that were recorded below FROM are now below TO; may be repeated."_qs,
        u"FROM=TO"_qs);
    const QCommandLineOption hottest(u"expand-hottest"_qs,
                                     u"Open the trees along the path with the largest values."_qs);
    const QCommandLineOption both(u"side-by-side"_qs,
                                  u"Show the first two experiments with one selection."_qs);
    const QCommandLineOption mode(u"mode"_qs, u"How values are written: %1."_qs.arg(modeNames()), u"MODE"_qs,
                                  u"absolute"_qs);
    const QCommandLineOption reference(
        u"reference"_qs, u"The experiment whose values are 100 percent in --mode external."_qs, u"FILE"_qs);
    const QCommandLineOption colors(u"colors"_qs, u"fire, ocean or grey."_qs, u"COLORS"_qs, u"fire"_qs);
    const QCommandLineOption theme(u"theme"_qs, u"system, light or dark colours."_qs, u"THEME"_qs,
                                   u"system"_qs);
    parser.addOptions({help, watch, screenshot, size, select, state, detail, flops, bandwidth, sources, both,
                       hottest, mode, reference, colors, theme});
    parser.addPositionalArgument(u"FILE"_qs, u"Experiments (.cubex); HOST:PATH: on another machine."_qs,
                                 u"[FILE…]"_qs);
    if (!parser.parse(arguments)) return wrong(parser.errorText());
    if (parser.isSet(help)) return Ending{helpOf(parser), 0};

    Options options;
    options.files = parser.positionalArguments();
    options.screenshot = parser.value(screenshot);
    options.watched = parser.value(watch);
    if (parser.isSet(watch) && (parser.isSet(screenshot) || options.watched.isEmpty()))
        return wrong(u"--watch needs the folder of a measurement, and a window"_qs);
    options.metric = parser.value(select);
    options.expandHottest = parser.isSet(hottest);
    if (parser.isSet(state)) {
        try {
            options.state = viewStateFrom(parser.value(state));
        } catch (const Error& error) {
            return wrong(u"--state: "_qs + QString::fromUtf8(error.what()));
        }
    }
    options.detail = parser.value(detail);
    if (parser.isSet(detail) && !detailNames().contains(options.detail))
        return wrong(u"--detail %1: expected %2"_qs.arg(options.detail, detailNames().join(u", "_qs)));
    for (const auto& [option, roof] :
         {std::pair(&flops, &options.roofs.operations), std::pair(&bandwidth, &options.roofs.bandwidth)}) {
        const QString text = parser.value(*option);
        if (!parser.isSet(*option)) continue;
        *roof = text.toDouble();
        if (!(**roof > 0)) return wrong(u"--%1 %2: expected a number"_qs.arg(option->names()[0], text));
    }
    for (const QString& text : parser.values(sources)) {
        const auto mapping = parseMapping(text);
        if (!mapping) return wrong(u"--source-map %1: expected FROM=TO"_qs.arg(text));
        options.sources.push_back(*mapping);
    }
    if (parser.isSet(screenshot) && (options.files.isEmpty() || options.screenshot.isEmpty()))
        return wrong(u"--screenshot needs the name of a picture and an experiment"_qs);
    options.sideBySide = parser.isSet(both);
    if (options.sideBySide && options.files.size() < 2)
        return wrong(u"--side-by-side needs two experiments"_qs);
    if (parser.isSet(size)) {
        options.size = parseSize(parser.value(size));
        if (!options.size->isValid())
            return wrong(u"--size %1: expected WIDTHxHEIGHT, each from %2 to %3"_qs.arg(parser.value(size))
                             .arg(kSmallest)
                             .arg(kLargest));
    }
    const auto known = menuChoiceNamed(valueModes(), parser.value(mode));
    if (!known) return wrong(u"--mode %1: expected %2"_qs.arg(parser.value(mode), modeNames()));
    options.mode = parser.isSet(mode) || !options.state ? *known : options.state->mode;
    options.reference = parser.value(reference);
    if ((options.mode == ValueMode::External) != parser.isSet(reference))
        return wrong(u"--mode external and --reference FILE go together"_qs);
    const auto map = colorMapNamed(parser.value(colors));
    if (!map) return wrong(u"--colors %1: expected fire, ocean or grey"_qs.arg(parser.value(colors)));
    if (parser.isSet(colors)) options.colors = *map;
    const QString themeName = parser.value(theme);
    if (themeName == u"dark")
        options.theme = Theme::Dark;
    else if (themeName == u"light")
        options.theme = Theme::Light;
    else if (themeName != u"system")
        return wrong(u"--theme %1: expected system, light or dark"_qs.arg(themeName));
    return options;
}

void showPartOf(MainWindow& window, const Options& options, const std::function<void()>& then) {
    const OpenExperiment* active = window.experiments().active();
    if (active == nullptr || !options.state) return then();
    // What replaces the browser has its proportions, which leave no room for a view that is not open.
    if (!options.state->filter.isEmpty()) active->browser->details()->open(options.state->detail);
    window.filtering().want(active->path, options.state->filter, then);
}

void applyOptions(MainWindow& window, const Options& options) {
    Browser* browser = window.browser();
    QStringList missing;
    if (browser != nullptr) {
        if (!options.reference.isEmpty()) browser->setReference(loadExperiment(options.reference));
        if (options.state) {
            ViewState state = *options.state;
            state.filter = browser->filter();
            browser->views().restore(state);
            missing = browser->views().missing(state);
        }
        if (options.colors) browser->colors().setMap(*options.colors);
    }
    window.setMode(options.mode);
    if (browser == nullptr) return;
    Place place;
    place.file = options.files.value(0).toStdString();
    if (!options.metric.isEmpty() && !browser->selectMetric(options.metric))
        throw Error("no metric is called \"" + options.metric.toStdString() + "\"", place);
    if (options.expandHottest) browser->expandHottest();
    browser->details()->roofline()->setRoofs(algebra::roofsOf(browser->experiment(), options.roofs));
    SourcePane* source = browser->details()->source();
    std::vector<SourceMapping> mappings = source->mappings();
    mappings.insert(mappings.end(), options.sources.begin(), options.sources.end());
    source->setPlaces(std::move(mappings), source->folders());
    if (options.sideBySide) window.experiments().setSideBySide(true);
    // What is selected is the same in both; the hottest thread need not be in both.
    if (options.sideBySide && options.expandHottest)
        for (const OpenExperiment& one : window.experiments().all())
            if (one.browser != browser) one.browser->expandSystem();
    if (!options.detail.isEmpty()) browser->details()->open(options.detail);
    if (!missing.isEmpty())
        throw Error("does not have what the state names: " + missing.join(u", "_qs).toStdString(), place);
}

}  // namespace holos::gui
