// Grown trees in flat arrays.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "draws.hpp"
#include "table.hpp"

namespace forest {

/// A split or a leaf in 16 bytes. The children of a split are `left` and `left + 1`.
struct Node {
    double number;   ///< leaf: its value; ordered split: threshold; categorical: bits of the set of levels
    int32_t column;  ///< -1 for a leaf; otherwise the column and flags
    int32_t left;

    static constexpr int32_t kSet = 1 << 30;  ///< categorical with at most 64 codes: `number` is the set
    static constexpr int32_t kPooled =
        1 << 29;  ///< categorical with more: `number` is the number of its LevelSet
    static constexpr int32_t kColumn = kPooled - 1;

    bool is_leaf() const { return column < 0; }
    bool is_categorical() const { return (column & (kSet | kPooled)) != 0; }
    uint32_t split_column() const { return static_cast<uint32_t>(column & kColumn); }
};

/// What a leaf predicts: the mean of its targets or costs, the variance of its targets, or its own number.
enum class Quantity { kTarget, kCost, kNoise, kLeaf };

/// The sides of the levels present in a node, which may be far fewer than the column's levels.
struct LevelSet {
    AbsentLevels absent;
    uint32_t begin, size;  ///< of its entries in `level_entries`
};

struct Tree {
    std::vector<Node> nodes;
    std::vector<uint32_t> points;  ///< distinct training points that reached each node
    std::vector<double> costs;     ///< mean cost of each leaf's points; empty without costs
    std::vector<double> noises;    ///< variance of the targets within each leaf; empty if not wanted
    std::vector<LevelSet> level_sets;
    std::vector<uint64_t> level_entries;  ///< code * 2 + goes left, ascending in each set
    std::vector<double> gains;            ///< reduction of the squared error by column

    /// Whether the node sends a coded x left (see Forest::recode).
    bool goes_left(const Node& node, double x) const {
        if (!node.is_categorical()) return !(x > node.number);
        const auto code = std::bit_cast<uint64_t>(x);
        const auto bits = std::bit_cast<uint64_t>(node.number);
        if ((node.column & Node::kSet) != 0) return ((bits >> code) & 1) != 0;
        return goes_left(level_sets[bits], code);
    }
    bool goes_left(const LevelSet& set, uint64_t code) const {
        const auto first = level_entries.begin() + set.begin, last = first + set.size;
        const auto entry = std::lower_bound(first, last, 2 * code);
        if (entry == last || *entry / 2 != code) return set.absent.goes_left(code);
        return (*entry & 1) != 0;
    }
    double leaf(int32_t node, Quantity quantity) const {
        if (quantity == Quantity::kTarget) return nodes[node].number;
        if (quantity == Quantity::kLeaf) return node;
        return quantity == Quantity::kCost ? costs[node] : noises[node];
    }
};

/// The part of a column that is needed to encode new rows.
struct ColumnLevels {
    bool categorical = false;
    bool counting = false;       ///< the levels are 0, 1, 2, ...: a level is its own code
    std::vector<double> levels;  ///< sorted levels of a categorical column

    uint32_t code(double level) const;
};

struct Forest {
    std::vector<Tree> trees;
    std::vector<ColumnLevels> columns;

    /// Copies `n` values of columns first, first + 1, ...; a level becomes the double whose bits are its
    /// code.
    void recode(const double* x, double* out, size_t n, size_t first = 0) const;
};

}  // namespace forest
