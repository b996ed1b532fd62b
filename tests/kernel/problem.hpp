// Small data sets for the kernel's tests.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collapse.hpp"
#include "grow.hpp"
#include "predict.hpp"

namespace problem {

/// A reproducible stream of numbers in [0, 1).
class Stream {
public:
    explicit Stream(uint64_t seed) : at_(seed) {}
    double next() { return static_cast<double>(forest::mix(at_++) >> 11) * 0x1.0p-53; }
    uint32_t below(uint32_t bound) { return static_cast<uint32_t>(next() * bound); }

private:
    uint64_t at_;
};

/// Owns the arrays that the kernel borrows; columns alternate between continuous, few-valued and categorical.
struct Problem {
    size_t n, d, n_trees;
    std::vector<double> X, targets, costs;
    std::vector<char> categorical;
    std::vector<uint16_t> counts;

    Problem(size_t n_rows, size_t n_columns, size_t trees, uint64_t seed)
        : n(n_rows),
          d(n_columns),
          n_trees(trees),
          X(n * d),
          targets(n),
          costs(n),
          categorical(d),
          counts(trees * n) {
        Stream stream(seed);
        for (size_t j = 0; j < d; ++j) categorical[j] = j % 3 == 2;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < d; ++j)
                X[i * d + j] =
                    j % 3 == 0 ? stream.next() : static_cast<double>(stream.below(j % 2 == 0 ? 90 : 7));
        for (size_t i = 0; i < n; ++i) {
            targets[i] = X[i * d] + 0.1 * stream.next() + (d > 1 ? 0.05 * X[i * d + 1] : 0.0);
            costs[i] = 1.0 + targets[i] * targets[i];
        }
        for (auto& count : counts) count = static_cast<uint16_t>(stream.below(3));
    }

    forest::Forest grow(const forest::Rules& rules, int threads) const {
        forest::Stop stop([] { return false; });
        const forest::Table table(X.data(), n, d, reinterpret_cast<const bool*>(categorical.data()), stop);
        const forest::Training training{table,        n_trees, counts.data(), targets.data(),
                                        costs.data(), nullptr, no_imputed(),  0,
                                        nullptr,      nullptr};
        return forest::grow(training, rules, 7, threads, stop);
    }
    std::vector<int32_t> no_imputed() const { return std::vector<int32_t>(n, -1); }
};

}  // namespace problem
