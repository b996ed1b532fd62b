// Grows the nodes of one block; nodes that fit a smaller block are grown there.
#pragma once

#include <memory>
#include <type_traits>

#include "divide.hpp"

namespace forest {

template <class Id>
class Subtree {
public:
    explicit Subtree(Growth& growth) : growth_(growth) {}

    Block<Id> block;

    /// Grows the subtree of a node whose points are all points of the (loaded) block.
    void grow(int32_t node, NodeKey key, uint32_t depth) {
        Task task{node, key, 0, block.size(), {}, NAN, 0, depth};
        block.refine(task);
        Level& level = level_at(0);
        level.alive.resize(block.sorted.size());
        std::iota(level.alive.begin(), level.alive.end(), 0u);
        if (!may_split(task)) return;
        fill(level.histogram, task);
        descend(task, 0);
    }

private:
    /// Recurses into the smaller child and loops on the larger, so that the recursion stays shallow.
    void descend(Task task, size_t depth) {
        for (;;) {
            growth_.stop().check_after(task.size() * growth_.table().n_columns() * 4);
            Level& level = level_at(depth);
            Split split = search_.best_split(task, level);
            if (split.coarse && split.found() && block.refine(task)) {
                fill(level.histogram, task);
                split = search_.best_split(task, level);
            }
            if (!split.found()) return make_leaf(task);
            const auto [left, right] = division_.apply(split, task);
            const bool left_splits = may_split(left), right_splits = may_split(right);
            if (left_splits || right_splits) division_.divide_entries(level, task, left.end);
            const bool left_here = left_splits && !grow_in_smaller(left, level);
            const bool right_here = right_splits && !grow_in_smaller(right, level);
            if (!left_here && !right_here) return;
            const bool left_smaller = left.size() <= right.size();
            const Task& smaller = left_smaller ? left : right;
            const Task& larger = left_smaller ? right : left;
            if (left_here && right_here) {
                Level& below = level_at(depth + 1);
                below.alive = level.alive;
                fill(below.histogram, smaller);
                for (uint32_t b = 0; b < block.n_bins; ++b) level.histogram[b] -= below.histogram[b];
                descend(smaller, depth + 1);
                task = larger;
            } else if (left_here == left_smaller) {
                fill(level.histogram, smaller);
                task = smaller;
            } else {
                add_rows(level.histogram, smaller, -1.0);
                task = larger;
            }
        }
    }

    Level& level_at(size_t depth) {
        while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
        return *levels_[depth];
    }

    /// Whether a node may be split; if not, makes it a leaf.
    bool may_split(const Task& task) {
        if (task.size() >= growth_.rules().fewest_points() && task.depth < growth_.rules().max_depth) {
            const double first = block.targets[block.ids[task.begin]];
            for (size_t i = task.begin + 1; i < task.end; ++i)
                if (block.targets[block.ids[i]] != first) return true;
        }
        make_leaf(task);
        return false;
    }

    void make_leaf(const Task& task) {
        const Points& points = growth_.points();
        const double first = block.targets[block.ids[task.begin]];
        double weight = 0.0, excess = 0.0, cost = 0.0, square = 0.0;
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            weight += block.weights[id];
            const double step = block.targets[id] - first;
            excess += block.weights[id] * step;
            square += block.weights[id] * step * step;
            if (points.with_costs()) cost += block.weights[id] * points.cost(block.rows[id]);
        }
        growth_.count_points(task.node, task.size());
        const double shift = excess / weight, size = static_cast<double>(task.size());
        const double variance = std::max(0.0, square / weight - shift * shift);
        // Unbiased, as if points had equal weights. A single point says nothing about the noise.
        const double noise = size > 1 ? variance * size / (size - 1) : 0.0;
        growth_.make_leaf(task.node, first + shift, cost / weight, noise);
    }

    /// Grows the node in a smaller block if it fits; returns whether it did.
    bool grow_in_smaller(const Task& task, const Level& parent) {
        if constexpr (kHasSmaller) {
            if (task.size() > BlockTraits<Id>::kMostInSmaller) return false;
            if (!smaller_) smaller_ = std::make_unique<Smaller>(growth_);
            smaller_->block.load(growth_.points(), block, task, parent.alive);
            smaller_->grow(task.node, task.key, task.depth);
            return true;
        }
        return false;
    }

    void fill(std::vector<Sum>& histogram, const Task& task) {
        histogram.assign(block.n_bins, Sum{});
        add_rows(histogram, task, 1.0);
    }
    /// Row by row, all columns at once: consecutive additions are independent of each other.
    void add_rows(std::vector<Sum>& histogram, const Task& task, double sign) {
        const size_t width = block.narrow.size();
        Sum* h = histogram.data();
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            const Sum sum{sign * block.sums[id].y, sign * block.sums[id].w};
            const uint16_t* row = block.bins.data() + id * width;
            for (size_t k = 0; k < width; ++k) h[row[k]] += sum;
        }
    }

    static constexpr bool kHasSmaller = sizeof(Id) > 1;
    using Smaller = Subtree<std::conditional_t<sizeof(Id) == 4, uint16_t, uint8_t>>;

    Growth& growth_;
    Search<Id> search_{growth_, block};
    Division<Id> division_{growth_, block, search_};
    std::vector<std::unique_ptr<Level>> levels_;
    std::conditional_t<kHasSmaller, std::unique_ptr<Smaller>, std::nullptr_t> smaller_{};
};

}  // namespace forest
