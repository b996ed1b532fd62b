// Predictions of a forest.
#pragma once

#include "parallel.hpp"
#include "tree.hpp"

namespace forest {

/// Each tree's prediction of each row, or its leaf's mean cost: out[tree * n_rows + row].
void predict_trees(const Forest& forest, const double* X, size_t n_rows, bool cost, int threads, Stop& stop,
                   double* out);

/// Mean and population variance of the trees' predictions of each row.
void predict(const Forest& forest, const double* X, size_t n_rows, int threads, Stop& stop, double* mean,
             double* variance);

/// One tree's prediction of `n_rows` coded rows that lie `stride` apart; returns the number of steps.
size_t walk(const Tree& tree, const double* coded, size_t stride, size_t n_rows, bool cost, double* out);

}  // namespace forest
