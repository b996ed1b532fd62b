// A collapsed tree, prepared for integration: its splits in terms of cells.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>

#include "collapse.hpp"
#include "configs.hpp"

namespace forest {

/// A set of families (see Region), or of several that share a bit.
struct Families {
    static constexpr uint32_t kBits = 256;
    std::array<uint64_t, kBits / 64> words{};

    void add(uint32_t family) { words[family % kBits / 64] |= uint64_t{1} << (family % 64); }
    void remove(uint32_t family) { words[family % kBits / 64] &= ~(uint64_t{1} << (family % 64)); }
    void join(const Families& other) {
        for (size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    }
    bool meets(const Families& other) const {
        uint64_t common = 0;
        for (size_t i = 0; i < words.size(); ++i) common |= words[i] & other.words[i];
        return common != 0;
    }
};

/// The cells on each side of a split on a config column.
struct Cut {
    uint32_t column = 0;
    bool nan_left = true;
    std::array<std::vector<Run>, 2> sides;
};

/// The nodes of a collapsed tree, children before parents; the root is the last one.
struct CutTree {
    std::vector<CollapsedNode> nodes;
    std::vector<Cut> cuts;           ///< of the splits
    std::vector<int32_t> cut_of;     ///< number of each node's cut; -1 if it is no split
    std::vector<Families> families;  ///< of the columns that are split at or below each node

    bool is_leaf(int32_t at) const { return nodes[at].kind == CollapsedNode::Kind::leaf; }
    bool is_split(int32_t at) const { return nodes[at].kind == CollapsedNode::Kind::split; }
    int32_t root() const { return static_cast<int32_t>(nodes.size()) - 1; }
};

inline Cut cut_of(const Forest& forest, const Tree& tree, const Node& split, const ConfigColumn& column) {
    const uint32_t n = column.n_cells();
    Cut cut{split.split_column(), true, {}};
    if (!split.is_categorical()) {
        const auto edge = std::lower_bound(column.edges.begin(), column.edges.end(), split.number);
        if (edge == column.edges.end() || *edge != split.number)
            throw std::invalid_argument("a threshold is not among the edges of its column");
        const auto middle = static_cast<uint32_t>(edge - column.edges.begin()) + 1;
        cut.sides[0] = {{0, middle}};
        cut.sides[1] = {{middle, n}};
        return cut;
    }
    const auto goes_left = [&](double level) {
        const uint64_t code = forest.columns[cut.column].code(level);
        return tree.goes_left(split, std::bit_cast<double>(code));
    };
    for (uint32_t cell = 0; cell < n; ++cell) {
        auto& runs = cut.sides[goes_left(column.levels[cell]) ? 0 : 1];
        if (!runs.empty() && runs.back().end == cell)
            ++runs.back().end;
        else
            runs.push_back({cell, cell + 1});
    }
    cut.nan_left = goes_left(std::numeric_limits<double>::quiet_NaN());
    return cut;
}

inline CutTree cut_tree(const Forest& forest, const Tree& tree, std::vector<CollapsedNode> nodes,
                        const std::vector<ConfigColumn>& columns, const std::vector<uint32_t>& family) {
    CutTree out{std::move(nodes), {}, {}, {}};
    out.cut_of.assign(out.nodes.size(), -1);
    out.families.resize(out.nodes.size());
    for (size_t i = 0; i < out.nodes.size(); ++i) {
        const CollapsedNode& node = out.nodes[i];
        if (node.kind == CollapsedNode::Kind::leaf) continue;
        out.families[i].join(out.families[node.left]);
        out.families[i].join(out.families[node.right]);
        if (node.kind != CollapsedNode::Kind::split) continue;
        const uint32_t column = node.original.split_column();
        out.families[i].add(family[column]);
        out.cut_of[i] = static_cast<int32_t>(out.cuts.size());
        out.cuts.push_back(cut_of(forest, tree, node.original, columns[column]));
    }
    return out;
}

}  // namespace forest
