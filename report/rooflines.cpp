// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/call_names.h"
#include "report/comparison.h"
#include "report/plot/roofline.h"

namespace holos::report {

std::vector<RooflinePicture> rooflinesOf(const Subjects& subjects, const algebra::Roofs& roofs) {
    std::vector<RooflinePicture> pictures;
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        const algebra::Experiment& experiment = subjects.experiment(at);
        const algebra::Roofline roofline = algebra::rooflineOf(experiment);
        if (roofline.points.empty()) continue;
        std::vector<std::string> names;
        for (const algebra::RooflinePoint& point : roofline.points)
            names.push_back(algebra::callPathText(experiment, point.path));
        pictures.push_back(
            {subjects.name(at), plot::svgOf(roofline, algebra::roofsOf(experiment, roofs), names)});
    }
    return pictures;
}

}  // namespace holos::report
