#include "region.hpp"

#include <numeric>

namespace forest {

std::vector<uint32_t> families_of(const std::vector<ConfigColumn>& columns) {
    std::vector<uint32_t> first(columns.size());  // a column of the same family, finally the smallest one
    std::iota(first.begin(), first.end(), 0u);
    const auto smallest = [&](uint32_t j) {
        while (first[j] != j) j = first[j] = first[first[j]];
        return j;
    };
    for (uint32_t j = 0; j < columns.size(); ++j)
        for (const uint32_t parent : columns[j].parents) {
            const uint32_t a = smallest(j), b = smallest(parent);
            first[std::max(a, b)] = std::min(a, b);
        }
    for (uint32_t j = 0; j < columns.size(); ++j) first[j] = smallest(j);
    return first;
}

Region::Region(const std::vector<ConfigColumn>& columns, const std::vector<uint32_t>& family)
    : columns_(&columns),
      family_(&family),
      members_(columns.size()),
      fixed_(columns.size(), false),
      sets_(columns.size()),
      narrowed_(columns.size(), 0),
      restrictions_(columns.size(), 0),
      of_family_(columns.size(), 1.0),
      probability_{1.0},
      decides_(columns.size(), false),
      class_(columns.size(), 0) {
    for (uint32_t j = 0; j < columns.size(); ++j) {
        members_[family[j]].push_back(j);
        sets_[j] = {j, 1, true};
        runs_.push_back({0, columns[j].n_cells()});
    }
}

void Region::fix_all() {
    std::fill(fixed_.begin(), fixed_.end(), true);
}

double Region::mass(uint32_t column, Run cells) const {
    const ConfigColumn& here = column_at(column);
    if (fixed_[column]) return cells.begin <= here.home && here.home < cells.end ? 1.0 : 0.0;
    return here.below[cells.end] - here.below[cells.begin];
}

template <class Add>
void Region::on_set(uint32_t column, Run cells, Add add) const {
    const Set& set = sets_[column];
    for (uint32_t i = set.first; i < set.first + set.size; ++i) {
        const Run common{std::max(runs_[i].begin, cells.begin), std::min(runs_[i].end, cells.end)};
        if (common.begin < common.end) add(common);
    }
}

double Region::mass_of_set(uint32_t column, Run cells) const {
    double sum = 0.0;
    on_set(column, cells, [&](Run run) { sum += mass(column, run); });
    return sum;
}

void Region::narrow(const Cut& cut, int side) {
    const uint32_t j = cut.column, f = (*family_)[j];
    undo_.push_back({j, sets_[j], of_family_[f]});
    intersect(sets_[j], cut.sides[side]);
    sets_[j].nan = sets_[j].nan && (side == 0) == cut.nan_left;
    ++narrowed_[j];
    if (restrictions_[f]++ == 0) {
        touched_.push_back(f);
        if (on_bit_[f % Families::kBits]++ == 0) touched_set_.add(f);
    }
    const double before = of_family_[f];
    of_family_[f] = compute(f);
    probability_.push_back(before > 0.0 ? probability_.back() / before * of_family_[f] : 0.0);
}

void Region::widen() {
    const Undo undo = undo_.back();
    undo_.pop_back();
    const uint32_t j = undo.column, f = (*family_)[j];
    runs_.resize(sets_[j].first);
    sets_[j] = undo.set;
    of_family_[f] = undo.of_family;
    probability_.pop_back();
    --narrowed_[j];
    if (--restrictions_[f] == 0) {
        touched_.pop_back();
        if (--on_bit_[f % Families::kBits] == 0) touched_set_.remove(f);
    }
}

void Region::intersect(Set& set, const std::vector<Run>& with) {
    const auto first = static_cast<uint32_t>(runs_.size());
    for (uint32_t i = set.first; i < set.first + set.size; ++i) {
        const Run own = runs_[i];
        for (const Run& run : with) {
            const Run common{std::max(own.begin, run.begin), std::min(own.end, run.end)};
            if (common.begin < common.end) runs_.push_back(common);
        }
    }
    set.first = first;
    set.size = static_cast<uint32_t>(runs_.size()) - first;
}

double Region::compute(uint32_t family) {
    if (is_single(family)) return mass_of_set(family, {0, column_at(family).n_cells()});
    relevant(family);
    double sum = 0.0;
    each_case([&] { sum += others(kNone, kNone); });
    return sum;
}

const std::vector<uint32_t>& Region::relevant(uint32_t family) {
    relevant_.clear();
    for (const uint32_t j : members_[family]) decides_[j] = false;
    for (const uint32_t j : members_[family]) {
        if (narrowed_[j] == 0) continue;
        for (const uint32_t parent : column_at(j).parents) decides_[parent] = true;
    }
    for (const uint32_t j : members_[family])
        if (narrowed_[j] > 0 || decides_[j]) relevant_.push_back(j);
    return relevant_;
}

/// Visits all combinations of the classes of the deciding columns.
template <class Visit>
void Region::each_case(Visit visit) {
    for (const uint32_t j : relevant_) class_[j] = 0;
    for (;;) {
        visit();
        size_t i = 0;
        for (; i < relevant_.size(); ++i) {
            const uint32_t j = relevant_[i];
            if (!decides_[j]) continue;
            if (++class_[j] < column_at(j).n_classes()) break;
            class_[j] = 0;
        }
        if (i == relevant_.size()) return;
    }
}

Region::Case Region::case_of(uint32_t column) const {
    const ConfigColumn& here = column_at(column);
    size_t place = 0;
    for (const uint32_t parent : here.parents) place = place * column_at(parent).n_classes() + class_[parent];
    if (here.parents.empty() || here.active[place] != 0) return {1.0, 0.0};
    return {0.0, sets_[column].nan ? 1.0 : 0.0};
}

Run Region::block(uint32_t column, uint32_t k) const {
    return decides_[column] ? column_at(column).of_class(k) : Run{0, column_at(column).n_cells()};
}

double Region::factor(uint32_t column) const {
    const Case here = case_of(column);
    const Run cells = block(column, class_[column]);
    return here.if_inside > 0.0 ? mass_of_set(column, cells) : here.always * mass(column, cells);
}

double Region::others(uint32_t skipped, uint32_t also_skipped) const {
    double product = 1.0;
    for (const uint32_t j : relevant_)
        if (j != skipped && j != also_skipped) product *= factor(j);
    return product;
}

void Region::given(uint32_t column, std::vector<Piece>& out) {
    out.clear();
    const uint32_t f = (*family_)[column];
    if (is_single(f)) return on_set(column, block(column, 0), [&](Run run) { out.push_back({run, 1.0}); });
    relevant(f);
    std::vector<Case> sums(n_blocks(column), Case{0.0, 0.0});
    each_case([&] {
        const double weight = others(column, kNone);
        const Case here = case_of(column);
        Case& sum = sums[decides_[column] ? class_[column] : 0];
        sum.if_inside += weight * here.if_inside;
        sum.always += weight * here.always;
    });
    for (uint32_t k = 0; k < sums.size(); ++k) {
        const Run cells = block(column, k);
        if (sums[k].always > 0.0) out.push_back({cells, sums[k].always});
        if (sums[k].if_inside > 0.0)
            on_set(column, cells, [&](Run run) { out.push_back({run, sums[k].if_inside}); });
    }
}

void Region::given(uint32_t first, uint32_t second, std::vector<Patch>& out) {
    out.clear();
    relevant((*family_)[first]);
    const uint32_t n_second = n_blocks(second);
    std::vector<std::array<double, 4>> sums(size_t{n_blocks(first)} * n_second);
    each_case([&] {
        const double weight = others(first, second);
        const Case a = case_of(first), b = case_of(second);
        auto& sum =
            sums[(decides_[first] ? class_[first] : 0) * n_second + (decides_[second] ? class_[second] : 0)];
        sum[0] += weight * a.if_inside * b.if_inside;
        sum[1] += weight * a.if_inside * b.always;
        sum[2] += weight * a.always * b.if_inside;
        sum[3] += weight * a.always * b.always;
    });
    for (uint32_t i = 0; i < sums.size(); ++i) {
        const auto& sum = sums[i];
        const Run left = block(first, i / n_second), right = block(second, i % n_second);
        const auto add = [&](Run a, Run b, double value) {
            if (value > 0.0) out.push_back({a, b, value});
        };
        on_set(first, left, [&](Run a) {
            on_set(second, right, [&](Run b) { add(a, b, sum[0]); });
            add(a, right, sum[1]);
        });
        on_set(second, right, [&](Run b) { add(left, b, sum[2]); });
        add(left, right, sum[3]);
    }
}

}  // namespace forest
