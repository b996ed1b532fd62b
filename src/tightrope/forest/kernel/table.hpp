// The rows of X, coded once per data set: all trees and refits work on the codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace forest {

/// Most distinct values of a column that is kept as bins, row by row.
inline constexpr uint32_t kNarrow = 32;

struct Column {
    bool categorical = false;
    std::vector<double> values;   ///< distinct, ascending, NaN first; the code of a value is its index here
    int32_t slot = -1;            ///< position among the narrow columns, or -1
    uint32_t first_bin = 0;       ///< narrow columns share one row of bins; this one's begin here
    std::vector<uint32_t> codes;  ///< code of each row; empty for narrow columns

    uint32_t n_values() const { return static_cast<uint32_t>(values.size()); }
    bool narrow() const { return slot >= 0; }
};

class Table {
public:
    Table(const double* X, size_t n_rows, size_t n_columns, const bool* categorical, Stop& stop);

    size_t n_rows() const { return n_rows_; }
    uint32_t n_columns() const { return static_cast<uint32_t>(columns_.size()); }
    const Column& column(uint32_t j) const { return columns_[j]; }
    const std::vector<uint32_t>& narrow_columns() const { return narrow_; }
    uint32_t n_bins() const { return n_bins_; }
    /// Bins of a row, one for each narrow column: first_bin + code.
    const uint16_t* bins(size_t row) const { return bins_.data() + row * narrow_.size(); }

    uint32_t code(uint32_t j, size_t row) const {
        const Column& column = columns_[j];
        return column.narrow() ? bins(row)[column.slot] - column.first_bin : column.codes[row];
    }

private:
    void place(uint32_t j, const std::vector<uint32_t>& codes);

    size_t n_rows_;
    std::vector<Column> columns_;
    std::vector<uint32_t> narrow_;
    std::vector<std::vector<uint8_t>> narrow_codes_;  // only while coding
    uint32_t n_bins_ = 0;
    std::vector<uint16_t> bins_;
};

}  // namespace forest
