// A node to be grown.
#pragma once

#include <cstddef>
#include <cstdint>

#include "draws.hpp"
#include "scan.hpp"

namespace forest {

/// The points of the node are a range of its block's ids.
struct Task {
    int32_t node;
    NodeKey key;
    size_t begin, end;
    Sum total;
    double gain_unit;  ///< one unit of gain times weight, in squared targets
    uint8_t buffer;    ///< which of its block's two buffers holds its sorted entries

    uint32_t depth;  ///< splits above it

    size_t size() const { return end - begin; }
};

}  // namespace forest
