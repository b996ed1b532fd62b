// Marginal predictions: the mean over an instance set, for many configs at once.
#pragma once

#include "parallel.hpp"
#include "tree.hpp"

namespace forest {

/// Rows of configs and of instances; a forest's columns are the config columns followed by the instance
/// columns.
struct Marginals {
    const double* configs;
    size_t n_configs;
    size_t n_config_columns;
    const double* instances;
    size_t n_instances;
    bool cost;              ///< average leaf costs instead of leaf values
    const double* factors;  ///< multipliers of each instance's prediction; null: 1

    Quantity quantity() const { return cost ? Quantity::kCost : Quantity::kTarget; }
};

/// Each tree's mean over the instances: out[tree * n_configs + config].
void marginal(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out);

/// The same from every (config, instance) pair: slow, a reference for the fast version.
void marginal_by_pairs(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out);

}  // namespace forest
