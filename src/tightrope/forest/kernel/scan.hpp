// Finding the cut of one column that most reduces the squared error.
//
//   y, w   sums of weighted targets and of weights, whole numbers held in doubles, so that adding is exact
//   S, W   the node's totals;  SL, WL  those left of a cut;  mean = S / W
//   c      SL - WL * mean, what the left side has above its share
//   gain   c^2 / (WL * WR); times W it is the reduction of the weighted squared error
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forest {

/// Gains closer than this (relative) count as equal.
inline constexpr double kTie = 1e-10;

struct Sum {
    double y = 0.0, w = 0.0;

    Sum& operator+=(const Sum& other) {
        y += other.y;
        w += other.w;
        return *this;
    }
    Sum& operator-=(const Sum& other) {
        y -= other.y;
        w -= other.w;
        return *this;
    }
    friend Sum operator-(Sum a, const Sum& b) { return a -= b; }
};

/// The best cut so far of one column: everything up to and including position `at` goes left.
class Cut {
   public:
    /// `beat`: the best gain of other columns; a column that only ties with it is found as well.
    Cut(const Sum& total, double beat) : total_(total), mean_(total.y / total.w), bar_(beat * (1.0 - kTie)) {}

    void offer(const Sum& left, bool allowed, int32_t at) {
        const double c = left.y - left.w * mean_;
        const double right_w = total_.w - left.w;
        const double square = c * c, product = left.w * right_w;
        // Multiplied out, so that the division is left to the few that pass.
        if ((square > bar_ * product) & allowed & (right_w > 0.0)) [[unlikely]] {
            gain_ = square / product;
            bar_ = gain_ * (1.0 + kTie);
            at_ = at;
        }
    }
    bool found() const { return at_ >= 0; }
    double gain() const { return gain_; }
    int32_t at() const { return at_; }
    double mean() const { return mean_; }
    double bar() const { return bar_; }

   private:
    Sum total_;
    double mean_, bar_;
    double gain_ = 0.0;
    int32_t at_ = -1;
};

/// Cuts between neighbouring bins. Empty bins need no care: a cut after one equals the cut before it.
inline void scan_bins(const Sum* bins, uint32_t n_bins, Cut& cut) {
    Sum left;
    Cut best = cut;
    for (uint32_t b = 0; b + 1 < n_bins; ++b) {
        left += bins[b];
        best.offer(left, true, static_cast<int32_t>(b));
    }
    cut = best;
}

/// The same when each side must hold at least `min_leaf` points.
inline void scan_bins(const Sum* bins, const uint32_t* counts, uint32_t n_bins, uint32_t n_points,
                      uint32_t min_leaf, Cut& cut) {
    Sum left;
    uint32_t n_left = 0;
    for (uint32_t b = 0; b + 1 < n_bins; ++b) {
        left += bins[b];
        n_left += counts[b];
        cut.offer(left, n_left >= min_leaf && n_points - n_left >= min_leaf, static_cast<int32_t>(b));
    }
}

/// The levels of a categorical column that are present in a node, in the order of their mean targets.
class Levels {
   public:
    void clear() { levels_.clear(); }
    void add(uint32_t code, const Sum& sum, uint32_t count) {
        levels_.push_back({sum.y / sum.w, code, count, sum});
    }
    size_t size() const { return levels_.size(); }
    uint32_t code(size_t i) const { return levels_[i].code; }
    Sum sum(size_t i) const { return levels_[i].sum; }
    uint32_t count(size_t i) const { return levels_[i].count; }

    /// No cut can gain more than setting every level apart; if even that is below the bar, spare the sorting.
    bool hopeless(const Cut& cut, const Sum& total) const {
        double apart = 0.0;
        for (const auto& level : levels_) {
            const double c = level.sum.y - level.sum.w * cut.mean();
            apart += c * c / level.sum.w;
        }
        return apart * (1.0 + 1e-9) < cut.bar() * total.w;
    }
    void sort() {
        for (size_t i = 1; i < levels_.size(); ++i) {
            const Level level = levels_[i];
            size_t k = i;
            for (; k > 0 && level.mean < levels_[k - 1].mean; --k) levels_[k] = levels_[k - 1];
            levels_[k] = level;
        }
    }
    void scan(uint32_t n_points, uint32_t min_leaf, Cut& cut) const {
        Sum left;
        uint32_t n_left = 0;
        for (size_t i = 0; i + 1 < levels_.size(); ++i) {
            left += levels_[i].sum;
            n_left += levels_[i].count;
            const bool allowed = n_left >= min_leaf && n_points - n_left >= min_leaf;
            cut.offer(left, allowed, static_cast<int32_t>(i));
        }
    }

   private:
    struct Level {
        double mean;
        uint32_t code, count;
        Sum sum;
    };
    std::vector<Level> levels_;
};

}  // namespace forest
