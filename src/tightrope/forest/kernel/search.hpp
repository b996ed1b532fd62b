// The search for the split of a node: the cut, among all columns drawn, that most reduces the squared error.
#pragma once

#include "block.hpp"
#include "growth.hpp"

namespace forest {

/// The data of a node that are kept while its children are grown.
struct Level {
    std::vector<Sum> histogram;   ///< of the narrow columns
    std::vector<uint32_t> alive;  ///< sorted columns that are not constant
};

/// Ordered column: codes up to `at` go left. Categorical: levels up to index `at` in the order of their
/// means.
struct Split {
    uint32_t column = 0;
    double gain = 0.0;
    int32_t at = -1;
    bool coarse = true;  ///< whether a finer unit might give another split

    bool found() const { return at >= 0; }
};

template <class Id>
class Search {
public:
    Search(Growth& growth, const Block<Id>& block) : growth_(growth), block_(block) {}

    Split best_split(const Task& task, Level& level) {
        growth_.draw_columns(task.key);
        drop_constant(level, task);
        for (const bool drawn : {true, false}) {
            Split best = largest_gain(task, level, drawn);
            if (!best.found()) best = gainless(task, drawn);
            if (best.found()) return best;
        }
        return {};
    }

    /// The levels of a categorical column present in a node, in the order of their means.
    const Levels& levels(uint32_t column, const Task& task) {
        if (growth_.table().column(column).narrow())
            take_few_levels(column, task);
        else
            take_many_levels(column, task);
        levels_.sort();
        return levels_;
    }

private:
    using Entry = typename Block<Id>::Entry;

    uint32_t min_leaf() const { return growth_.rules().min_leaf; }

    void drop_constant(Level& level, const Task& task) const {
        std::erase_if(level.alive, [&](uint32_t k) {
            const Entry* entries = block_.sorted_entries(k, task);
            return Block<Id>::rank_of(entries[0]) == Block<Id>::rank_of(entries[task.size() - 1]);
        });
    }

    Split largest_gain(const Task& task, const Level& level, bool drawn) {
        Split best;
        const auto look = [&](uint32_t column, auto search) {
            if (growth_.is_drawn(column) != drawn) return;
            Cut cut(task.total, task.size(), best.gain);
            search(cut);
            if (cut.at() < 0) return;
            const bool tie = cut.gain() <= best.gain * (1.0 + kTie);
            if (tie && task.key.column_hash(column) < task.key.column_hash(best.column)) return;
            best = {column, cut.gain(), cut.at(), cut.coarse()};
        };
        for (const NarrowColumn& column : block_.narrow)
            look(column.column, [&](Cut& cut) { search_narrow(column, level, task, cut); });
        for (const WideColumn& column : block_.wide)
            look(column.column, [&](Cut& cut) { search_wide(column, task, cut); });
        if (!level.alive.empty()) centre(task);
        for (const uint32_t k : level.alive)
            look(block_.sorted[k].column, [&](Cut& cut) { search_sorted(k, task, cut); });
        return best;
    }

    void search_narrow(const NarrowColumn& column, const Level& level, const Task& task, Cut& cut) {
        const Sum* bins = level.histogram.data() + column.first;
        if (min_leaf() > 1) {
            counts_.assign(column.size, 0);
            const uint32_t slot = static_cast<uint32_t>(&column - block_.narrow.data());
            for (size_t i = task.begin; i < task.end; ++i) ++counts_[block_.narrow_code(slot, block_.ids[i])];
        }
        search_bins(bins, column.size, column.categorical, task, cut);
    }

    void search_wide(const WideColumn& column, const Task& task, Cut& cut) {
        const uint16_t* codes = block_.codes.data() + column.offset;
        sums_.assign(column.size, Sum{});
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block_.ids[i];
            sums_[codes[id]] += block_.sums[id];
        }
        if (min_leaf() > 1) {
            counts_.assign(column.size, 0);
            for (size_t i = task.begin; i < task.end; ++i) ++counts_[codes[block_.ids[i]]];
        }
        search_bins(sums_.data(), column.size, column.categorical, task, cut);
    }

    /// `counts_` must hold the number of points in each bin if min_leaf > 1.
    void search_bins(const Sum* bins, uint32_t n_bins, bool categorical, const Task& task, Cut& cut) {
        const double mean = task.total.mean();
        const uint32_t* counts = min_leaf() > 1 ? counts_.data() : nullptr;
        if (categorical) {
            if (gain_of_levels_apart(bins, n_bins, mean) < cut.bar() * task.total.w) return;
            levels_.take(bins, counts, n_bins);
            search_levels(task, cut);
        } else if (counts != nullptr) {
            scan_bins(bins, counts, n_bins, mean, static_cast<uint32_t>(task.size()), min_leaf(), cut);
        } else {
            scan_bins(bins, n_bins, mean, cut);
        }
    }

    void search_levels(const Task& task, Cut& cut) {
        levels_.sort();
        levels_.scan(task.total.mean(), static_cast<uint32_t>(task.size()), min_leaf(), cut);
    }

    void centre(const Task& task) {
        centred_.resize(block_.size());
        const double mean = task.total.mean();
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block_.ids[i];
            centred_[id] = block_.sums[id].centred(mean);
        }
    }

    void search_sorted(uint32_t k, const Task& task, Cut& cut) {
        const Entry* entries = block_.sorted_entries(k, task);
        if (block_.sorted[k].categorical) {
            take_levels(entries, task.size());
            return search_levels(task, cut);
        }
        scan_sorted(entries, task.size(), cut);
        if (cut.at() >= 0)
            cut.relabel(
                block_.code(growth_.table(), block_.sorted[k].column, Block<Id>::id_of(entries[cut.at()])));
    }

    void scan_sorted(const Entry* entries, size_t n, Cut& cut) const {
        const size_t first = min_leaf() - 1, last = n - min_leaf();
        const Sum* sums = centred_.data();
        Sum left;
        Cut best = cut;
        for (size_t i = 0; i < first; ++i) left += sums[Block<Id>::id_of(entries[i])];
        for (size_t i = first; i < last; ++i) {
            left += sums[Block<Id>::id_of(entries[i])];
            if (best.beaten_by(left)) [[unlikely]] {
                // The processor cannot predict whether there is a gap: keep the compiler from testing it
                // first.
                asm volatile("");
                const bool gap = Block<Id>::rank_of(entries[i]) != Block<Id>::rank_of(entries[i + 1]);
                best.offer(left, gap, static_cast<int32_t>(i));
            }
        }
        cut = best;
    }

    void take_levels(const Entry* entries, size_t n) {
        levels_.clear();
        for (size_t i = 0; i < n;) {
            const uint32_t rank = Block<Id>::rank_of(entries[i]);
            Sum sum;
            uint32_t count = 0;
            for (; i < n && Block<Id>::rank_of(entries[i]) == rank; ++i, ++count)
                sum += block_.sums[Block<Id>::id_of(entries[i])];
            levels_.add(rank, sum, count);
        }
    }

    void take_few_levels(uint32_t column, const Task& task) {
        const uint32_t n = growth_.table().column(column).n_values();
        sums_.assign(n, Sum{});
        counts_.assign(n, 0);
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = block_.ids[i];
            const uint32_t code = block_.code(growth_.table(), column, id);
            sums_[code] += block_.sums[id];
            ++counts_[code];
        }
        levels_.take(sums_.data(), counts_.data(), n);
    }

    /// Sorts the points, because a column may have far more levels than the node has points.
    void take_many_levels(uint32_t column, const Task& task) {
        coded_.resize(task.size());
        for (size_t i = 0; i < coded_.size(); ++i) {
            const Id id = block_.ids[task.begin + i];
            coded_[i] = {block_.code(growth_.table(), column, id), id};
        }
        std::sort(coded_.begin(), coded_.end());
        levels_.clear();
        for (size_t i = 0; i < coded_.size();) {
            const uint32_t code = coded_[i].first;
            Sum sum;
            uint32_t count = 0;
            for (; i < coded_.size() && coded_[i].first == code; ++i, ++count)
                sum += block_.sums[coded_[i].second];
            levels_.add(code, sum, count);
        }
    }

    /// The split of a node of unequal targets in which no cut gains anything (such as XOR): the first cut of
    /// the column with the largest hash.
    Split gainless(const Task& task, bool drawn) {
        Split best;
        for (uint32_t j = 0; j < growth_.table().n_columns(); ++j) {
            if (growth_.is_drawn(j) != drawn) continue;
            if (best.found() && task.key.column_hash(j) < task.key.column_hash(best.column)) continue;
            const bool categorical = growth_.table().column(j).categorical;
            const int32_t at =
                categorical ? levels(j, task).first_cut(task.size(), min_leaf()) : first_code(j, task);
            if (at >= 0) best = {j, 0.0, at};
        }
        return best;
    }

    /// The lowest code after which a column may be cut, or -1.
    int32_t first_code(uint32_t column, const Task& task) {
        std::vector<uint32_t> codes(task.size());
        for (size_t i = 0; i < codes.size(); ++i)
            codes[i] = block_.code(growth_.table(), column, block_.ids[task.begin + i]);
        std::sort(codes.begin(), codes.end());
        size_t i = min_leaf();
        while (i < codes.size() && codes[i] == codes[i - 1]) ++i;
        return i + min_leaf() <= codes.size() ? static_cast<int32_t>(codes[i - 1]) : -1;
    }

    Growth& growth_;
    const Block<Id>& block_;
    std::vector<Sum> centred_;  ///< of each id of the latest node
    std::vector<Sum> sums_;
    std::vector<std::pair<uint32_t, Id>> coded_;
    std::vector<uint32_t> counts_;
    Levels levels_;
};

}  // namespace forest
