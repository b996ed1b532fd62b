// The points of a subtree in compact numbering.
//
// A block numbers its points 0 .. size - 1 with the smallest integer type that holds them. It copies the data
// of each column in the form that is cheapest for nodes of its size:
//   narrow  few distinct values: bins, row by row, to be summed for all columns in one pass over the points
//   wide    more, but not many more than the block's smallest nodes have points: codes, column by column
//   sorted  the rest: (rank, id) entries in ascending order, kept sorted as nodes are partitioned
// Targets are rounded to whole multiples of the block's own unit, so a wide range in larger nodes costs small
// nodes no digits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "points.hpp"
#include "scan.hpp"
#include "task.hpp"

namespace forest {

template <class Id>
struct BlockTraits;
template <>
struct BlockTraits<uint8_t> {
    using Entry = uint16_t;
    static constexpr size_t kMostPoints = 256;
    static constexpr uint32_t kMostWide = 0;
};
template <>
struct BlockTraits<uint16_t> {
    using Entry = uint32_t;
    static constexpr size_t kMostPoints = 65536;
    static constexpr uint32_t kMostWide = 1024;
    static constexpr size_t kMostInSmaller = 256;  ///< points of a node that fits a smaller block
};
template <>
struct BlockTraits<uint32_t> {
    using Entry = uint64_t;
    static constexpr size_t kMostPoints = uint64_t{1} << 32;
    static constexpr uint32_t kMostWide = 32768;
    static constexpr size_t kMostInSmaller = 65536;
};

struct NarrowColumn {
    uint32_t column;
    bool categorical;
    uint32_t first, size;  ///< its bins
};

struct WideColumn {
    uint32_t column;
    bool categorical;
    uint32_t size;
    size_t offset;  ///< where its codes begin
};

struct SortedColumn {
    uint32_t column;
    bool categorical;
    size_t offset;  ///< where its entries begin
};

template <class Id>
class Block {
public:
    using Traits = BlockTraits<Id>;
    using Entry = typename Traits::Entry;
    static constexpr int kIdBits = 8 * sizeof(Id);
    static Id id_of(Entry entry) { return static_cast<Id>(entry); }
    static uint32_t rank_of(Entry entry) { return static_cast<uint32_t>(entry >> kIdBits); }

    std::vector<uint32_t> rows;
    std::vector<double> targets, weights;
    std::vector<Sum> sums;  ///< of each point, in the block's units
    std::vector<Id> ids;    ///< a node is a range of these

    std::vector<NarrowColumn> narrow;  ///< in the table's order
    std::vector<uint16_t> bins;        ///< of each point, a row for each
    uint32_t n_bins = 0;
    std::vector<WideColumn> wide;
    std::vector<uint16_t> codes;
    std::vector<SortedColumn> sorted;
    std::array<std::vector<Entry>, 2>
        entries;  ///< children are written to the other buffer than their parent

    size_t size() const { return rows.size(); }
    uint32_t narrow_code(uint32_t slot, Id id) const {
        return bins[id * narrow.size() + slot] - narrow[slot].first;
    }
    /// The table's code of a point in any column.
    uint32_t code(const Table& table, uint32_t j, Id id) const {
        const Column& column = table.column(j);
        return column.narrow() ? narrow_code(static_cast<uint32_t>(column.slot), id) : column.codes[rows[id]];
    }
    /// A node's entries of one sorted column.
    const Entry* sorted_entries(uint32_t k, const Task& task) const {
        return entries[task.buffer].data() + sorted[k].offset + task.begin;
    }

    /// Loads these rows of the table as points.
    void load(const Points& points, std::vector<uint32_t> new_rows) {
        rows = std::move(new_rows);
        read_points(points);
        load_columns(points.table(), [&](const Column& column, uint32_t) {
            sort_or_copy(column, [&](size_t i) { return column.codes[rows[i]]; });
        });
    }

    /// Loads a node of a larger block, reusing its sorted entries of the columns that are alive (ascending).
    /// Other columns are constant in the node, and their entries are not kept in order.
    template <class Larger>
    void load(const Points& points, const Larger& from, const Task& task,
              const std::vector<uint32_t>& alive) {
        const size_t begin = task.begin;
        rows.resize(task.size());
        std::vector<Id>& new_id = new_id_;
        new_id.resize(from.size());
        for (size_t i = 0; i < rows.size(); ++i) {
            rows[i] = from.rows[from.ids[begin + i]];
            new_id[from.ids[begin + i]] = static_cast<Id>(i);
        }
        read_points(points);
        size_t w = 0;
        uint32_t s = 0;
        load_columns(points.table(), [&](const Column& column, uint32_t j) {
            if (w < from.wide.size() && from.wide[w].column == j) {
                const uint16_t* code = from.codes.data() + from.wide[w++].offset;
                sort_or_copy(column, [&](size_t i) { return code[from.ids[begin + i]]; });
                return;
            }
            if (std::binary_search(alive.begin(), alive.end(), s))
                take_sorted(from.sorted_entries(s, task), Larger::rank_of, Larger::id_of);
            else
                take_constant();
            ++s;
        });
    }

    /// Rounds the targets of a node in a finer unit; false if the current unit is fine enough.
    bool refine(Task& task) {
        double low = INFINITY, high = -INFINITY, weight = 0.0;
        for (size_t i = task.begin; i < task.end; ++i) {
            low = std::min(low, targets[ids[i]]);
            high = std::max(high, targets[ids[i]]);
            weight += weights[ids[i]];
        }
        // Sums of whole numbers of this unit stay below 2^52, so they are exact in any order.
        const double middle = low / 2 + high / 2, reach = high / 2 - low / 2;
        const double scale = std::ldexp(1.0, std::min(1000, 51 - exponent(reach) - exponent(weight)));
        const double weight_scale = weighted_ ? std::ldexp(1.0, 51 - exponent(weight)) : 1.0;
        const double gain_unit = weight_scale / scale / scale;
        if (task.gain_unit <= gain_unit * kFiner) return false;
        task.gain_unit = gain_unit;
        task.total = {};
        for (size_t i = task.begin; i < task.end; ++i) {
            const Id id = ids[i];
            const double y = (targets[id] - middle) * scale;
            // Rounded before counts multiply, so points of equal targets have equal means for all counts.
            sums[id].y = weighted_ ? std::rint(y * weights[id]) : std::rint(y) * weights[id];
            sums[id].w = std::max(1.0, std::rint(weights[id] * weight_scale));
            task.total += sums[id];
        }
        return true;
    }

private:
    static constexpr double kFiner = 256.0;
    bool weighted_ = false;

    void read_points(const Points& points) {
        const size_t n = rows.size();
        targets.resize(n);
        weights.resize(n);
        sums.resize(n);
        ids.resize(n);
        for (size_t i = 0; i < n; ++i) {
            ids[i] = static_cast<Id>(i);
            targets[i] = points.target(rows[i]);
            weights[i] = points.weight(rows[i]);
        }
        weighted_ = points.weighted();
    }
    static int exponent(double x) {
        int e = 0;
        std::frexp(x, &e);
        return e;
    }

    template <class Other>
    void load_columns(const Table& table, Other other) {
        load_narrow(table);
        wide.clear();
        codes.clear();
        sorted.clear();
        entries[0].clear();
        for (uint32_t j = 0; j < table.n_columns(); ++j) {
            const Column& column = table.column(j);
            if (column.narrow()) continue;
            if (column.n_values() <= Traits::kMostWide)
                wide.push_back({j, column.categorical, column.n_values(), codes.size()});
            else
                sorted.push_back({j, column.categorical, entries[0].size()});
            other(column, j);
        }
        entries[1].resize(entries[0].size());
    }

    void load_narrow(const Table& table) {
        narrow.clear();
        n_bins = table.n_bins();
        for (const uint32_t j : table.narrow_columns()) {
            const Column& column = table.column(j);
            narrow.push_back({j, column.categorical, column.first_bin, column.n_values()});
        }
        bins.resize(rows.size() * narrow.size());
        for (size_t i = 0; i < rows.size(); ++i)
            std::copy_n(table.bins(rows[i]), narrow.size(), bins.data() + i * narrow.size());
    }

    template <class CodeOf>
    void sort_or_copy(const Column& column, CodeOf code_of) {
        const size_t n = rows.size();
        if (column.n_values() <= Traits::kMostWide) {
            const size_t offset = codes.size();
            codes.resize(offset + n);
            for (size_t i = 0; i < n; ++i) codes[offset + i] = static_cast<uint16_t>(code_of(i));
        } else {
            code_.resize(n);
            for (size_t i = 0; i < n; ++i) code_[i] = code_of(i);
            sort_by_code(column.n_values());
        }
    }

    /// Counting sort over the codes that occur; a bitmap lists them in ascending order.
    void sort_by_code(uint32_t n_values) {
        present_.assign(n_values / 64 + 1, 0);
        if (ranks_.size() < n_values) ranks_.resize(n_values);
        for (const uint32_t code : code_) present_[code / 64] |= uint64_t{1} << (code % 64);
        uint32_t rank = 0;
        for (size_t k = 0; k < present_.size(); ++k)
            for (uint64_t word = present_[k]; word != 0; word &= word - 1)
                ranks_[64 * k + static_cast<size_t>(std::countr_zero(word))] = rank++;
        starts_.assign(rank + 1, 0);
        for (uint32_t& code : code_) {
            code = ranks_[code];
            ++starts_[code + 1];
        }
        for (uint32_t r = 0; r < rank; ++r) starts_[r + 1] += starts_[r];
        Entry* out = add_entries();
        for (size_t i = 0; i < code_.size(); ++i)
            out[starts_[code_[i]]++] = static_cast<Entry>(static_cast<Entry>(code_[i]) << kIdBits | i);
    }

    template <class LargerEntry, class RankOf, class IdOf>
    void take_sorted(const LargerEntry* from, RankOf rank_of_larger, IdOf id_of_larger) {
        Entry* out = add_entries();
        Entry rank = 0;
        for (size_t i = 0; i < rows.size(); ++i) {
            rank =
                static_cast<Entry>(rank + (i > 0 && rank_of_larger(from[i]) != rank_of_larger(from[i - 1])));
            out[i] = static_cast<Entry>(static_cast<Entry>(rank << kIdBits) | new_id_[id_of_larger(from[i])]);
        }
    }

    void take_constant() {
        Entry* out = add_entries();
        for (size_t i = 0; i < rows.size(); ++i) out[i] = static_cast<Entry>(i);
    }

    Entry* add_entries() {
        entries[0].resize(entries[0].size() + rows.size());
        return entries[0].data() + entries[0].size() - rows.size();
    }

    std::vector<Id> new_id_;
    std::vector<uint64_t> present_;
    std::vector<uint32_t> code_, ranks_, starts_;
};

}  // namespace forest
