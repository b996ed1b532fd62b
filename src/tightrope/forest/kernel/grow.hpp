// Growing a forest.
#pragma once

#include "growth.hpp"

namespace forest {

Forest grow(const Training& training, const Rules& rules, uint64_t seed, int threads, Stop& stop);

}  // namespace forest
