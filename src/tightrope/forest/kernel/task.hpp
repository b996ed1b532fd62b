// A node that waits to be grown.
#pragma once

#include <cstddef>
#include <cstdint>

#include "draws.hpp"
#include "scan.hpp"

namespace forest {

/// A node to be grown: a range of its block's ids.
struct Task {
    int32_t node;
    NodeKey key;
    size_t begin, end;
    Sum total;
    double gain_unit;  ///< what one unit of gain times weight is worth in squared targets
    uint8_t buffer;    ///< which of its block's two buffers holds its sorted entries

    size_t size() const { return end - begin; }
};

}  // namespace forest
