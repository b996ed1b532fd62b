// Interactions of two columns: what their joint effect adds to the sum of their main effects.
#pragma once

#include <utility>

#include "region.hpp"

namespace forest {

/// The probability of a region's family given the value of one column.
struct Given {
    uint32_t column, family;
    std::vector<Piece> pieces;
};

/// The cells of a column between the places where one tree splits it.
struct Axis {
    std::vector<uint32_t> place;  ///< for each cell at which one of them begins, its number
    std::vector<double> mass;

    Run at(Run cells) const { return {place[cells.begin], place[cells.end]}; }
};

/// A function of two columns' values.
class Grid {
public:
    Grid(const Axis& first, const Axis& second)
        : first_(&first), second_(&second), steps_((first.mass.size() + 1) * width(), 0.0) {}

    void add(Run first, Run second, double value) {
        const Run a = first_->at(first), b = second_->at(second);
        steps_[a.begin * width() + b.begin] += value;
        steps_[a.begin * width() + b.end] -= value;
        steps_[a.end * width() + b.begin] -= value;
        steps_[a.end * width() + b.end] += value;
    }

    /// The variance of what is left without the means of rows and columns.
    double variance() &&;

private:
    size_t width() const { return second_->mass.size() + 1; }
    void sum_up();

    const Axis* first_;
    const Axis* second_;
    std::vector<double> steps_;
};

class Interactions {
public:
    Interactions(const CutTree& tree, const std::vector<ConfigColumn>& columns,
                 const std::vector<std::pair<uint32_t, uint32_t>>& pairs);

    /// Adds a leaf, given the relevant columns of its region; `weight` is value times probability.
    void add(Region& region, const std::vector<Given>& relevant, double weight);
    std::vector<double> variances();

private:
    int32_t& grid_of(uint32_t a, uint32_t b) { return number_[a * axes_.size() + b]; }
    void add_independent(Grid& grid, const Given& a, const Given& b, double weight);

    std::vector<Axis> axes_;       ///< of each column; empty if it is in no pair
    std::vector<int32_t> number_;  ///< of the grid of columns a < b; -1: not asked for
    std::vector<Grid> grids_;
    std::vector<std::pair<uint32_t, uint32_t>> pairs_;
    std::vector<Patch> patches_;
};

}  // namespace forest
