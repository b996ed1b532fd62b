#include "table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "draws.hpp"

namespace forest {
namespace {

constexpr uint32_t kEmpty = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kMostBins = 65536;  // bins are numbered by uint16_t

bool before(double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; }

/// One bit pattern for each value: a single NaN, a single zero.
uint64_t pattern(double x) {
    if (std::isnan(x)) return std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
    return std::bit_cast<uint64_t>(x + 0.0);
}

/// Numbers distinct values in order of appearance, by open addressing.
class Numbering {
   public:
    uint32_t number(double x) {
        const uint64_t bits = pattern(x);
        size_t i = mix(bits) & mask_;
        while (slots_[i] != kEmpty) {
            if (patterns_[slots_[i]] == bits) return slots_[i];
            i = (i + 1) & mask_;
        }
        const auto fresh = static_cast<uint32_t>(patterns_.size());
        slots_[i] = fresh;
        patterns_.push_back(bits);
        if (2 * patterns_.size() > slots_.size()) enlarge();
        return fresh;
    }
    const std::vector<uint64_t>& patterns() const { return patterns_; }

   private:
    void enlarge() {
        slots_.assign(4 * slots_.size(), kEmpty);
        mask_ = slots_.size() - 1;
        for (uint32_t k = 0; k < patterns_.size(); ++k) {
            size_t i = mix(patterns_[k]) & mask_;
            while (slots_[i] != kEmpty) i = (i + 1) & mask_;
            slots_[i] = k;
        }
    }

    std::vector<uint32_t> slots_ = std::vector<uint32_t>(64, kEmpty);
    std::vector<uint64_t> patterns_;
    size_t mask_ = 63;
};

/// Replaces column values by their ranks; returns the distinct values, ascending.
std::vector<double> rank(const std::vector<double>& x, std::vector<uint32_t>& codes) {
    Numbering numbering;
    for (size_t i = 0; i < x.size(); ++i) codes[i] = numbering.number(x[i]);
    const auto& patterns = numbering.patterns();
    std::vector<std::pair<double, uint32_t>> distinct(patterns.size());
    for (uint32_t k = 0; k < patterns.size(); ++k) distinct[k] = {std::bit_cast<double>(patterns[k]), k};
    std::sort(distinct.begin(), distinct.end(), [](auto& a, auto& b) { return before(a.first, b.first); });
    std::vector<double> values(distinct.size());
    std::vector<uint32_t> rank_of(distinct.size());
    for (uint32_t r = 0; r < distinct.size(); ++r) {
        values[r] = distinct[r].first;
        rank_of[distinct[r].second] = r;
    }
    for (auto& code : codes) code = rank_of[code];
    return values;
}

}  // namespace

Table::Table(const double* X, size_t n_rows, size_t n_columns, const bool* categorical)
    : n_rows_(n_rows), columns_(n_columns) {
    constexpr size_t panel = 8;  // columns copied out of the row-major X at a time: one cache line of each row
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
        }
    }
    bins_.resize(n_rows * narrow_.size());
    for (size_t i = 0; i < n_rows; ++i)
        for (size_t s = 0; s < narrow_.size(); ++s)
            bins_[i * narrow_.size() + s] =
                static_cast<uint16_t>(columns_[narrow_[s]].first_bin + narrow_codes_[s][i]);
    narrow_codes_.clear();
}

/// Keeps a column's codes where trees look for them: among the bins, or in the column itself.
void Table::place(uint32_t j, std::vector<uint32_t> codes) {
    Column& column = columns_[j];
    if (column.n_values() > kNarrow || n_bins_ + column.n_values() > kMostBins) {
        column.codes = std::move(codes);
        return;
    }
    column.slot = static_cast<int32_t>(narrow_.size());
    column.first_bin = n_bins_;
    n_bins_ += column.n_values();
    narrow_.push_back(j);
    narrow_codes_.push_back(std::move(codes));
}

}  // namespace forest
