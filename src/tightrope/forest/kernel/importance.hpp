// Functional analysis of variance of each tree's mean over an instance set, as a function of the config.
#pragma once

#include <utility>

#include "collapse.hpp"
#include "configs.hpp"

namespace forest {

struct Question {
    const std::vector<ConfigColumn>& columns;
    const Marginals& over;  ///< without configs
    const double* limits;   ///< trees x instances: no prediction counts as more; null: no limits
    std::vector<std::pair<uint32_t, uint32_t>> pairs;  ///< with pairs, only their interactions are wanted
};

/// Variances in one tree.
struct TreeVariances {
    double mean = 0.0, total = 0.0;
    std::vector<double> main;   ///< of the mean given the value of each column
    std::vector<double> local;  ///< along each column, with the others as at home
    std::vector<double> pairs;  ///< of the interactions
};

std::vector<TreeVariances> importance(const Forest& forest, const Question& question, int threads,
                                      Stop& stop);

}  // namespace forest
