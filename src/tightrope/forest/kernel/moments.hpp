// The second moment of a collapsed tree over all configs.
#pragma once

#include "region.hpp"

namespace forest {

double second_moment(const CutTree& tree, const std::vector<ConfigColumn>& columns,
                     const std::vector<uint32_t>& family, Stop& stop);

}  // namespace forest
