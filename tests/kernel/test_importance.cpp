#include "check.hpp"
#include "importance.hpp"
#include "problem.hpp"

namespace {

/// Cells between all thresholds of a column; levels have equal probabilities.
forest::ConfigColumn column_of(const forest::Forest& forest, uint32_t j) {
    forest::ConfigColumn column;
    column.categorical = forest.columns[j].categorical;
    if (column.categorical) {
        column.levels = forest.columns[j].levels;
    } else {
        for (const auto& tree : forest.trees)
            for (const auto& node : tree.nodes)
                if (!node.is_leaf() && node.split_column() == j) column.edges.push_back(node.number);
        std::sort(column.edges.begin(), column.edges.end());
        column.edges.erase(std::unique(column.edges.begin(), column.edges.end()), column.edges.end());
    }
    const size_t n = column.categorical ? column.levels.size() : column.edges.size() + 1;
    for (size_t i = 0; i <= n; ++i) column.below.push_back(static_cast<double>(i) / static_cast<double>(n));
    column.classes = {0, static_cast<uint32_t>(n)};
    return column;
}

/// A value in each cell.
std::vector<double> values_of(const forest::ConfigColumn& column) {
    if (column.categorical) return column.levels;
    std::vector<double> values = column.edges;
    values.push_back(values.empty() ? 0.0 : values.back() + 1.0);
    return values;
}

TEST(variances_equal_those_of_enumeration) {
    const problem::Problem sample(60, 4, 3, 8);
    const auto grown = sample.grow({3, 6, 2}, 1);
    const std::vector<forest::ConfigColumn> columns{column_of(grown, 0), column_of(grown, 1),
                                                    column_of(grown, 2)};
    std::vector<double> instances;
    for (size_t i = 0; i < 9; ++i) instances.push_back(sample.X[i * 4 + 3]);
    const auto a = values_of(columns[0]), b = values_of(columns[1]), c = values_of(columns[2]);
    std::vector<double> configs;
    for (const double x : a)
        for (const double y : b)
            for (const double z : c) configs.insert(configs.end(), {x, y, z});
    const size_t n = configs.size() / 3;
    forest::Stop stop([] { return false; });
    const forest::Marginals grid{configs.data(), n, 3, instances.data(), 9, false, nullptr};
    std::vector<double> values(3 * n);
    forest::marginal(grown, grid, 1, stop, values.data());
    const forest::Marginals over{nullptr, 0, 3, instances.data(), 9, false, nullptr};
    const auto found = forest::importance(grown, {columns, over, nullptr, {}}, 2, stop);
    const auto joint = forest::importance(grown, {columns, over, nullptr, {{0, 1}, {2, 1}}}, 2, stop);
    for (size_t t = 0; t < 3; ++t) {
        double mean = 0.0, square = 0.0, first = 0.0;
        for (size_t i = 0; i < n; ++i) {
            mean += values[t * n + i] / static_cast<double>(n);
            square += values[t * n + i] * values[t * n + i] / static_cast<double>(n);
        }
        const size_t m = n / a.size();
        for (size_t i = 0; i < a.size(); ++i) {
            double given = -mean;
            for (size_t k = 0; k < m; ++k) given += values[t * n + i * m + k] / static_cast<double>(m);
            first += given * given / static_cast<double>(a.size());
        }
        CHECK(check::close(found[t].mean, mean));
        CHECK(check::close(found[t].total, square - mean * mean));
        CHECK(check::close(found[t].main[0], first));
        CHECK(joint[t].pairs.size() == 2 && joint[t].pairs[0] >= 0.0);
    }
}

TEST(a_tree_as_deep_as_it_has_points_is_decomposed) {
    problem::Problem sample(3000, 1, 1, 4);
    std::fill(sample.counts.begin(), sample.counts.end(), uint16_t{1});
    double target = 1.0;
    for (size_t i = 0; i < sample.n; ++i) {
        sample.X[i] = static_cast<double>(i);
        sample.targets[i] = target;
        target *= i % 100 == 0 ? 1.5 : 1.0;
    }
    const auto grown = sample.grow({1, 2, 1}, 1);
    const std::vector<forest::ConfigColumn> columns{column_of(grown, 0)};
    forest::Stop stop([] { return false; });
    const double nothing = 0.0;
    const forest::Marginals over{nullptr, 0, 1, &nothing, 1, false, nullptr};
    const auto found = forest::importance(grown, {columns, over, nullptr, {}}, 1, stop);
    CHECK(check::close(found[0].main[0], found[0].total));
    CHECK(check::close(found[0].local[0], found[0].total));
}

}  // namespace
