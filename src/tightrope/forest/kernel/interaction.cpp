#include "interaction.hpp"

namespace forest {
namespace {

Axis axis_of(const CutTree& tree, const ConfigColumn& column, uint32_t number) {
    std::vector<char> begins(column.n_cells() + 1, false);
    for (const uint32_t first : column.classes) begins[first] = true;
    for (const Cut& cut : tree.cuts) {
        if (cut.column != number) continue;
        for (const auto& side : cut.sides)
            for (const Run& run : side) begins[run.begin] = begins[run.end] = true;
    }
    Axis axis;
    uint32_t before = 0;
    for (uint32_t cell = 0; cell <= column.n_cells(); ++cell) {
        if (begins[cell] && cell > 0) {
            axis.mass.push_back(column.below[cell] - column.below[before]);
            before = cell;
        }
        axis.place.push_back(static_cast<uint32_t>(axis.mass.size()));
    }
    return axis;
}

}  // namespace

void Grid::sum_up() {
    const size_t n = first_->mass.size(), m = second_->mass.size();
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < m; ++k) {
            double& here = steps_[i * width() + k];
            if (i > 0) here += steps_[(i - 1) * width() + k];
            if (k > 0) here += steps_[i * width() + k - 1];
            if (i > 0 && k > 0) here -= steps_[(i - 1) * width() + k - 1];
        }
}

double Grid::variance() && {
    sum_up();
    const auto &rows = first_->mass, &columns = second_->mass;
    std::vector<double> of_row(rows.size(), 0.0), of_column(columns.size(), 0.0);
    double mean = 0.0;
    for (size_t i = 0; i < rows.size(); ++i)
        for (size_t k = 0; k < columns.size(); ++k) {
            const double value = steps_[i * width() + k];
            of_row[i] += columns[k] * value;
            of_column[k] += rows[i] * value;
            mean += rows[i] * columns[k] * value;
        }
    double sum = 0.0;
    for (size_t i = 0; i < rows.size(); ++i)
        for (size_t k = 0; k < columns.size(); ++k) {
            const double left = steps_[i * width() + k] - of_row[i] - of_column[k] + mean;
            sum += rows[i] * columns[k] * left * left;
        }
    return sum;
}

Interactions::Interactions(const CutTree& tree, const std::vector<ConfigColumn>& columns,
                           const std::vector<std::pair<uint32_t, uint32_t>>& pairs)
    : axes_(columns.size()), number_(columns.size() * columns.size(), -1), pairs_(pairs) {
    for (const auto& [a, b] : pairs)
        for (const uint32_t j : {a, b})
            if (axes_[j].place.empty()) axes_[j] = axis_of(tree, columns[j], j);
    for (const auto& [a, b] : pairs) {
        grid_of(std::min(a, b), std::max(a, b)) = static_cast<int32_t>(grids_.size());
        grids_.emplace_back(axes_[std::min(a, b)], axes_[std::max(a, b)]);
    }
}

void Interactions::add(Region& region, const std::vector<Given>& relevant, double weight) {
    if (grids_.empty()) return;
    for (const Given& a : relevant)
        for (const Given& b : relevant) {
            const int32_t number = a.column < b.column ? grid_of(a.column, b.column) : -1;
            if (number < 0) continue;
            const double without_a = weight / region.probability_of(a.family);
            if (a.family != b.family) {
                add_independent(grids_[number], a, b, without_a / region.probability_of(b.family));
                continue;
            }
            region.given(a.column, b.column, patches_);
            for (const Patch& patch : patches_)
                grids_[number].add(patch.first, patch.second, without_a * patch.value);
        }
}

void Interactions::add_independent(Grid& grid, const Given& a, const Given& b, double weight) {
    for (const Piece& first : a.pieces)
        for (const Piece& second : b.pieces)
            grid.add(first.cells, second.cells, weight * first.value * second.value);
}

std::vector<double> Interactions::variances() {
    std::vector<double> out;
    for (Grid& grid : grids_) out.push_back(std::move(grid).variance());
    return out;
}

}  // namespace forest
