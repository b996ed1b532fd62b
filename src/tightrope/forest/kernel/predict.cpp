#include "predict.hpp"

namespace forest {
namespace {

constexpr size_t kRowsAtOnce = 128;  // a block of coded rows stays in the cache while all trees read it
constexpr size_t kLanes = 8;         // rows that walk a tree in step, to overlap their cache misses

/// The next child, computed without a branch: 0 left, 1 right.
inline int32_t side(const Node& node, double x) {
    const auto set = std::bit_cast<uint64_t>(node.number);
    const auto in_set = static_cast<int32_t>((set >> (std::bit_cast<uint64_t>(x) & 63)) & 1);
    const auto above = static_cast<int32_t>(x > node.number);
    return (node.column & Node::kSet) != 0 ? 1 - in_set : above;
}

/// Returns the largest number of steps that a row took.
size_t walk_in_step(const Tree& tree, const double* x, size_t stride, int32_t* at) {
    const Node* nodes = tree.nodes.data();
    int32_t here[kLanes] = {};
    size_t steps = 0;
    for (bool walking = true; walking; ++steps) {
        walking = false;
        for (size_t k = 0; k < kLanes; ++k) {
            const Node node = nodes[here[k]];
            const bool leaf = node.is_leaf();
            const uint32_t column = leaf ? 0 : node.split_column();
            const int32_t next = node.left + side(node, x[k * stride + column]);
            here[k] = leaf ? here[k] : next;
            walking |= !leaf;
        }
    }
    for (size_t k = 0; k < kLanes; ++k) at[k] = here[k];
    return steps;
}

int32_t walk_alone(const Tree& tree, const double* x, size_t& steps) {
    int32_t at = 0;
    for (; !tree.nodes[at].is_leaf(); ++steps) {
        const Node& node = tree.nodes[at];
        at = node.left + (tree.goes_left(node, x[node.split_column()]) ? 0 : 1);
    }
    return at;
}

struct Block {
    size_t begin, size;
    std::vector<double> coded;
};

Block read_block(const Forest& forest, const double* X, size_t n_rows, size_t number) {
    const size_t d = forest.columns.size();
    const size_t begin = number * kRowsAtOnce;
    Block block{begin, std::min(kRowsAtOnce, n_rows - begin), {}};
    block.coded.resize(block.size * d);
    for (size_t i = 0; i < block.size; ++i) forest.recode(X + (begin + i) * d, block.coded.data() + i * d, d);
    return block;
}

size_t n_blocks(size_t n_rows) {
    return (n_rows + kRowsAtOnce - 1) / kRowsAtOnce;
}

}  // namespace

size_t walk(const Tree& tree, const double* coded, size_t stride, size_t n_rows, Quantity quantity,
            double* out) {
    size_t i = 0, steps = 0;
    if (tree.level_sets.empty())
        for (int32_t at[kLanes]; i + kLanes <= n_rows; i += kLanes) {
            steps += kLanes * walk_in_step(tree, coded + i * stride, stride, at);
            for (size_t k = 0; k < kLanes; ++k) out[i + k] = tree.leaf(at[k], quantity);
        }
    for (; i < n_rows; ++i) out[i] = tree.leaf(walk_alone(tree, coded + i * stride, steps), quantity);
    return steps;
}

void predict_trees(const Forest& forest, const double* X, size_t n_rows, Quantity quantity, int threads,
                   Stop& stop, double* out) {
    parallel(n_blocks(n_rows), threads, stop, [&](size_t number) {
        const Block block = read_block(forest, X, n_rows, number);
        for (size_t b = 0; b < forest.trees.size(); ++b) {
            stop.check_after(8 * walk(forest.trees[b], block.coded.data(), forest.columns.size(), block.size,
                                      quantity, out + b * n_rows + block.begin));
        }
    });
}

void mean_noise(const Forest& forest, const double* X, size_t n_rows, int threads, Stop& stop, double* out) {
    parallel(n_blocks(n_rows), threads, stop, [&](size_t number) {
        const Block block = read_block(forest, X, n_rows, number);
        double noise[kRowsAtOnce];
        double* sum = out + block.begin;
        std::fill(sum, sum + block.size, 0.0);
        for (const Tree& tree : forest.trees) {
            stop.check_after(8 * walk(tree, block.coded.data(), forest.columns.size(), block.size,
                                      Quantity::kNoise, noise));
            for (size_t i = 0; i < block.size; ++i) sum[i] += noise[i];
        }
        for (size_t i = 0; i < block.size; ++i) sum[i] /= static_cast<double>(forest.trees.size());
    });
}

void predict(const Forest& forest, const double* X, size_t n_rows, int threads, Stop& stop, double* mean,
             double* variance) {
    const auto n_trees = static_cast<double>(forest.trees.size());
    parallel(n_blocks(n_rows), threads, stop, [&](size_t number) {
        const Block block = read_block(forest, X, n_rows, number);
        double* m = mean + block.begin;
        double* v = variance + block.begin;
        double out[kRowsAtOnce];
        std::fill(m, m + block.size, 0.0);
        std::fill(v, v + block.size, 0.0);
        double seen = 0.0;
        for (const Tree& tree : forest.trees) {
            stop.check_after(8 * walk(tree, block.coded.data(), forest.columns.size(), block.size,
                                      Quantity::kTarget, out));
            seen += 1.0;
            const double share = 1.0 / seen;
            for (size_t i = 0; i < block.size; ++i) {  // Welford's update
                const double delta = out[i] - m[i];
                m[i] += delta * share;
                v[i] += delta * (out[i] - m[i]);
            }
        }
        for (size_t i = 0; i < block.size; ++i) v[i] /= n_trees;
    });
}

}  // namespace forest
