#include "table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace forest {
namespace {

constexpr uint32_t kEmpty = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kMostBins = 65536;  // bins are numbered by uint16_t

bool before(double a, double b) {
    return std::isnan(a) ? !std::isnan(b) : a < b;
}

/// A unique bit pattern for each value: all NaNs are one, and so are both zeros.
uint64_t pattern(double x) {
    return std::bit_cast<uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x + 0.0);
}

/// Numbers distinct values in order of appearance, by open addressing.
class Numbering {
public:
    uint32_t number(double x) {
        const uint64_t bits = pattern(x);
        size_t i = place(bits);
        for (; slots_[i].number != kEmpty; i = (i + 1) & (slots_.size() - 1))
            if (slots_[i].bits == bits) return slots_[i].number;
        const auto fresh = static_cast<uint32_t>(values_.size());
        slots_[i] = {bits, fresh};
        values_.push_back(std::bit_cast<double>(bits));
        if (2 * values_.size() > slots_.size()) enlarge();
        return fresh;
    }
    const std::vector<double>& values() const { return values_; }

private:
    struct Slot {
        uint64_t bits;
        uint32_t number;
    };
    size_t place(uint64_t bits) const { return (bits * 0x9e3779b97f4a7c15u) >> shift_; }
    void enlarge() {
        shift_ -= 2;
        const auto old = std::exchange(slots_, std::vector<Slot>(4 * slots_.size(), {0, kEmpty}));
        for (const Slot& slot : old) {
            if (slot.number == kEmpty) continue;
            size_t i = place(slot.bits);
            while (slots_[i].number != kEmpty) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = slot;
        }
    }

    int shift_ = 64 - 6;
    std::vector<Slot> slots_ = std::vector<Slot>(64, {0, kEmpty});
    std::vector<double> values_;
};

/// Writes the ranks of the values; returns the distinct values, ascending.
std::vector<double> rank(const std::vector<double>& x, std::vector<uint32_t>& codes) {
    Numbering numbering;
    for (size_t i = 0; i < x.size(); ++i) codes[i] = numbering.number(x[i]);
    const auto& values = numbering.values();
    std::vector<uint32_t> order(values.size()), rank_of(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return before(values[a], values[b]); });
    std::vector<double> ascending(values.size());
    for (uint32_t r = 0; r < order.size(); ++r) {
        ascending[r] = values[order[r]];
        rank_of[order[r]] = r;
    }
    for (auto& code : codes) code = rank_of[code];
    return ascending;
}

}  // namespace

Table::Table(const double* X, size_t n_rows, size_t n_columns, const bool* categorical, Stop& stop)
    : n_rows_(n_rows), columns_(n_columns) {
    constexpr size_t panel =
        8;  // columns copied out of the row-major X at a time: one cache line of each row
    std::vector<std::vector<double>> x(panel, std::vector<double>(n_rows));
    std::vector<uint32_t> codes(n_rows);
    for (size_t first = 0; first < n_columns; first += panel) {
        const size_t width = std::min(panel, n_columns - first);
        for (size_t i = 0; i < n_rows; ++i)
            for (size_t k = 0; k < width; ++k) x[k][i] = X[i * n_columns + first + k];
        for (size_t k = 0; k < width; ++k) {
            const auto j = static_cast<uint32_t>(first + k);
            columns_[j].categorical = categorical[j];
            columns_[j].values = rank(x[k], codes);
            place(j, codes);
            stop.check_after(n_rows * 64);
        }
    }
    bins_.resize(n_rows * narrow_.size());
    for (size_t i = 0; i < n_rows; ++i)
        for (size_t s = 0; s < narrow_.size(); ++s)
            bins_[i * narrow_.size() + s] =
                static_cast<uint16_t>(columns_[narrow_[s]].first_bin + narrow_codes_[s][i]);
    narrow_codes_.clear();
}

/// Stores a column's codes among the bins if it is narrow, otherwise in the column itself.
void Table::place(uint32_t j, const std::vector<uint32_t>& codes) {
    Column& column = columns_[j];
    if (column.n_values() > kNarrow || n_bins_ + column.n_values() > kMostBins) {
        column.codes = codes;
        return;
    }
    column.slot = static_cast<int32_t>(narrow_.size());
    column.first_bin = n_bins_;
    n_bins_ += column.n_values();
    narrow_.push_back(j);
    narrow_codes_.emplace_back(codes.begin(), codes.end());
}

}  // namespace forest
