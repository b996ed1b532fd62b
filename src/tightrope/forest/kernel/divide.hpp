// Applies a split: decides each point's side and divides the node's range between its children.
#pragma once

#include <utility>

#include "search.hpp"

namespace forest {

template <class Id>
class Division {
public:
    Division(Growth& growth, Block<Id>& block, Search<Id>& search)
        : growth_(growth), block_(block), search_(search) {}

    /// Adds the children to the tree; returns the left and the right one.
    std::pair<Task, Task> apply(const Split& split, const Task& task) {
        side_.resize(block_.size());
        const bool categorical = growth_.table().column(split.column).categorical;
        const int32_t node = categorical ? mark_levels(split, task) : mark_codes(split, task);
        growth_.count_points(task.node, task.size());
        growth_.credit(split.column, split.gain * task.total.w * task.gain_unit);
        return divide_ids(node, task);
    }

    /// Moves the sorted entries of both children, still sorted, into the other buffer.
    void divide_entries(const Level& level, const Task& task, size_t middle) {
        for (const uint32_t k : level.alive) {
            const Entry* from = block_.sorted_entries(k, task);
            Entry* to = block_.entries[1 - task.buffer].data() + block_.sorted[k].offset;
            size_t next_left = task.begin, next_right = middle;
            for (size_t i = 0; i < task.size(); ++i) {
                const size_t left = side_[Block<Id>::id_of(from[i])];
                to[left != 0 ? next_left : next_right] = from[i];
                next_left += left;
                next_right += 1 - left;
            }
        }
    }

private:
    using Entry = typename Block<Id>::Entry;

    int32_t mark_codes(const Split& split, const Task& task) {
        const auto cut = static_cast<uint32_t>(split.at);
        uint32_t below = 0, above = growth_.table().column(split.column).n_values() - 1;
        for (size_t i = task.begin; i < task.end; ++i) {
            const uint32_t code = block_.code(growth_.table(), split.column, block_.ids[i]);
            const bool left = code <= cut;
            side_[block_.ids[i]] = left;
            below = left ? std::max(below, code) : below;
            above = left ? above : std::min(above, code);
        }
        return growth_.split_ordered(task, split.column, below, above);
    }

    /// Sorts the levels of the chosen column again: cheaper than storing those of every column.
    int32_t mark_levels(const Split& split, const Task& task) {
        const Levels& levels = search_.levels(split.column, task);
        level_entries_.resize(levels.size());
        for (size_t i = 0; i < levels.size(); ++i)
            level_entries_[i] = 2 * uint64_t{levels.code(i)} + (i <= static_cast<size_t>(split.at));
        std::sort(level_entries_.begin(), level_entries_.end());
        if (growth_.table().column(split.column).narrow())
            mark_few_levels(split.column, task);
        else
            mark_many_levels(split.column, task);
        return growth_.split_levels(task, split.column, level_entries_);
    }

    void mark_few_levels(uint32_t column, const Task& task) {
        uint64_t goes_left = 0;
        for (const uint64_t entry : level_entries_) goes_left |= (entry & 1) << (entry / 2);
        for (size_t i = task.begin; i < task.end; ++i)
            side_[block_.ids[i]] = goes_left >> block_.code(growth_.table(), column, block_.ids[i]) & 1;
    }
    void mark_many_levels(uint32_t column, const Task& task) {
        for (size_t i = task.begin; i < task.end; ++i) {
            const uint64_t code = block_.code(growth_.table(), column, block_.ids[i]);
            side_[block_.ids[i]] =
                *std::lower_bound(level_entries_.begin(), level_entries_.end(), 2 * code) & 1;
        }
    }

    std::pair<Task, Task> divide_ids(int32_t node, const Task& task) {
        const uint8_t other = 1 - task.buffer;
        Task left{node, task.key.left(), task.begin, task.begin, {}, task.gain_unit, other, task.depth + 1};
        spare_ids_.resize(task.size());
        size_t n_right = 0;
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block_.ids[i];
            const bool goes_left = side_[id] != 0;
            block_.ids[left.end] = id;
            spare_ids_[n_right] = id;
            left.end += goes_left;
            n_right += !goes_left;
        }
        std::copy_n(spare_ids_.begin(), n_right, block_.ids.begin() + left.end);
        for (size_t i = left.begin; i < left.end; ++i) left.total += block_.sums[block_.ids[i]];
        return {left,
                {node + 1, task.key.right(), left.end, task.end, task.total - left.total, task.gain_unit,
                 other, task.depth + 1}};
    }

    Growth& growth_;
    Block<Id>& block_;
    Search<Id>& search_;
    std::vector<uint8_t> side_;  ///< of each id in the latest split: 1 left
    std::vector<uint64_t> level_entries_;
    std::vector<Id> spare_ids_;
};

}  // namespace forest
