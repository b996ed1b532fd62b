// The search for the cut of one column that most reduces the squared error.
//
//   y, w   sums of weighted targets and of weights, whole numbers held in doubles, so that adding is exact
//   S, W   the node's totals;  SL, WL  those left of a cut;  mean = S / W
//   c      SL - WL * mean, the excess of the left side over its share; the sum of `centred` targets
//   gain   c^2 / (WL * WR); times W it is the reduction of the weighted squared error
#pragma once

#include <algorithm>
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
    /// The sum with targets measured from the node's mean.
    Sum centred(double mean) const { return {y - w * mean, w}; }
    double mean() const { return y / w; }
    friend Sum operator-(Sum a, const Sum& b) { return a -= b; }
};

/// The best cut so far of one column: everything up to and including position `at` goes left.
class Cut {
public:
    /// `beat`: the best gain of other columns; a cut that ties with it is found as well.
    Cut(const Sum& total, size_t n_points, double beat)
        : w_(total.w), noise_(static_cast<double>(n_points * n_points)), bar_(beat * (1.0 - kTie)) {}

    /// `left.y` is c: sums of centred targets.
    void offer(const Sum& left, bool allowed, int32_t at) {
        const double right_w = w_ - left.w;
        const double square = left.y * left.y, product = left.w * right_w;
        // Multiplied out, so that only the few cuts that pass need the division. Tested first, because the
        // processor cannot predict the other conditions.
        if (square > bar_ * product) [[unlikely]] {
            if (!allowed || square <= noise_ || right_w <= 0.0) return;
            gain_ = square / product;
            bar_ = gain_ * (1.0 + kTie);
            coarse_ = square < noise_ * kCoarse;
            at_ = at;
        }
    }
    bool beaten_by(const Sum& left) const { return left.y * left.y > bar_ * (left.w * (w_ - left.w)); }
    /// Replaces the position of the cut by another label.
    void relabel(uint32_t at) { at_ = static_cast<int32_t>(at); }
    double gain() const { return gain_; }
    /// Whether the unit of the sums is so coarse that rounding may have decided the cut.
    bool coarse() const { return coarse_; }
    int32_t at() const { return at_; }
    double bar() const { return bar_; }

private:
    static constexpr double kCoarse = 0x1.0p40;
    double w_;
    double noise_;  ///< c is exact to about one unit per point: a square up to this is rounding
    double bar_;
    double gain_ = 0.0;
    int32_t at_ = -1;
    bool coarse_ = true;
};

/// Cuts between neighbouring bins. Empty bins need no special case: the cuts before and after are equal.
inline void scan_bins(const Sum* bins, uint32_t n_bins, double mean, Cut& cut) {
    Sum left;
    Cut best = cut;
    for (uint32_t b = 0; b + 1 < n_bins; ++b) {
        left += bins[b].centred(mean);
        best.offer(left, true, static_cast<int32_t>(b));
    }
    cut = best;
}

/// The same when each side must hold at least `min_leaf` points.
inline void scan_bins(const Sum* bins, const uint32_t* counts, uint32_t n_bins, double mean,
                      uint32_t n_points, uint32_t min_leaf, Cut& cut) {
    Sum left;
    uint32_t n_left = 0;
    for (uint32_t b = 0; b + 1 < n_bins; ++b) {
        left += bins[b].centred(mean);
        n_left += counts[b];
        cut.offer(left, n_left >= min_leaf && n_points - n_left >= min_leaf, static_cast<int32_t>(b));
    }
}

/// Upper bound of the gain (times W) of a cut between levels: that of separating all levels.
inline double gain_of_levels_apart(const Sum* bins, uint32_t n_bins, double mean) {
    double apart = 0.0;
    for (uint32_t b = 0; b < n_bins; ++b) {
        const Sum bin = bins[b].centred(mean);
        apart += bin.y * bin.y / std::max(bin.w, 1.0);  // an empty bin adds nothing
    }
    return apart;
}

/// The levels of a categorical column that are present in a node, in the order of their mean targets.
class Levels {
public:
    void clear() { levels_.clear(); }
    void add(uint32_t code, const Sum& sum, uint32_t count) {
        levels_.push_back({sum.mean(), code, count, sum});
    }
    /// Without counts every level counts for one point.
    void take(const Sum* bins, const uint32_t* counts, uint32_t n_bins) {
        clear();
        for (uint32_t b = 0; b < n_bins; ++b)
            if (bins[b].w > 0.0) add(b, bins[b], counts != nullptr ? counts[b] : 1);
    }
    size_t size() const { return levels_.size(); }
    uint32_t code(size_t i) const { return levels_[i].code; }

    void sort() {
        const auto lower = [](const Level& a, const Level& b) { return a.mean < b.mean; };
        if (levels_.size() > kFew) return std::stable_sort(levels_.begin(), levels_.end(), lower);
        for (size_t i = 1; i < levels_.size(); ++i) {
            const Level level = levels_[i];
            size_t k = i;
            for (; k > 0 && lower(level, levels_[k - 1]); --k) levels_[k] = levels_[k - 1];
            levels_[k] = level;
        }
    }
    /// The shortest prefix that leaves enough points on each side, or -1.
    int32_t first_cut(size_t n_points, uint32_t min_leaf) const {
        size_t n_left = 0;
        for (size_t i = 0; i + 1 < levels_.size(); ++i) {
            n_left += levels_[i].count;
            if (n_left >= min_leaf && n_points - n_left >= min_leaf) return static_cast<int32_t>(i);
        }
        return -1;
    }
    void scan(double mean, uint32_t n_points, uint32_t min_leaf, Cut& cut) const {
        Sum left;
        uint32_t n_left = 0;
        for (size_t i = 0; i + 1 < levels_.size(); ++i) {
            left += levels_[i].sum.centred(mean);
            n_left += levels_[i].count;
            const bool allowed = n_left >= min_leaf && n_points - n_left >= min_leaf;
            cut.offer(left, allowed, static_cast<int32_t>(i));
        }
    }

private:
    static constexpr size_t kFew = 32;
    struct Level {
        double mean;
        uint32_t code, count;
        Sum sum;
    };
    std::vector<Level> levels_;
};

}  // namespace forest
