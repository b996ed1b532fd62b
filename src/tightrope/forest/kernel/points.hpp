// The training data of a forest, and one tree's view of it.
#pragma once

#include <cstdint>
#include <vector>

#include "table.hpp"

namespace forest {

/// A point has the same target in all trees, unless it was imputed.
struct Training {
    const Table& table;
    size_t n_trees;
    const uint16_t* counts;           ///< (trees, rows): copies in each tree's bootstrap sample
    const double* targets;            ///< (rows)
    const double* costs;              ///< (rows), or null
    const double* weights;            ///< (rows), or null
    std::vector<int32_t> imputed_at;  ///< (rows): column of `imputed`, or -1
    size_t n_imputed;
    const double* imputed;        ///< (trees, imputed): mean of the copies' targets
    const double* imputed_costs;  ///< (trees, imputed), or null
};

/// The training data of one tree.
class Points {
public:
    Points(const Training& training, size_t tree) : training_(training), tree_(tree) {}

    const Table& table() const { return training_.table; }
    bool weighted() const { return training_.weights != nullptr; }
    bool with_costs() const { return training_.costs != nullptr; }
    double weight(size_t row) const {
        const double count = training_.counts[tree_ * training_.table.n_rows() + row];
        return weighted() ? count * training_.weights[row] : count;
    }
    double target(size_t row) const { return pick(training_.targets, training_.imputed, row); }
    double cost(size_t row) const { return pick(training_.costs, training_.imputed_costs, row); }

private:
    double pick(const double* of_row, const double* of_imputed, size_t row) const {
        const int32_t k = training_.imputed_at[row];
        return k < 0 ? of_row[row] : of_imputed[tree_ * training_.n_imputed + static_cast<size_t>(k)];
    }
    const Training& training_;
    size_t tree_;
};

}  // namespace forest
