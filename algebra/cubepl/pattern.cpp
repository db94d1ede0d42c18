// SPDX-License-Identifier: BSD-3-Clause
#include <boost/regex.hpp>

#include "algebra/cubepl/syntax.h"
#include "metric-specs/error.h"

namespace holos::algebra::cubepl {

struct Pattern::Compiled {
    boost::regex expression;
};

Pattern::Pattern(const std::string& expression) {
    try {
        compiled_ = std::make_shared<const Compiled>(Compiled{boost::regex(expression)});
    } catch (const boost::regex_error& error) {
        throw Error("\"" + expression + "\" is not a regular expression: " + error.what());
    }
}

bool Pattern::isIn(const std::string& text) const {
    try {
        return boost::regex_search(text, compiled_->expression);
    } catch (const std::runtime_error&) {  // Boost bounds the steps of a search
        throw Error("the regular expression \"" + compiled_->expression.str() + "\" is too complex");
    }
}

}  // namespace holos::algebra::cubepl
