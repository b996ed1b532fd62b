// Python bindings of the analysis of variance.
#pragma once

#include <nanobind/nanobind.h>

namespace forest {

void bind_importance(nanobind::module_& m);

}  // namespace forest
