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

/// A node of a tree from which the splits on instance columns were removed.
struct CollapsedNode {
    enum class Kind : uint8_t { leaf, split, both };
    Kind kind;  ///< both: the prediction is the sum of those of the two children
    int32_t left, right;
    uint32_t size;  ///< nodes below and including this one
    Node original;  ///< leaf: `number` is the weighted value; split: the split on a config column
};

/// The collapsed tree, children before parents; its root is the last node. The rows of `instances` are coded.
/// With limits, one for each instance, no prediction counts as more than its instance's limit.
std::vector<CollapsedNode> collapse(const Tree& tree, const Marginals& over,
                                    const std::vector<double>& instances, const double* limits, Stop& stop);

/// Codes `n` rows of columns first, first + 1, ...
std::vector<double> coded(const Forest& forest, const double* rows, size_t n, size_t width, size_t first);

/// Each tree's mean over the instances: out[tree * n_configs + config].
void marginal(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out);

/// The same from every (config, instance) pair: slow, a reference for the fast version.
void marginal_by_pairs(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out);

}  // namespace forest
