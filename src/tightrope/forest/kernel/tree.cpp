#include "tree.hpp"

#include <algorithm>
#include <cmath>

namespace forest {

uint32_t ColumnLevels::code(double level) const {
    const auto unseen = static_cast<uint32_t>(levels.size());
    if (counting) {
        // The comparison is false for NaN and for numbers too large to convert.
        if (!(level >= 0.0 && level < static_cast<double>(unseen))) return unseen;
        const auto code = static_cast<uint32_t>(level);
        return static_cast<double>(code) == level ? code : unseen;
    }
    const bool has_nan = !levels.empty() && std::isnan(levels.front());
    if (std::isnan(level)) return has_nan ? 0 : unseen;
    const auto it = std::lower_bound(levels.begin() + has_nan, levels.end(), level);
    if (it == levels.end() || *it != level) return unseen;
    return static_cast<uint32_t>(it - levels.begin());
}

void Forest::recode(const double* x, double* out, size_t n, size_t first) const {
    for (size_t k = 0; k < n; ++k) {
        const ColumnLevels& column = columns[first + k];
        out[k] = column.categorical ? std::bit_cast<double>(uint64_t{column.code(x[k])}) : x[k];
    }
}

}  // namespace forest
