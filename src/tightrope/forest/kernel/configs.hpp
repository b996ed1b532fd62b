// How configs are distributed: the measure that importance integrates over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forest {

/// Cells begin .. end - 1 of a column.
struct Run {
    uint32_t begin, end;
};

/// One config column. Its values are cut into cells that no split and no condition divides. Every column is
/// drawn independently; one that its parents make inactive is then NaN, whatever was drawn.
struct ConfigColumn {
    bool categorical = false;
    std::vector<double> edges;      ///< ordered: cell i holds the values in (edges[i - 1], edges[i]]
    std::vector<double> levels;     ///< categorical: the level in each cell
    std::vector<double> below;      ///< probability of the cells before each cell; the last entry is 1
    std::vector<uint32_t> classes;  ///< first cell of each class, and the number of cells: conditions of
                                    ///< other columns do not distinguish values of a class
    std::vector<uint32_t> parents;  ///< all columns that decide whether this one is active
    std::vector<uint8_t> active;    ///< for each combination of their classes, that of the last one fastest
    uint32_t home = 0;              ///< cell of the config that local importance is about

    uint32_t n_cells() const { return static_cast<uint32_t>(below.size()) - 1; }
    uint32_t n_classes() const { return static_cast<uint32_t>(classes.size()) - 1; }
    Run of_class(uint32_t k) const { return {classes[k], classes[k + 1]}; }
};

}  // namespace forest
