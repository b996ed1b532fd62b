#include "grow.hpp"

#include "subtree.hpp"

namespace forest {
namespace {

template <class Id>
void grow_root(Growth& growth, std::vector<uint32_t> rows, NodeKey key) {
    Subtree<Id> subtree(growth);
    growth.stop().check_after(rows.size() * growth.table().n_columns() * 16);
    subtree.block.load(growth.points(), std::move(rows));
    subtree.grow(0, key, 0);
}

void grow_tree(const Points& points, const Rules& rules, NodeKey key, Stop& stop, Tree& tree) {
    Growth growth(points, rules, stop, tree);
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < points.table().n_rows(); ++row)
        if (points.weight(row) > 0.0) rows.push_back(row);
    if (rows.empty()) return growth.make_leaf(0, 0.0, 0.0, 0.0);
    if (rows.size() <= BlockTraits<uint8_t>::kMostPoints)
        return grow_root<uint8_t>(growth, std::move(rows), key);
    if (rows.size() <= BlockTraits<uint16_t>::kMostPoints)
        return grow_root<uint16_t>(growth, std::move(rows), key);
    grow_root<uint32_t>(growth, std::move(rows), key);
}

/// The part of the columns that predictions need.
std::vector<ColumnLevels> levels_of(const Table& table) {
    std::vector<ColumnLevels> columns(table.n_columns());
    for (uint32_t j = 0; j < table.n_columns(); ++j) {
        const Column& column = table.column(j);
        columns[j].categorical = column.categorical;
        if (!column.categorical) continue;
        columns[j].levels = column.values;
        columns[j].counting = true;
        for (uint32_t code = 0; code < column.n_values(); ++code)
            columns[j].counting &= column.values[code] == static_cast<double>(code);
    }
    return columns;
}

}  // namespace

Forest grow(const Training& training, const Rules& rules, uint64_t seed, int threads, Stop& stop) {
    Forest forest{std::vector<Tree>(training.n_trees), levels_of(training.table)};
    parallel(training.n_trees, threads, stop, [&](size_t b) {
        grow_tree(Points(training, b), rules, NodeKey::root(seed, b), stop, forest.trees[b]);
    });
    return forest;
}

}  // namespace forest
