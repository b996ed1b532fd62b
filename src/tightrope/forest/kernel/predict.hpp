// Predictions of a forest.
#pragma once

#include "parallel.hpp"
#include "tree.hpp"

namespace forest {

/// What each tree's leaf says about each row: out[tree * n_rows + row].
void predict_trees(const Forest& forest, const double* X, size_t n_rows, Quantity quantity, int threads,
                   Stop& stop, double* out);

/// Mean and population variance of the trees' predictions of each row.
void predict(const Forest& forest, const double* X, size_t n_rows, int threads, Stop& stop, double* mean,
             double* variance);

/// The mean over the trees of the variance within each row's leaf.
void mean_noise(const Forest& forest, const double* X, size_t n_rows, int threads, Stop& stop, double* out);

/// One tree's prediction of `n_rows` coded rows that lie `stride` apart; returns the number of steps.
size_t walk(const Tree& tree, const double* coded, size_t stride, size_t n_rows, Quantity quantity,
            double* out);

}  // namespace forest
