// Grows the nodes of one block, and hands nodes that fit a smaller block on.
#pragma once

#include <memory>
#include <utility>

#include "block.hpp"
#include "growth.hpp"

namespace forest {

template <class Id>
class Subtree;
template <class Id>
struct SmallerSubtree {
    using type = Subtree<std::conditional_t<sizeof(Id) == 4, uint16_t, uint8_t>>;
};
template <>
struct SmallerSubtree<uint8_t> {
    using type = std::nullptr_t;
};

template <class Id>
class Subtree {
   public:
    using Entry = typename Block<Id>::Entry;
    using Smaller = typename SmallerSubtree<Id>::type;

    explicit Subtree(Growth& growth) : growth_(growth) {}

    Block<Id> block;

    /// Grows everything below a node whose points are all the points of the (loaded) block.
    void grow(int32_t node, NodeKey key) {
        Task task{node, key, 0, block.size(), {}};
        for (const Sum& sum : block.sums) task.total += sum;
        side_.resize(block.size());
        spare_entries_.resize(block.size());
        Level& level = level_at(0);
        level.alive.resize(block.sorted.size());
        for (uint32_t k = 0; k < level.alive.size(); ++k) level.alive[k] = k;
        if (!may_split(task)) return make_leaf(task);
        fill(level.histogram, task.begin, task.end);
        descend(task, 0);
    }

   private:
    /// What is kept of a node while its children are grown.
    struct Level {
        std::vector<Sum> histogram;   ///< of the narrow columns
        std::vector<uint32_t> alive;  ///< sorted columns that are not constant
    };
    enum class Form : uint8_t { none, narrow, wide, sorted, by_code };
    struct Split {
        Form form = Form::none;
        uint32_t index = 0;   ///< among the columns of its form; the table's column for by_code
        uint32_t column = 0;
        double gain = 0.0;
        int32_t at = -1;      ///< last bin, code, entry or level that goes left
    };

    // ---- the loop ----

    /// Recurses into the smaller child and loops on the larger, so that the recursion stays shallow.
    void descend(Task task, size_t depth) {
        for (;;) {
            growth_.stop().after(task.size() * growth_.table().n_columns() * 4);
            Level& level = level_at(depth);
            const Split split = best_split(task, level);
            if (split.form == Form::none) return make_leaf(task);
            auto [left, right] = apply(split, task, level);
            const bool left_open = opens(left), right_open = opens(right);
            if (left_open || right_open) partition_entries(level, task, left.end);
            const bool left_here = left_open && !hand_on(left), right_here = right_open && !hand_on(right);
            if (!left_here && !right_here) return;
            const bool left_smaller = left.size() <= right.size();
            const Task& smaller = left_smaller ? left : right;
            const Task& larger = left_smaller ? right : left;
            if (left_here && right_here) {
                Level& below = level_at(depth + 1);
                fill(below.histogram, smaller.begin, smaller.end);
                for (uint32_t b = 0; b < block.n_bins; ++b) level_at(depth).histogram[b] -= below.histogram[b];
                below.alive = level_at(depth).alive;
                descend(smaller, depth + 1);
                task = larger;
            } else if (left_here == left_smaller) {
                fill(level.histogram, smaller.begin, smaller.end);
                task = smaller;
            } else {
                take_out(level.histogram, smaller.begin, smaller.end);
                task = larger;
            }
        }
    }

    Level& level_at(size_t depth) {
        while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
        return *levels_[depth];
    }

    bool may_split(const Task& task) const {
        if (task.size() < growth_.rules().fewest_points()) return false;
        const double first = block.targets[block.ids[task.begin]];
        for (size_t i = task.begin + 1; i < task.end; ++i)
            if (block.targets[block.ids[i]] != first) return true;
        return false;
    }
    bool opens(const Task& task) {
        const bool open = may_split(task);
        if (!open) make_leaf(task);
        return open;
    }

    void make_leaf(const Task& task) {
        growth_.count_points(task.node, task.size());
        const double first = block.targets[block.ids[task.begin]];
        double weight = 0.0, excess = 0.0, cost = 0.0;
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            weight += block.weights[id];
            excess += block.weights[id] * (block.targets[id] - first);
            if (growth_.points().with_costs()) cost += block.weights[id] * growth_.points().cost(block.rows[id]);
        }
        growth_.make_leaf(task.node, first + excess / weight, cost / weight);
    }

    bool hand_on(const Task& task) {
        if constexpr (!std::is_same_v<Smaller, std::nullptr_t>) {
            if (task.size() > BlockTraits<Id>::kHandOn) return false;
            if (!smaller_) smaller_ = std::make_unique<Smaller>(growth_);
            smaller_->block.load(growth_.points(), block, task.begin, task.end);
            smaller_->grow(task.node, task.key);
            return true;
        } else {
            return false;
        }
    }

    // ---- histograms of the narrow columns ----

    void fill(std::vector<Sum>& histogram, size_t begin, size_t end) {
        histogram.assign(block.n_bins, Sum{});
        add_rows(histogram, begin, end, 1.0);
    }
    void take_out(std::vector<Sum>& histogram, size_t begin, size_t end) { add_rows(histogram, begin, end, -1.0); }
    void add_rows(std::vector<Sum>& histogram, size_t begin, size_t end, double sign) {
        const size_t width = block.narrow.size();
        Sum* h = histogram.data();
        for (size_t i = begin; i < end; ++i) {
            const Id id = block.ids[i];
            const Sum sum{sign * block.sums[id].y, sign * block.sums[id].w};
            const uint16_t* row = block.bins.data() + id * width;
            for (size_t k = 0; k < width; ++k) h[row[k]] += sum;
        }
    }

    // ---- searching ----

    Split best_split(const Task& task, Level& level) {
        growth_.draw_columns(task.key);
        drop_constant(level, task);
        for (const bool drawn : {true, false}) {
            Split best = search(task, level, drawn);
            if (best.form == Form::none) best = gainless(task, drawn);
            if (best.form != Form::none) return best;
        }
        return {};
    }

    void drop_constant(Level& level, const Task& task) {
        std::erase_if(level.alive, [&](uint32_t k) {
            const Entry* entries = block.entries.data() + block.sorted[k].offset;
            return Block<Id>::rank_of(entries[task.begin]) == Block<Id>::rank_of(entries[task.end - 1]);
        });
    }

    Split search(const Task& task, const Level& level, bool drawn) {
        Split best;
        for (uint32_t k = 0; k < block.narrow.size(); ++k) {
            if (growth_.is_drawn(block.narrow[k].column) != drawn) continue;
            Cut cut(task.total, best.gain);
            search_narrow(k, level, task, cut);
            keep_better(best, {Form::narrow, k, block.narrow[k].column, cut.gain(), cut.at()}, task.key);
        }
        for (uint32_t k = 0; k < block.wide.size(); ++k) {
            if (growth_.is_drawn(block.wide[k].column) != drawn) continue;
            Cut cut(task.total, best.gain);
            search_wide(k, task, cut);
            keep_better(best, {Form::wide, k, block.wide[k].column, cut.gain(), cut.at()}, task.key);
        }
        for (const uint32_t k : level.alive) {
            if (growth_.is_drawn(block.sorted[k].column) != drawn) continue;
            Cut cut(task.total, best.gain);
            search_sorted(k, task, cut);
            keep_better(best, {Form::sorted, k, block.sorted[k].column, cut.gain(), cut.at()}, task.key);
        }
        return best;
    }

    static void keep_better(Split& best, const Split& split, NodeKey key) {
        if (split.at < 0) return;
        const bool tie = split.gain <= best.gain * (1.0 + kTie);
        if (tie && key.column_hash(split.column) < key.column_hash(best.column)) return;
        best = split;
    }

    void search_narrow(uint32_t k, const Level& level, const Task& task, Cut& cut) {
        const NarrowColumn& column = block.narrow[k];
        const Sum* bins = level.histogram.data() + column.first;
        if (min_leaf() > 1) count_narrow(k, task);
        if (column.categorical) {
            collect_levels(bins, column.size);
            search_levels(task, cut);
        } else if (min_leaf() > 1) {
            scan_bins(bins, counts_.data(), column.size, points_of(task), min_leaf(), cut);
        } else {
            scan_bins(bins, column.size, cut);
        }
    }

    void search_wide(uint32_t k, const Task& task, Cut& cut) {
        const WideColumn& column = block.wide[k];
        sum_wide(k, task);
        if (column.categorical) {
            collect_levels(wide_sums_.data(), column.size);
            search_levels(task, cut);
        } else if (min_leaf() > 1) {
            scan_bins(wide_sums_.data(), counts_.data(), column.size, points_of(task), min_leaf(), cut);
        } else {
            scan_bins(wide_sums_.data(), column.size, cut);
        }
    }

    void search_sorted(uint32_t k, const Task& task, Cut& cut) {
        if (block.sorted[k].categorical) {
            collect_sorted_levels(k, task);
            return search_levels(task, cut);
        }
        const Entry* entries = block.entries.data() + block.sorted[k].offset + task.begin;
        const size_t last = task.size() - min_leaf(), first = min_leaf() - 1;
        const Sum* sums = block.sums.data();
        Sum left;
        Cut best = cut;
        for (size_t i = 0; i < first; ++i) left += sums[Block<Id>::id_of(entries[i])];
        for (size_t i = first; i < last; ++i) {
            left += sums[Block<Id>::id_of(entries[i])];
            const bool gap = (entries[i] ^ entries[i + 1]) >> Block<Id>::kIdBits != 0;
            best.offer(left, gap, static_cast<int32_t>(i));
        }
        cut = best;
    }

    /// A node whose every cut gains exactly nothing (think of XOR) is split all the same: at the lowest cut of the
    /// column whose hash is largest.
    Split gainless(const Task& task, bool drawn) {
        Split best;
        std::vector<uint32_t> codes(task.size());
        for (uint32_t j = 0; j < growth_.table().n_columns(); ++j) {
            if (growth_.is_drawn(j) != drawn) continue;
            if (best.at >= 0 && task.key.column_hash(j) < task.key.column_hash(best.column)) continue;
            for (size_t i = 0; i < codes.size(); ++i)
                codes[i] = growth_.table().code(j, block.rows[block.ids[task.begin + i]]);
            std::sort(codes.begin(), codes.end());
            size_t i = min_leaf();
            while (i < codes.size() && codes[i] == codes[i - 1]) ++i;
            if (i + min_leaf() <= codes.size())
                best = {Form::by_code, j, j, 0.0, static_cast<int32_t>(codes[i - 1])};
        }
        return best;
    }

    // ---- levels and sums of a column ----

    uint32_t min_leaf() const { return growth_.rules().min_leaf; }
    static uint32_t points_of(const Task& task) { return static_cast<uint32_t>(task.size()); }

    void collect_levels(const Sum* bins, uint32_t n) {
        levels_found_.clear();
        for (uint32_t b = 0; b < n; ++b)
            if (bins[b].w > 0.0) levels_found_.add(b, bins[b], min_leaf() > 1 ? counts_[b] : 1);
    }
    void collect_sorted_levels(uint32_t k, const Task& task) {
        levels_found_.clear();
        const Entry* entries = block.entries.data() + block.sorted[k].offset;
        for (size_t i = task.begin; i < task.end;) {
            const uint32_t rank = Block<Id>::rank_of(entries[i]);
            Sum sum;
            uint32_t count = 0;
            for (; i < task.end && Block<Id>::rank_of(entries[i]) == rank; ++i, ++count)
                sum += block.sums[Block<Id>::id_of(entries[i])];
            levels_found_.add(rank, sum, count);
        }
    }
    void search_levels(const Task& task, Cut& cut) {
        if (levels_found_.size() < 2 || levels_found_.hopeless(cut, task.total)) return;
        levels_found_.sort();
        levels_found_.scan(points_of(task), min_leaf(), cut);
    }

    void count_narrow(uint32_t k, const Task& task) {
        counts_.assign(block.narrow[k].size, 0);
        for (size_t i = task.begin; i < task.end; ++i) ++counts_[narrow_code(k, block.ids[i])];
    }
    void sum_wide(uint32_t k, const Task& task) {
        const WideColumn& column = block.wide[k];
        const uint16_t* codes = block.codes.data() + column.offset;
        wide_sums_.assign(column.size, Sum{});
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            wide_sums_[codes[id]] += block.sums[id];
        }
        if (min_leaf() == 1) return;
        counts_.assign(column.size, 0);
        for (size_t i = task.begin; i < task.end; ++i) ++counts_[codes[block.ids[i]]];
    }
    uint32_t narrow_code(uint32_t k, Id id) const {
        return block.bins[id * block.narrow.size() + k] - block.narrow[k].first;
    }

    // ---- carrying a split out ----

    std::pair<Task, Task> apply(const Split& split, const Task& task, const Level& level) {
        const int32_t node = mark_sides(split, task, level);
        growth_.count_points(task.node, task.size());
        growth_.credit(split.column, split.gain * task.total.w * block.gain_unit);
        Task left{node, task.key.left(), task.begin, task.begin, {}};
        spare_ids_.clear();
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            if (side_[id] != 0) {
                left.total += block.sums[id];
                block.ids[left.end++] = id;
            } else {
                spare_ids_.push_back(id);
            }
        }
        std::copy(spare_ids_.begin(), spare_ids_.end(), block.ids.begin() + left.end);
        return {left, {node + 1, task.key.right(), left.end, task.end, task.total - left.total}};
    }

    int32_t mark_sides(const Split& split, const Task& task, const Level& level) {
        const bool categorical = growth_.table().column(split.column).categorical;
        if (split.form == Form::sorted && !categorical) return mark_sorted(split, task);
        if (categorical && split.form != Form::by_code) return mark_levels(split, task, level);
        switch (split.form) {
            case Form::narrow:
                return mark_codes(split, task, [&](Id id) { return narrow_code(split.index, id); });
            case Form::wide:
                return mark_codes(split, task,
                                  [&](Id id) { return block.codes[block.wide[split.index].offset + id]; });
            default:
                return mark_codes(split, task, [&](Id id) { return table_code(split.column, id); });
        }
    }
    uint32_t table_code(uint32_t column, Id id) const { return growth_.table().code(column, block.rows[id]); }

    int32_t mark_sorted(const Split& split, const Task& task) {
        const Entry* entries = block.entries.data() + block.sorted[split.index].offset + task.begin;
        for (size_t i = 0; i < task.size(); ++i)
            side_[Block<Id>::id_of(entries[i])] = i <= static_cast<size_t>(split.at);
        return growth_.split_ordered(task, split.column, table_code(split.column, Block<Id>::id_of(entries[split.at])),
                                     table_code(split.column, Block<Id>::id_of(entries[split.at + 1])));
    }

    template <class CodeOf>
    int32_t mark_codes(const Split& split, const Task& task, CodeOf code_of) {
        const Column& column = growth_.table().column(split.column);
        const auto cut = static_cast<uint32_t>(split.at);
        uint32_t below = 0, above = column.n_values() - 1;
        for (size_t i = task.begin; i < task.end; ++i) {
            const uint32_t code = code_of(block.ids[i]);
            const bool left = code <= cut;
            side_[block.ids[i]] = left;
            if (left)
                below = std::max(below, code);
            else
                above = std::min(above, code);
        }
        if (!column.categorical) return growth_.split_ordered(task, split.column, below, above);
        level_sides_.assign(column.n_values(), Growth::kAbsent);
        for (size_t i = task.begin; i < task.end; ++i) level_sides_[code_of(block.ids[i])] = side_[block.ids[i]];
        return growth_.split_levels(task, split.column, level_sides_);
    }

    int32_t mark_levels(const Split& split, const Task& task, const Level& level) {
        collect_again(split, task, level);
        level_sides_.assign(growth_.table().column(split.column).n_values(), Growth::kAbsent);
        for (size_t i = 0; i < levels_found_.size(); ++i)
            level_sides_[levels_found_.code(i)] = i <= static_cast<size_t>(split.at);
        if (split.form == Form::sorted) return mark_sorted_levels(split, task);
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block.ids[i];
            side_[id] = level_sides_[split.form == Form::narrow ? narrow_code(split.index, id)
                                                                : block.codes[block.wide[split.index].offset + id]];
        }
        return growth_.split_levels(task, split.column, level_sides_);
    }

    /// Here levels were found by rank in the block: the split needs codes.
    int32_t mark_sorted_levels(const Split& split, const Task& task) {
        const Entry* entries = block.entries.data() + block.sorted[split.index].offset;
        for (size_t i = task.begin; i < task.end; ++i)
            side_[Block<Id>::id_of(entries[i])] = level_sides_[Block<Id>::rank_of(entries[i])];
        std::fill(level_sides_.begin(), level_sides_.end(), Growth::kAbsent);
        for (size_t i = task.begin; i < task.end; ++i)
            level_sides_[table_code(split.column, block.ids[i])] = side_[block.ids[i]];
        return growth_.split_levels(task, split.column, level_sides_);
    }

    /// The winner's levels once more, in the order of the cut: cheaper than keeping every column's.
    void collect_again(const Split& split, const Task& task, const Level& level) {
        if (min_leaf() > 1 && split.form == Form::narrow) count_narrow(split.index, task);
        if (split.form == Form::wide) sum_wide(split.index, task);
        if (split.form == Form::sorted)
            collect_sorted_levels(split.index, task);
        else if (split.form == Form::narrow)
            collect_levels(level.histogram.data() + block.narrow[split.index].first, block.narrow[split.index].size);
        else
            collect_levels(wide_sums_.data(), block.wide[split.index].size);
        levels_found_.sort();
    }

    void partition_entries(const Level& level, const Task& task, size_t middle) {
        for (const uint32_t k : level.alive) {
            Entry* entries = block.entries.data() + block.sorted[k].offset;
            size_t kept = task.begin, moved = 0;
            for (size_t i = task.begin; i < task.end; ++i) {
                const Entry entry = entries[i];
                const uint8_t left = side_[Block<Id>::id_of(entry)];
                entries[kept] = entry;
                spare_entries_[moved] = entry;
                kept += left;
                moved += 1u - left;
            }
            std::copy_n(spare_entries_.data(), moved, entries + middle);
        }
    }

    Growth& growth_;
    std::vector<std::unique_ptr<Level>> levels_;
    std::unique_ptr<std::conditional_t<std::is_same_v<Smaller, std::nullptr_t>, int, Smaller>> smaller_;
    std::vector<uint8_t> side_;  ///< of each id in the latest split: 1 left
    std::vector<Id> spare_ids_;
    std::vector<Entry> spare_entries_;
    std::vector<Sum> wide_sums_;
    std::vector<uint32_t> counts_;
    std::vector<uint8_t> level_sides_;
    Levels levels_found_;
};

}  // namespace forest
