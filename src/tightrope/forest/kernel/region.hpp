// The part of the config space that a path down a tree leads to, and its probability.
//
// Columns that conditions connect form a family; families are independent of each other. A column without
// conditions is a family of its own, and the probability of its cells is that of the family. In other
// families, it is summed over the classes of the columns that decide which others are active.
#pragma once

#include "cuts.hpp"

namespace forest {

/// The numbers of the families that the columns belong to.
std::vector<uint32_t> families_of(const std::vector<ConfigColumn>& columns);

/// Cells of a column, and a summand of a function on them.
struct Piece {
    Run cells;
    double value;
};
/// Cells of two columns, and a summand of a function on them.
struct Patch {
    Run first, second;
    double value;
};

class Region {
public:
    Region(const std::vector<ConfigColumn>& columns, const std::vector<uint32_t>& family);

    /// Gives all columns, or all but one, the value of the config that local importance is about.
    void fix_all();
    void release(uint32_t column) { fixed_[column] = false; }
    void fix(uint32_t column) { fixed_[column] = true; }

    /// Restricts the region to a side of a cut: 0 is the left one.
    void narrow(const Cut& cut, int side);
    /// Reverts the latest call of `narrow`.
    void widen();

    double probability() const { return probability_.back(); }
    const Families& touched() const { return touched_set_; }
    const std::vector<uint32_t>& touched_families() const { return touched_; }
    bool is_touched(uint32_t family) const { return restrictions_[family] > 0; }
    double probability_of(uint32_t family) const { return of_family_[family]; }
    /// The columns of a touched family on whose values the probability of the region depends.
    const std::vector<uint32_t>& relevant(uint32_t family);

    /// The family's probability given the value of one of its relevant columns, as a sum of pieces.
    void given(uint32_t column, std::vector<Piece>& out);
    /// The family's probability given the values of two of its relevant columns, as a sum of patches.
    void given(uint32_t first, uint32_t second, std::vector<Patch>& out);

private:
    static constexpr uint32_t kNone = ~uint32_t{0};
    struct Set {  // of a column's cells: `size` runs from `first`
        uint32_t first, size;
        bool nan;
    };
    struct Undo {
        uint32_t column;
        Set set;
        double of_family;
    };
    struct Case {  // of a column, given the classes of all deciding columns: at most one is 1, or both are 0
        double if_inside;  // the probability of its set is this where the value is in the set,
        double always;     // plus this
    };

    const ConfigColumn& column_at(uint32_t j) const { return (*columns_)[j]; }
    bool is_single(uint32_t family) const { return members_[family].size() == 1; }
    double mass(uint32_t column, Run cells) const;
    double mass_of_set(uint32_t column, Run cells) const;
    void intersect(Set& set, const std::vector<Run>& with);
    double compute(uint32_t family);

    template <class Visit>
    void each_case(Visit visit);
    Case case_of(uint32_t column) const;
    double factor(uint32_t column) const;
    double others(uint32_t skipped, uint32_t also_skipped) const;
    uint32_t n_blocks(uint32_t column) const { return decides_[column] ? column_at(column).n_classes() : 1; }
    Run block(uint32_t column, uint32_t k) const;
    template <class Add>
    void on_set(uint32_t column, Run cells, Add add) const;

    const std::vector<ConfigColumn>* columns_;
    const std::vector<uint32_t>* family_;
    std::vector<std::vector<uint32_t>> members_;  ///< of each family
    std::vector<char> fixed_;
    std::vector<Set> sets_;               ///< of each column
    std::vector<Run> runs_;               ///< of all sets, a stack
    std::vector<uint32_t> narrowed_;      ///< how often each column was narrowed
    std::vector<uint32_t> restrictions_;  ///< the same for each family
    std::array<uint32_t, Families::kBits> on_bit_{};
    std::vector<double> of_family_, probability_;
    std::vector<uint32_t> touched_;
    Families touched_set_;
    std::vector<Undo> undo_;

    std::vector<uint32_t> relevant_;  ///< of the family at hand
    std::vector<char> decides_;       ///< columns whose classes decide whether a narrowed one is active
    std::vector<uint32_t> class_;     ///< the class at hand of each such column
};

}  // namespace forest
