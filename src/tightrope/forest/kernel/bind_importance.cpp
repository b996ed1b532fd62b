#include "bind_importance.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "importance.hpp"
#include "pickle.hpp"

using namespace nanobind::literals;

namespace forest {
namespace {

template <class T>
std::vector<T> taken(const Array<T, 1>& values) {
    return {values.data(), values.data() + values.shape(0)};
}

ConfigColumn make_column(bool categorical, Vector cuts, Vector below, Array<uint32_t, 1> classes,
                         Array<uint32_t, 1> parents, Array<uint8_t, 1> active, uint32_t home) {
    ConfigColumn column{categorical,   {},  {}, taken(below), taken(classes), taken(parents),
                        taken(active), home};
    (categorical ? column.levels : column.edges) = taken(cuts);
    require(column.below.size() >= 2, "below must have an entry for each cell and one more");
    require(cuts.shape(0) == column.n_cells() - (categorical ? 0 : 1), "cuts do not match the cells");
    require(std::is_sorted(column.below.begin(), column.below.end()), "below must ascend");
    require(categorical || std::is_sorted(column.edges.begin(), column.edges.end()), "edges must ascend");
    const auto& first = column.classes;
    require(first.size() >= 2 && first.front() == 0 && first.back() == column.n_cells() &&
                std::is_sorted(first.begin(), first.end()),
            "classes must ascend from 0 to the number of cells");
    require(home < column.n_cells(), "home is not a cell");
    return column;
}

void require_sound(const std::vector<ConfigColumn>& columns) {
    for (const ConfigColumn& column : columns) {
        size_t n = 1;
        for (const uint32_t parent : column.parents) {
            require(parent < columns.size(), "a parent does not exist");
            for (const uint32_t ancestor : columns[parent].parents)
                require(
                    std::find(column.parents.begin(), column.parents.end(), ancestor) != column.parents.end(),
                    "parents must include those of the parents");
            n *= columns[parent].n_classes();
        }
        require(column.active.size() == (column.parents.empty() ? 0 : n),
                "active must have an entry for each combination of classes");
    }
}

std::vector<std::pair<uint32_t, uint32_t>> taken_pairs(const Array<uint32_t, 2>& pairs, size_t n_columns) {
    require(pairs.shape(1) == 2, "pairs must have two columns");
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (size_t i = 0; i < pairs.shape(0); ++i) {
        const uint32_t a = pairs.data()[2 * i], b = pairs.data()[2 * i + 1];
        require(a < n_columns && b < n_columns && a != b, "a pair does not name two columns");
        out.emplace_back(a, b);
    }
    return out;
}

template <class Member>
auto gathered(const std::vector<TreeVariances>& trees, Member member, size_t n) {
    std::vector<double> out;
    for (const TreeVariances& tree : trees)
        out.insert(out.end(), (tree.*member).begin(), (tree.*member).end());
    return owned(std::move(out), {trees.size(), n});
}

/// Checks the arguments and answers the question.
std::vector<TreeVariances> answered(const Forest& forest, const std::vector<ConfigColumn>& columns,
                                    const Matrix& instances, int threads, bool cost,
                                    const std::optional<Vector>& factors, const std::optional<Matrix>& limits,
                                    const std::optional<Array<uint32_t, 2>>& pairs) {
    const size_t d = columns.size(), m = instances.shape(0);
    require(d + instances.shape(1) == forest.columns.size(),
            "configs and instances must have the columns of the forest");
    require(m > 0, "instances must have at least one row");
    require(!factors || factors->shape(0) == m, "there must be a factor for each instance");
    require(!limits || (limits->shape(0) == forest.trees.size() && limits->shape(1) == m),
            "limits must have shape (trees, instances)");
    for (size_t j = 0; j < d; ++j)
        require(columns[j].categorical == forest.columns[j].categorical, "a column is of another kind");
    for (const Tree& tree : forest.trees)
        require(!cost || !tree.costs.empty(), "the forest was grown without costs");
    require_sound(columns);
    const Marginals over{nullptr, 0, d, instances.data(), m, cost, factors ? factors->data() : nullptr};
    Question question{columns, over, limits ? limits->data() : nullptr, {}};
    if (pairs) question.pairs = taken_pairs(*pairs, d);
    std::vector<TreeVariances> trees;
    without_gil([&](Stop& stop) { trees = importance(forest, question, threads, stop); });
    return trees;
}

auto variances(const Forest& forest, const std::vector<ConfigColumn>& columns, Matrix instances, int threads,
               bool cost, std::optional<Vector> factors, std::optional<Matrix> limits) {
    const auto trees = answered(forest, columns, instances, threads, cost, factors, limits, std::nullopt);
    std::vector<double> mean, total;
    for (const TreeVariances& tree : trees) {
        mean.push_back(tree.mean);
        total.push_back(tree.total);
    }
    const size_t n = trees.size(), d = columns.size();
    return std::make_tuple(owned(std::move(mean), {n}), owned(std::move(total), {n}),
                           gathered(trees, &TreeVariances::main, d),
                           gathered(trees, &TreeVariances::local, d));
}

auto interactions(const Forest& forest, const std::vector<ConfigColumn>& columns, Matrix instances,
                  Array<uint32_t, 2> pairs, int threads, bool cost, std::optional<Vector> factors,
                  std::optional<Matrix> limits) {
    require(pairs.shape(0) > 0, "there must be at least one pair");
    const auto trees = answered(forest, columns, instances, threads, cost, factors, limits, pairs);
    return gathered(trees, &TreeVariances::pairs, pairs.shape(0));
}

}  // namespace

void bind_importance(nb::module_& m) {
    nb::class_<ConfigColumn>(m, "ConfigColumn")
        .def(
            "__init__",
            [](ConfigColumn* column, bool categorical, Vector cuts, Vector below, Array<uint32_t, 1> classes,
               Array<uint32_t, 1> parents, Array<uint8_t, 1> active, uint32_t home) {
                new (column)
                    ConfigColumn(make_column(categorical, cuts, below, classes, parents, active, home));
            },
            "categorical"_a, "cuts"_a, "below"_a, "classes"_a, "parents"_a, "active"_a, "home"_a);
    m.def("variances", &variances, "forest"_a, "columns"_a, "instances"_a, "threads"_a, nb::kw_only(),
          "cost"_a = false, "factors"_a = nb::none(), "limits"_a = nb::none());
    m.def("interactions", &interactions, "forest"_a, "columns"_a, "instances"_a, "pairs"_a, "threads"_a,
          nb::kw_only(), "cost"_a = false, "factors"_a = nb::none(), "limits"_a = nb::none());
}

}  // namespace forest
