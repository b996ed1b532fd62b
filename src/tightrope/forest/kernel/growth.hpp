// A tree under construction, shared by its blocks.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "parallel.hpp"
#include "points.hpp"
#include "task.hpp"
#include "tree.hpp"

namespace forest {

/// The rules of growth.
struct Rules {
    uint32_t drawn_columns;                                     ///< columns searched in each node
    uint32_t min_split;                                         ///< fewest points of a node that may be split
    uint32_t min_leaf;                                          ///< fewest points on each side of a split
    uint32_t max_depth = std::numeric_limits<uint32_t>::max();  ///< most splits between the root and a leaf
    bool with_noise = false;  ///< whether leaves keep the variance of their targets

    size_t fewest_points() const { return std::max(size_t{min_split}, 2 * size_t{min_leaf}); }
};

class Growth {
public:
    Growth(const Points& points, const Rules& rules, Stop& stop, Tree& tree)
        : points_(points), rules_(rules), stop_(stop), tree_(tree), drawn_(points.table().n_columns()) {
        tree_.gains.assign(points.table().n_columns(), 0.0);
        add_nodes(1);
    }

    const Points& points() const { return points_; }
    const Table& table() const { return points_.table(); }
    const Rules& rules() const { return rules_; }
    Stop& stop() { return stop_; }

    /// Draws the columns to search in a node; is_drawn refers to the latest node.
    void draw_columns(NodeKey key) {
        const auto d = static_cast<uint32_t>(drawn_.size());
        const uint32_t dropped = d - rules_.drawn_columns;
        const bool mark = 2 * dropped > d;  // draw the smaller set: drawn or dropped columns
        std::fill(drawn_.begin(), drawn_.end(), !mark);
        uint32_t missing = mark ? rules_.drawn_columns : dropped;
        for (uint64_t i = 0; missing > 0; ++i) {
            uint8_t& column = drawn_[key.below(d, i)];
            missing -= column != mark;
            column = mark;
        }
    }
    bool is_drawn(uint32_t column) const { return drawn_[column] != 0; }

    void count_points(int32_t node, size_t n) { tree_.points[node] = static_cast<uint32_t>(n); }
    void make_leaf(int32_t node, double value, double cost, double noise) {
        tree_.nodes[node] = {value, -1, 0};
        if (rules_.with_noise) tree_.noises[node] = noise;
        if (points_.with_costs()) tree_.costs[node] = cost;
    }

    /// Both return the left child.
    int32_t split_ordered(const Task& task, uint32_t column, uint32_t below, uint32_t above) {
        const auto& values = table().column(column).values;
        return split(task, static_cast<int32_t>(column),
                     threshold(values[below], values[above], task.key.uniform()));
    }
    /// `entries`: code * 2 + goes left for each level present, ascending.
    int32_t split_levels(const Task& task, uint32_t column, const std::vector<uint64_t>& entries) {
        const uint32_t n_levels = table().column(column).n_values();
        const LevelSet set{task.key.absent_levels(), static_cast<uint32_t>(tree_.level_entries.size()),
                           static_cast<uint32_t>(entries.size())};
        if (n_levels >= 64) {  // with the code for unseen levels there are more than 64
            tree_.level_entries.insert(tree_.level_entries.end(), entries.begin(), entries.end());
            tree_.level_sets.push_back(set);
            const auto number = std::bit_cast<double>(uint64_t{tree_.level_sets.size() - 1});
            return split(task, static_cast<int32_t>(column) | Node::kPooled, number);
        }
        uint64_t bits = 0;
        for (uint64_t code = 0; code <= n_levels; ++code)
            bits |= uint64_t{set.absent.goes_left(code)} << code;
        for (const uint64_t entry : entries) {
            const uint64_t bit = uint64_t{1} << (entry / 2);
            bits = (entry & 1) != 0 ? bits | bit : bits & ~bit;
        }
        return split(task, static_cast<int32_t>(column) | Node::kSet, std::bit_cast<double>(bits));
    }
    void credit(uint32_t column, double gain) { tree_.gains[column] += gain; }

private:
    /// Uniform in [a, b); NaN lies below every number and never goes right.
    static double threshold(double a, double b, double u) {
        if (std::isnan(a)) return -std::numeric_limits<double>::infinity();
        const double t = a + u * (b - a);
        return t < b ? t : a;
    }
    int32_t split(const Task& task, int32_t column, double number) {
        const int32_t left = add_nodes(2);
        tree_.nodes[task.node] = {number, column, left};
        return left;
    }
    int32_t add_nodes(size_t n) {
        const size_t first = tree_.nodes.size();
        tree_.nodes.resize(first + n, {0.0, -1, 0});
        tree_.points.resize(first + n);
        if (points_.with_costs()) tree_.costs.resize(first + n);
        if (rules_.with_noise) tree_.noises.resize(first + n);
        return static_cast<int32_t>(first);
    }

    const Points& points_;
    const Rules& rules_;
    Stop& stop_;
    Tree& tree_;
    std::vector<uint8_t> drawn_;
};

}  // namespace forest
