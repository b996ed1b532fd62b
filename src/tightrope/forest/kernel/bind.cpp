// Python bindings: check shapes, pass arrays without copying, release the GIL.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bind_importance.hpp"
#include "collapse.hpp"
#include "grow.hpp"
#include "pickle.hpp"
#include "predict.hpp"

using namespace nanobind::literals;

namespace forest {
namespace {

Table make_table(Matrix X, Array<bool, 1> categorical) {
    require(X.shape(1) == categorical.shape(0), "categorical must have one flag for each column of X");
    require(X.shape(0) < (uint64_t{1} << 31) && X.shape(1) <= Node::kColumn, "X is too large");
    std::optional<Table> table;
    without_gil(
        [&](Stop& stop) { table.emplace(X.data(), X.shape(0), X.shape(1), categorical.data(), stop); });
    return std::move(*table);
}

std::vector<int32_t> places(const Table& table, const Array<int64_t, 1>& rows) {
    std::vector<int32_t> at(table.n_rows(), -1);
    for (size_t k = 0; k < rows.shape(0); ++k) {
        const int64_t row = rows.data()[k];
        require(row >= 0 && row < static_cast<int64_t>(at.size()),
                "imputed_rows: row " + std::to_string(row) + " does not exist");
        at[row] = static_cast<int32_t>(k);
    }
    return at;
}

Forest grow_forest(const Table& table, Array<uint16_t, 2> counts, Vector targets,
                   Array<int64_t, 1> imputed_rows, Matrix imputed, std::optional<Vector> costs,
                   std::optional<Matrix> imputed_costs, std::optional<Vector> weights, uint32_t drawn_columns,
                   uint32_t min_samples_split, uint32_t min_samples_leaf, uint64_t seed, int threads,
                   std::optional<uint32_t> max_depth, bool noise) {
    const size_t n = table.n_rows(), n_trees = counts.shape(0), n_imputed = imputed_rows.shape(0);
    require(counts.shape(1) == n, "counts must have one column for each row of the table");
    require(targets.shape(0) == n, "targets must have one value for each row of the table");
    require(imputed.shape(0) == n_trees && imputed.shape(1) == n_imputed,
            "imputed must have shape (trees, imputed rows)");
    require(costs.has_value() == imputed_costs.has_value(), "costs and imputed_costs go together");
    require(!costs || costs->shape(0) == n, "costs must have one value for each row of the table");
    require(!imputed_costs || (imputed_costs->shape(0) == n_trees && imputed_costs->shape(1) == n_imputed),
            "imputed_costs must have shape (trees, imputed rows)");
    require(!weights || weights->shape(0) == n, "weights must have one value for each row of the table");
    require(drawn_columns >= 1 && drawn_columns <= table.n_columns(),
            "drawn_columns must be in 1 .. columns");
    require(min_samples_leaf >= 1, "min_samples_leaf must be at least 1");
    const Training training{table,
                            n_trees,
                            counts.data(),
                            targets.data(),
                            costs ? costs->data() : nullptr,
                            weights ? weights->data() : nullptr,
                            places(table, imputed_rows),
                            n_imputed,
                            imputed.data(),
                            imputed_costs ? imputed_costs->data() : nullptr};
    const Rules rules{drawn_columns, std::max(min_samples_split, 2u), min_samples_leaf,
                      max_depth.value_or(std::numeric_limits<uint32_t>::max()), noise};
    Forest forest;
    without_gil([&](Stop& stop) { forest = grow(training, rules, seed, threads, stop); });
    return forest;
}

void require_columns(const Forest& forest, size_t width) {
    require(width == forest.columns.size(), "X has " + std::to_string(width) +
                                                " columns, the forest was grown on " +
                                                std::to_string(forest.columns.size()));
}
void require_costs(const Forest& forest, bool cost) {
    for (const Tree& tree : forest.trees)
        require(!cost || !tree.costs.empty(), "the forest was grown without costs");
}

auto predict_mean_variance(const Forest& forest, Matrix X, int threads) {
    require_columns(forest, X.shape(1));
    std::vector<double> mean(X.shape(0)), variance(X.shape(0));
    without_gil([&](Stop& stop) {
        predict(forest, X.data(), X.shape(0), threads, stop, mean.data(), variance.data());
    });
    const size_t n = X.shape(0);
    return std::make_tuple(owned(std::move(mean), {n}), owned(std::move(variance), {n}));
}

auto each_tree(const Forest& forest, const Matrix& X, int threads, Quantity quantity) {
    require_columns(forest, X.shape(1));
    std::vector<double> out(forest.trees.size() * X.shape(0));
    without_gil([&](Stop& stop) {
        predict_trees(forest, X.data(), X.shape(0), quantity, threads, stop, out.data());
    });
    return owned(std::move(out), {forest.trees.size(), X.shape(0)});
}

auto predict_each_tree(const Forest& forest, Matrix X, int threads, bool cost) {
    require_costs(forest, cost);
    return each_tree(forest, X, threads, cost ? Quantity::kCost : Quantity::kTarget);
}

void require_noise(const Forest& forest) {
    for (const Tree& tree : forest.trees) require(!tree.noises.empty(), "the forest was grown without noise");
}

auto mean_noise_of(const Forest& forest, Matrix X, int threads) {
    require_columns(forest, X.shape(1));
    require_noise(forest);
    std::vector<double> out(X.shape(0));
    without_gil([&](Stop& stop) { mean_noise(forest, X.data(), X.shape(0), threads, stop, out.data()); });
    return owned(std::move(out), {X.shape(0)});
}

auto noise_in_each_tree(const Forest& forest, Matrix X, int threads) {
    require_noise(forest);
    return each_tree(forest, X, threads, Quantity::kNoise);
}

auto apply(const Forest& forest, Matrix X, int threads) {
    return each_tree(forest, X, threads, Quantity::kLeaf);
}

template <auto Average>
auto marginals(const Forest& forest, Matrix configs, Matrix instances, int threads, bool cost,
               std::optional<Vector> factors) {
    require_columns(forest, configs.shape(1) + instances.shape(1));
    require_costs(forest, cost);
    require(instances.shape(0) > 0, "instances must have at least one row");
    require(!factors || factors->shape(0) == instances.shape(0), "there must be a factor for each instance");
    const Marginals over{configs.data(),
                         configs.shape(0),
                         configs.shape(1),
                         instances.data(),
                         instances.shape(0),
                         cost,
                         factors ? factors->data() : nullptr};
    std::vector<double> out(forest.trees.size() * over.n_configs);
    without_gil([&](Stop& stop) { Average(forest, over, threads, stop, out.data()); });
    return owned(std::move(out), {forest.trees.size(), over.n_configs});
}

auto gains(const Forest& forest) {
    std::vector<double> out;
    for (const Tree& tree : forest.trees) out.insert(out.end(), tree.gains.begin(), tree.gains.end());
    return owned(std::move(out), {forest.trees.size(), forest.columns.size()});
}

const Tree& tree_at(const Forest& forest, size_t tree) {
    require(tree < forest.trees.size(), "there is no tree " + std::to_string(tree));
    return forest.trees[tree];
}

nb::dict nodes(const Forest& forest, size_t number) {
    const Tree& tree = tree_at(forest, number);
    const size_t n = tree.nodes.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<int32_t> column(n, -1), left(n, -1), right(n, -1);
    std::vector<double> threshold(n, nan), value(n, nan), cost(n, nan);
    for (size_t i = 0; i < n; ++i) {
        const Node& node = tree.nodes[i];
        if (node.is_leaf()) {
            value[i] = node.number;
            if (!tree.costs.empty()) cost[i] = tree.costs[i];
            continue;
        }
        column[i] = static_cast<int32_t>(node.split_column());
        left[i] = node.left;
        right[i] = node.left + 1;
        if (!node.is_categorical()) threshold[i] = node.number;
    }
    nb::dict out;
    out["column"] = owned(std::move(column), {n});
    out["threshold"] = owned(std::move(threshold), {n});
    out["left"] = owned(std::move(left), {n});
    out["right"] = owned(std::move(right), {n});
    out["value"] = owned(std::move(value), {n});
    out["cost"] = owned(std::move(cost), {n});
    out["points"] = owned(std::vector<uint32_t>(tree.points), {n});
    return out;
}

auto levels_left(const Forest& forest, size_t number, size_t at) {
    const Tree& tree = tree_at(forest, number);
    require(at < tree.nodes.size() && !tree.nodes[at].is_leaf() && tree.nodes[at].is_categorical(),
            "node " + std::to_string(at) + " is not a categorical split");
    const Node& node = tree.nodes[at];
    const auto& levels = forest.columns[node.split_column()].levels;
    std::vector<double> out;
    for (uint64_t code = 0; code < levels.size(); ++code)
        if (tree.goes_left(node, std::bit_cast<double>(code))) out.push_back(levels[code]);
    const size_t n = out.size();
    return owned(std::move(out), {n});
}

}  // namespace
}  // namespace forest

NB_MODULE(_kernel, m) {
    using namespace forest;
    nb::class_<Table>(m, "Table")
        .def(
            "__init__",
            [](Table* table, Matrix X, Array<bool, 1> categorical) {
                new (table) Table(make_table(X, categorical));
            },
            "X"_a, "categorical"_a)
        .def_prop_ro("n_rows", &Table::n_rows)
        .def_prop_ro("n_columns", &Table::n_columns);
    nb::class_<Forest>(m, "Forest")
        .def_prop_ro("n_trees", [](const Forest& f) { return f.trees.size(); })
        .def_prop_ro("n_columns", [](const Forest& f) { return f.columns.size(); })
        .def("predict", &predict_mean_variance, "X"_a, "threads"_a)
        .def("predict_trees", &predict_each_tree, "X"_a, "threads"_a, "cost"_a = false)
        .def("mean_noise", &mean_noise_of, "X"_a, "threads"_a)
        .def("noise_in_trees", &noise_in_each_tree, "X"_a, "threads"_a)
        .def("apply", &apply, "X"_a, "threads"_a)
        .def("marginal", &marginals<marginal>, "configs"_a, "instances"_a, "threads"_a, "cost"_a = false,
             "factors"_a = nb::none())
        .def("marginal_by_pairs", &marginals<marginal_by_pairs>, "configs"_a, "instances"_a, "threads"_a,
             "cost"_a = false, "factors"_a = nb::none())
        .def("gains", &gains)
        .def("nodes", &nodes, "tree"_a)
        .def("levels_left", &levels_left, "tree"_a, "node"_a)
        .def("__getstate__", &state_of)
        .def("__setstate__", &restore);
    m.def("grow", &grow_forest, "table"_a, "counts"_a, "targets"_a, "imputed_rows"_a, "imputed"_a,
          nb::kw_only(), "costs"_a = nb::none(), "imputed_costs"_a = nb::none(), "weights"_a = nb::none(),
          "drawn_columns"_a, "min_samples_split"_a, "min_samples_leaf"_a, "seed"_a, "threads"_a,
          "max_depth"_a = nb::none(), "noise"_a = false);
    bind_importance(m);
}
