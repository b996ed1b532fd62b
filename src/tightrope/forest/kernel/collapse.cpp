// Which instances reach a node depends only on the splits on instance columns. The instance set is therefore
// sent down each tree once. The result is a collapsed tree that splits on config columns only; its leaves
// weigh their value by the share of instances that reach them (or the sum of their factors).
#include "collapse.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "predict.hpp"

namespace forest {
namespace {

constexpr size_t kConfigsAtOnce = 512;

class Collapse {
public:
    Collapse(const Tree& tree, const Marginals& over, const std::vector<double>& instances,
             const double* limits)
        : tree_(tree), over_(over), instances_(instances), limits_(limits), ids_(over.n_instances) {
        std::iota(ids_.begin(), ids_.end(), 0u);
    }

    /// The collapsed tree; its root is the last node.
    std::vector<CollapsedNode> run(Stop& stop) {
        stack_.push_back({0, 0, over_.n_instances, 0, 0, Stage::fresh, false});
        while (!stack_.empty()) {
            const Frame& frame = stack_.back();
            stop.check_after(16 + (frame.stage == Stage::fresh ? frame.end - frame.begin : 0));
            step();
        }
        return std::move(out_);
    }

private:
    enum class Stage : uint8_t { fresh, left_done, right_done };
    struct Frame {  // of an explicit stack: a degenerate tree may be as deep as it has points
        int32_t node;
        size_t begin, end, middle;
        int32_t left_out;
        Stage stage;
        bool on_instances;
    };

    void step() {
        Frame& frame = stack_.back();
        const Node& node = tree_.nodes[frame.node];
        if (frame.stage == Stage::fresh) {
            if (node.is_leaf()) return finish(leaf(frame));
            open(frame, node);
        } else if (frame.stage == Stage::left_done) {
            frame.left_out = result_;
            frame.stage = Stage::right_done;
            push(node.left + 1, frame.on_instances ? frame.middle : frame.begin, frame.end);
        } else {
            finish(frame.on_instances ? join(frame.left_out, result_) : split(node, frame.left_out, result_));
        }
    }

    void open(Frame& frame, const Node& node) {
        frame.on_instances = node.split_column() >= over_.n_config_columns;
        frame.middle = frame.on_instances ? partition(node, frame.begin, frame.end) : frame.end;
        if (frame.on_instances && frame.middle == frame.end) {
            frame.node = node.left;
        } else if (frame.on_instances && frame.middle == frame.begin) {
            frame.node = node.left + 1;
        } else {
            frame.stage = Stage::left_done;
            push(node.left, frame.begin, frame.middle);
        }
    }

    size_t partition(const Node& node, size_t begin, size_t end) {
        const size_t d = forest_instance_columns();
        const size_t column = node.split_column() - over_.n_config_columns;
        const auto first = ids_.begin();
        const auto middle = std::partition(first + begin, first + end, [&](uint32_t id) {
            return tree_.goes_left(node, instances_[id * d + column]);
        });
        return static_cast<size_t>(middle - first);
    }
    size_t forest_instance_columns() const { return instances_.size() / over_.n_instances; }

    CollapsedNode leaf(const Frame& frame) const {
        if (limits_ != nullptr) return {CollapsedNode::Kind::leaf, 0, 0, 1, {limited(frame), -1, 0}};
        const double share = reached(frame) / static_cast<double>(over_.n_instances);
        return {
            CollapsedNode::Kind::leaf, 0, 0, 1, {tree_.leaf(frame.node, over_.quantity()) * share, -1, 0}};
    }
    double reached(const Frame& frame) const {
        if (over_.factors == nullptr) return static_cast<double>(frame.end - frame.begin);
        const auto first = ids_.begin();
        return std::accumulate(first + frame.begin, first + frame.end, 0.0,
                               [&](double sum, uint32_t id) { return sum + over_.factors[id]; });
    }
    double limited(const Frame& frame) const {
        const double value = tree_.leaf(frame.node, over_.quantity());
        double sum = 0.0;
        for (size_t i = frame.begin; i < frame.end; ++i) {
            const uint32_t id = ids_[i];
            sum += std::min(value, limits_[id]) * (over_.factors == nullptr ? 1.0 : over_.factors[id]);
        }
        return sum / static_cast<double>(over_.n_instances);
    }
    CollapsedNode split(const Node& node, int32_t left, int32_t right) const {
        return {CollapsedNode::Kind::split, left, right, out_[left].size + out_[right].size + 1, node};
    }
    CollapsedNode join(int32_t left, int32_t right) {
        const CollapsedNode a = out_[left], b = out_[right];
        if (a.kind != CollapsedNode::Kind::leaf || b.kind != CollapsedNode::Kind::leaf)
            return {CollapsedNode::Kind::both, left, right, a.size + b.size + 1, {0.0, -1, 0}};
        out_.resize(out_.size() - 2);  // both are the newest nodes
        return {CollapsedNode::Kind::leaf, 0, 0, 1, {a.original.number + b.original.number, -1, 0}};
    }

    void push(int32_t node, size_t begin, size_t end) {
        stack_.push_back({node, begin, end, 0, 0, Stage::fresh, false});
    }
    void finish(const CollapsedNode& node) {
        out_.push_back(node);
        result_ = static_cast<int32_t>(out_.size()) - 1;
        stack_.pop_back();
    }

    const Tree& tree_;
    const Marginals& over_;
    const std::vector<double>& instances_;
    const double* limits_;
    std::vector<uint32_t> ids_;
    std::vector<Frame> stack_;
    std::vector<CollapsedNode> out_;
    int32_t result_ = 0;
};

/// Sends a block of configs down a collapsed tree together and sums the leaves that each reaches.
class Descent {
public:
    Descent(const Tree& tree, const std::vector<CollapsedNode>& nodes, const std::vector<double>& columns,
            size_t n_configs, double* out)
        : tree_(tree), nodes_(nodes), columns_(columns), n_configs_(n_configs), out_(out) {}

    /// Returns the steps taken.
    size_t run(size_t begin, size_t end) {
        steps_ = 0;
        if (ids_.size() < end - begin) ids_.resize(end - begin);
        std::iota(ids_.begin(), ids_.begin() + (end - begin), static_cast<uint32_t>(begin));
        top_ = end - begin;
        descend(static_cast<int32_t>(nodes_.size()) - 1, 0, end - begin);
        return steps_;
    }

private:
    /// Recurses into the smaller part and loops on the larger, so that the recursion stays shallow.
    void descend(int32_t at, size_t begin, size_t end) {
        while (begin < end) {
            const CollapsedNode& node = nodes_[at];
            steps_ += end - begin;
            if (node.kind == CollapsedNode::Kind::leaf) {
                for (size_t i = begin; i < end; ++i) out_[ids_[i]] += node.original.number;
                return;
            }
            if (node.kind == CollapsedNode::Kind::both) {
                const bool left_smaller = nodes_[node.left].size < nodes_[node.right].size;
                on_a_copy(left_smaller ? node.left : node.right, begin, end);
                at = left_smaller ? node.right : node.left;
            } else {
                const size_t middle = partition(node, begin, end);
                if (middle - begin < end - middle) {
                    descend(node.left, begin, middle);
                    begin = middle;
                    at = node.right;
                } else {
                    descend(node.right, middle, end);
                    end = middle;
                    at = node.left;
                }
            }
        }
    }

    void on_a_copy(int32_t at, size_t begin, size_t end) {
        const size_t size = end - begin;
        const size_t fresh = top_;
        if (ids_.size() < fresh + size) ids_.resize(fresh + size);
        std::copy_n(ids_.begin() + begin, size, ids_.begin() + fresh);
        const size_t kept = std::exchange(top_, fresh + size);
        descend(at, fresh, fresh + size);
        top_ = kept;
    }

    /// Checks the kind of split once and not for each config.
    size_t partition(const CollapsedNode& node, size_t begin, size_t end) {
        const Node& split = node.original;
        const double* x = columns_.data() + split.split_column() * n_configs_;
        if (!split.is_categorical())
            return partition_by(begin, end, [&](uint32_t id) { return !(x[id] > split.number); });
        return partition_by(begin, end, [&](uint32_t id) { return tree_.goes_left(split, x[id]); });
    }

    template <class GoesLeft>
    size_t partition_by(size_t begin, size_t end, GoesLeft goes_left) {
        if (end - begin == 1) return goes_left(ids_[begin]) ? end : begin;
        if (right_.size() < end - begin) right_.resize(end - begin);
        uint32_t* ids = ids_.data();
        uint32_t* right = right_.data();
        size_t kept = begin, moved = 0;
        for (size_t i = begin; i < end; ++i) {
            const uint32_t id = ids[i];
            const bool left = goes_left(id);
            ids[kept] = id;
            right[moved] = id;
            kept += left;
            moved += !left;
        }
        std::copy_n(right, moved, ids + kept);
        return kept;
    }

    const Tree& tree_;
    const std::vector<CollapsedNode>& nodes_;
    const std::vector<double>& columns_;
    size_t n_configs_;
    double* out_;
    std::vector<uint32_t> ids_, right_;
    size_t steps_ = 0;
    size_t top_ = 0;  ///< end of the ids in use
};

std::vector<double> transposed(const std::vector<double>& rows, size_t n, size_t width) {
    std::vector<double> out(rows.size());
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < width; ++k) out[k * n + i] = rows[i * width + k];
    return out;
}

}  // namespace

std::vector<double> coded(const Forest& forest, const double* rows, size_t n, size_t width, size_t first) {
    std::vector<double> out(n * width);
    for (size_t i = 0; i < n; ++i) forest.recode(rows + i * width, out.data() + i * width, width, first);
    return out;
}

std::vector<CollapsedNode> collapse(const Tree& tree, const Marginals& over,
                                    const std::vector<double>& instances, const double* limits, Stop& stop) {
    return Collapse(tree, over, instances, limits).run(stop);
}

void marginal(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out) {
    const size_t dc = over.n_config_columns;
    const auto instances = coded(forest, over.instances, over.n_instances, forest.columns.size() - dc, dc);
    const auto columns = transposed(coded(forest, over.configs, over.n_configs, dc, 0), over.n_configs, dc);
    parallel(forest.trees.size(), threads, stop, [&](size_t b) {
        double* mean = out + b * over.n_configs;
        std::fill(mean, mean + over.n_configs, 0.0);
        const auto nodes = collapse(forest.trees[b], over, instances, nullptr, stop);
        Descent descent(forest.trees[b], nodes, columns, over.n_configs, mean);
        for (size_t begin = 0; begin < over.n_configs; begin += kConfigsAtOnce) {
            const size_t end = std::min(begin + kConfigsAtOnce, over.n_configs);
            stop.check_after(4 * descent.run(begin, end));
        }
    });
}

void marginal_by_pairs(const Forest& forest, const Marginals& over, int threads, Stop& stop, double* out) {
    const size_t d = forest.columns.size(), dc = over.n_config_columns, m = over.n_instances;
    const auto instances = coded(forest, over.instances, m, d - dc, dc);
    const auto configs = coded(forest, over.configs, over.n_configs, dc, 0);
    parallel(over.n_configs, threads, stop, [&](size_t i) {
        std::vector<double> rows(m * d), values(m);
        for (size_t k = 0; k < m; ++k) {
            std::copy_n(configs.begin() + i * dc, dc, rows.begin() + k * d);
            std::copy_n(instances.begin() + k * (d - dc), d - dc, rows.begin() + k * d + dc);
        }
        for (size_t b = 0; b < forest.trees.size(); ++b) {
            stop.check_after(8 * walk(forest.trees[b], rows.data(), d, m, over.quantity(), values.data()));
            double sum = 0.0;
            for (size_t k = 0; k < m; ++k)
                sum += over.factors == nullptr ? values[k] : values[k] * over.factors[k];
            out[b * over.n_configs + i] = sum / static_cast<double>(m);
        }
    });
}

}  // namespace forest
