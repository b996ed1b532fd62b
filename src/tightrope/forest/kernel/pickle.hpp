// The pickled state of a forest: every field as bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "tree.hpp"

namespace forest {

namespace nb = nanobind;

inline void require(bool holds, const std::string& message) {
    if (!holds) throw nb::value_error(message.c_str());
}

template <class T>
nb::bytes to_bytes(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
std::vector<T> from_bytes(nb::handle state) {
    const auto raw = nb::cast<nb::bytes>(state);
    require(raw.size() % sizeof(T) == 0, "damaged state of a forest");
    std::vector<T> values(raw.size() / sizeof(T));
    std::copy_n(raw.c_str(), raw.size(), reinterpret_cast<char*>(values.data()));
    return values;
}

inline nb::tuple state_of(const Forest& forest) {
    nb::list trees, columns;
    for (const Tree& t : forest.trees)
        trees.append(nb::make_tuple(to_bytes(t.nodes), to_bytes(t.points), to_bytes(t.costs),
                                    to_bytes(t.level_sets), to_bytes(t.level_entries), to_bytes(t.gains),
                                    to_bytes(t.noises)));
    for (const ColumnLevels& c : forest.columns)
        columns.append(nb::make_tuple(c.categorical, c.counting, to_bytes(c.levels)));
    return nb::make_tuple(trees, columns);
}

/// Children must come after their parents, so that a walk ends; all indices must exist.
inline bool is_sound(const Tree& tree, const std::vector<ColumnLevels>& columns) {
    const size_t n = tree.nodes.size();
    if (n == 0 || tree.points.size() != n || tree.gains.size() != columns.size()) return false;
    if (!tree.costs.empty() && tree.costs.size() != n) return false;
    if (!tree.noises.empty() && tree.noises.size() != n) return false;
    for (size_t i = 0; i < n; ++i) {
        const Node& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        const uint32_t column = node.split_column();
        if (column >= columns.size() || columns[column].categorical != node.is_categorical()) return false;
        if (node.left <= static_cast<int64_t>(i) || static_cast<size_t>(node.left) + 1 >= n) return false;
        if (!node.is_categorical()) continue;
        const bool pooled = (node.column & Node::kPooled) != 0;
        if (pooled == ((node.column & Node::kSet) != 0)) return false;
        if (pooled != (columns[column].levels.size() >= 64)) return false;
        if (pooled && std::bit_cast<uint64_t>(node.number) >= tree.level_sets.size()) return false;
    }
    for (const LevelSet& set : tree.level_sets) {
        const size_t n_entries = tree.level_entries.size();
        if (set.begin > n_entries || n_entries - set.begin < set.size) return false;
    }
    return true;
}

inline void restore(Forest& forest, const nb::tuple& state) {
    Forest read;
    require(nb::len(state) == 2, "damaged state of a forest");
    try {
        for (nb::handle t : nb::cast<nb::list>(state[0]))
            read.trees.push_back({from_bytes<Node>(t[0]), from_bytes<uint32_t>(t[1]),
                                  from_bytes<double>(t[2]), from_bytes<double>(t[6]),
                                  from_bytes<LevelSet>(t[3]), from_bytes<uint64_t>(t[4]),
                                  from_bytes<double>(t[5])});
        for (nb::handle c : nb::cast<nb::list>(state[1]))
            read.columns.push_back({nb::cast<bool>(c[0]), nb::cast<bool>(c[1]), from_bytes<double>(c[2])});
    } catch (const std::bad_cast&) {
        throw nb::value_error("damaged state of a forest");
    }
    for (const Tree& tree : read.trees) require(is_sound(tree, read.columns), "damaged state of a forest");
    new (&forest) Forest(std::move(read));
}

}  // namespace forest
