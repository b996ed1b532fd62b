// A collapsed tree is a sum of values on boxes, and the probability of a box is a product over families of
// columns. So means given the values of one or two columns are sums over the leaves, and the variance is a
// sum over the pairs of leaves whose boxes meet. Every sum of a tree has one order, whatever the threads.
#include "importance.hpp"

#include <cmath>

#include "interaction.hpp"
#include "moments.hpp"
#include "region.hpp"
#include "walk.hpp"

namespace forest {
namespace {

/// A function of one column's value, given by its steps from cell to cell.
class Effect {
public:
    explicit Effect(const ConfigColumn& column) : column_(&column), steps_(column.n_cells() + 1, 0.0) {}

    void add(const std::vector<Piece>& pieces, double weight) {
        for (const Piece& piece : pieces) {
            steps_[piece.cells.begin] += weight * piece.value;
            steps_[piece.cells.end] -= weight * piece.value;
        }
    }

    double variance() const {
        const auto& below = column_->below;
        double value = 0.0, mean = 0.0, sum = 0.0;
        for (size_t i = 0; i + 1 < below.size(); ++i) {
            value += steps_[i];
            mean += value * (below[i + 1] - below[i]);
        }
        value = -mean;
        for (size_t i = 0; i + 1 < below.size(); ++i) {
            value += steps_[i];
            sum += value * value * (below[i + 1] - below[i]);
        }
        return sum;
    }

private:
    const ConfigColumn* column_;
    std::vector<double> steps_;
};

class Analysis {
public:
    Analysis(const CutTree& tree, const Question& question, const std::vector<uint32_t>& family, Stop& stop)
        : tree_(tree), question_(question), columns_(question.columns), family_(family), stop_(stop) {}

    TreeVariances run() {
        TreeVariances out;
        main_and_pairs(out);
        if (!question_.pairs.empty()) return out;
        const double second = second_moment(tree_, columns_, family_, stop_);
        // What is left of rounding errors is no variance.
        const double variance = second - out.mean * out.mean;
        out.total = variance > kRounding * second ? variance : 0.0;
        Region region(columns_, family_);
        region.fix_all();
        for (uint32_t j = 0; j < columns_.size(); ++j) out.local.push_back(local(region, j));
        return out;
    }

private:
    static constexpr double kRounding = 1e-13;

    void main_and_pairs(TreeVariances& out) {
        std::vector<Effect> effects(columns_.begin(), columns_.end());
        Interactions interactions(tree_, columns_, question_.pairs);
        Region region(columns_, family_);
        std::vector<Given> relevant;
        walk(tree_, region, stop_, [&](double value) {
            const double weight = value * region.probability();
            out.mean += weight;
            relevant.clear();
            for (const uint32_t f : region.touched_families()) {
                const double rest = weight / region.probability_of(f);
                const std::vector<uint32_t> sensitive = region.relevant(f);
                for (const uint32_t j : sensitive) {
                    relevant.push_back({j, f, {}});
                    region.given(j, relevant.back().pieces);
                    effects[j].add(relevant.back().pieces, rest);
                }
            }
            interactions.add(region, relevant, weight);
        });
        for (const Effect& effect : effects) out.main.push_back(effect.variance());
        out.pairs = interactions.variances();
    }

    double local(Region& region, uint32_t j) {
        region.release(j);
        Effect effect(columns_[j]);
        std::vector<Piece> pieces;
        walk(tree_, region, stop_, [&](double value) {
            const uint32_t f = family_[j];
            if (!region.is_touched(f)) return;
            const auto& relevant = region.relevant(f);
            if (std::find(relevant.begin(), relevant.end(), j) == relevant.end()) return;
            region.given(j, pieces);
            effect.add(pieces, value * region.probability() / region.probability_of(f));
        });
        region.fix(j);
        return effect.variance();
    }

    const CutTree& tree_;
    const Question& question_;
    const std::vector<ConfigColumn>& columns_;
    const std::vector<uint32_t>& family_;
    Stop& stop_;
};

}  // namespace

std::vector<TreeVariances> importance(const Forest& forest, const Question& question, int threads,
                                      Stop& stop) {
    const Marginals& over = question.over;
    const size_t width = forest.columns.size() - over.n_config_columns;
    const auto instances = coded(forest, over.instances, over.n_instances, width, over.n_config_columns);
    const auto family = families_of(question.columns);
    std::vector<TreeVariances> out(forest.trees.size());
    parallel(forest.trees.size(), threads, stop, [&](size_t b) {
        const Tree& tree = forest.trees[b];
        const double* limits = question.limits == nullptr ? nullptr : question.limits + b * over.n_instances;
        auto nodes = collapse(tree, over, instances, limits, stop);
        const CutTree cut = cut_tree(forest, tree, std::move(nodes), question.columns, family);
        out[b] = Analysis(cut, question, family, stop).run();
    });
    return out;
}

}  // namespace forest
