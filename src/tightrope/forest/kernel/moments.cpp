// The square of a sum of subtrees has a term for every two of them: both are walked together, so that only
// leaves whose boxes meet are multiplied. A subtree that depends on none of the columns that the rest of the
// product depends on counts by its mean.
#include "moments.hpp"

#include <cmath>

#include "walk.hpp"

namespace forest {
namespace {

class SecondMoment {
public:
    SecondMoment(const CutTree& tree, const std::vector<ConfigColumn>& columns,
                 const std::vector<uint32_t>& family, Stop& stop)
        : tree_(tree),
          region_(columns, family),
          everywhere_(columns, family),
          means_(tree.nodes.size(), NAN),
          stop_(stop) {}

    double run() {
        stack_.push_back({tree_.root(), kSquare, 0, 0});
        while (!stack_.empty()) {
            stop_.check_after(40);
            if (stack_.back().other == kSquare)
                square();
            else
                product();
        }
        return sum_;
    }

private:
    static constexpr int32_t kSquare = -1;
    struct Frame {
        int32_t at, other;  ///< whose product is summed; `other` is kSquare for the square of `at`
        int32_t opened;     ///< the split that is followed
        int stage;
    };

    void square() {
        const Frame frame = stack_.back();
        const CollapsedNode& node = tree_.nodes[frame.at];
        if (tree_.is_split(frame.at)) return follow(frame.at);
        stack_.pop_back();
        if (tree_.is_leaf(frame.at)) {
            sum_ += region_.probability() * node.original.number * node.original.number;
            return;
        }
        stack_.push_back({node.left, node.right, 0, 0});
        stack_.push_back({node.left, kSquare, 0, 0});
        stack_.push_back({node.right, kSquare, 0, 0});
    }

    void product() {
        const Frame frame = stack_.back();
        if (frame.stage > 0) return follow(frame.opened);
        const bool constant = is_constant(frame.at, frame.other);
        if (constant && is_constant(frame.other, frame.at)) {
            stack_.pop_back();
            sum_ += 2.0 * region_.probability() * mean(frame.at) * mean(frame.other);
            return;
        }
        const int32_t open = constant ? frame.other : frame.at, rest = constant ? frame.at : frame.other;
        if (tree_.is_split(open)) return follow(open);
        stack_.pop_back();
        stack_.push_back({tree_.nodes[open].left, rest, 0, 0});
        stack_.push_back({tree_.nodes[open].right, rest, 0, 0});
    }

    /// Takes the left branch of a split, later the right one, then neither.
    void follow(int32_t split) {
        Frame& frame = stack_.back();
        frame.opened = split;
        const int stage = frame.stage++;
        if (stage > 0) region_.widen();
        if (stage == 2) {
            stack_.pop_back();
            return;
        }
        region_.narrow(tree_.cuts[tree_.cut_of[split]], stage);
        if (!(region_.probability() > 0.0)) return;
        const CollapsedNode& node = tree_.nodes[split];
        const int32_t child = stage == 0 ? node.left : node.right;
        const int32_t rest = frame.other == kSquare ? kSquare : frame.at == split ? frame.other : frame.at;
        stack_.push_back({child, rest, 0, 0});
    }

    bool is_constant(int32_t at, int32_t other) const {
        if (tree_.is_leaf(at)) return true;
        const Families& own = tree_.families[at];
        return !own.meets(region_.touched()) && !own.meets(tree_.families[other]);
    }

    double mean(int32_t at) {
        if (tree_.is_leaf(at)) return tree_.nodes[at].original.number;
        if (std::isnan(means_[at])) {
            double sum = 0.0;
            walk(
                tree_, everywhere_, stop_, [&](double value) { sum += value * everywhere_.probability(); },
                at);
            means_[at] = sum;
        }
        return means_[at];
    }

    const CutTree& tree_;
    Region region_, everywhere_;
    std::vector<double> means_;  ///< of subtrees over all configs; NaN until it is needed
    Stop& stop_;
    std::vector<Frame> stack_;
    double sum_ = 0.0;
};

}  // namespace

double second_moment(const CutTree& tree, const std::vector<ConfigColumn>& columns,
                     const std::vector<uint32_t>& family, Stop& stop) {
    return SecondMoment(tree, columns, family, stop).run();
}

}  // namespace forest
