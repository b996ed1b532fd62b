#include <stdexcept>

#include "check.hpp"
#include "problem.hpp"

namespace {

bool same(const forest::Forest& a, const forest::Forest& b) {
    for (size_t t = 0; t < a.trees.size(); ++t) {
        if (a.trees[t].nodes.size() != b.trees[t].nodes.size()) return false;
        for (size_t i = 0; i < a.trees[t].nodes.size(); ++i) {
            const auto &x = a.trees[t].nodes[i], &y = b.trees[t].nodes[i];
            const bool equal = std::bit_cast<uint64_t>(x.number) == std::bit_cast<uint64_t>(y.number);
            if (!equal || x.column != y.column || x.left != y.left) return false;
        }
    }
    return true;
}

TEST(one_and_three_threads_grow_the_same_forest) {
    const problem::Problem sample(900, 7, 6, 1);
    const forest::Rules rules{5, 2, 1};
    CHECK(same(sample.grow(rules, 1), sample.grow(rules, 3)));
}

TEST(every_point_of_a_pure_leaf_is_predicted_exactly) {
    problem::Problem sample(600, 3, 1, 2);
    std::fill(sample.counts.begin(), sample.counts.end(), uint16_t{1});
    const auto grown = sample.grow({3, 2, 1}, 1);
    std::vector<double> out(sample.n);
    forest::Stop stop([] { return false; });
    forest::predict_trees(grown, sample.X.data(), sample.n, forest::Quantity::kTarget, 1, stop, out.data());
    bool all = true;
    for (size_t i = 0; i < sample.n; ++i) all &= check::close(out[i], sample.targets[i]);
    CHECK(all);
}

TEST(leaves_hold_at_least_as_many_points_as_asked) {
    const problem::Problem sample(700, 6, 3, 3);
    const auto grown = sample.grow({4, 2, 9}, 1);
    for (const auto& tree : grown.trees)
        for (size_t i = 0; i < tree.nodes.size(); ++i)
            if (tree.nodes[i].is_leaf()) CHECK(tree.points[i] >= 9);
}

TEST(a_tree_as_deep_as_it_has_points_overflows_no_stack) {
    problem::Problem sample(20000, 1, 1, 4);
    std::fill(sample.counts.begin(), sample.counts.end(), uint16_t{1});
    double target = 1.0;
    for (size_t i = 0; i < sample.n; ++i) {
        sample.X[i] = static_cast<double>(i);
        sample.targets[i] = target;
        target *= i % 100 == 0 ? 1.5 : 1.0;  // every split peels a little off one end
    }
    const auto grown = sample.grow({1, 2, 1}, 1);
    const double instance = 0.0;
    double out = 0.0;
    forest::Stop stop([] { return false; });
    const forest::Marginals over{&instance, 1, 1, &instance, 1, false};
    forest::marginal(grown, over, 1, stop, &out);
    CHECK(check::close(out, sample.targets[0]));
}

TEST(collapsed_trees_equal_the_walk_of_every_pair) {
    const problem::Problem sample(800, 7, 4, 5);
    const auto grown = sample.grow({5, 4, 1}, 1);
    std::vector<double> configs, instances;
    for (size_t i = 0; i < 700; ++i) configs.insert(configs.end(), &sample.X[i * 7], &sample.X[i * 7 + 4]);
    for (size_t i = 0; i < 90; ++i)
        instances.insert(instances.end(), &sample.X[i * 7 + 4], &sample.X[i * 7 + 7]);
    for (const bool cost : {false, true}) {
        const forest::Marginals over{configs.data(), 700, 4, instances.data(), 90, cost};
        std::vector<double> fast(4 * 700), slow(4 * 700);
        forest::Stop stop([] { return false; });
        forest::marginal(grown, over, 2, stop, fast.data());
        forest::marginal_by_pairs(grown, over, 1, stop, slow.data());
        bool all = true;
        for (size_t i = 0; i < fast.size(); ++i) all &= check::close(fast[i], slow[i]);
        CHECK(all);
    }
}

TEST(asking_to_stop_ends_growth) {
    const problem::Problem sample(30000, 9, 400, 6);
    forest::Stop never([] { return false; });
    const forest::Table table(sample.X.data(), sample.n, sample.d,
                              reinterpret_cast<const bool*>(sample.categorical.data()), never);
    const forest::Training training{table,   sample.n_trees, sample.counts.data(), sample.targets.data(),
                                    nullptr, nullptr,        sample.no_imputed(),  0,
                                    nullptr, nullptr};
    for (const int threads : {1, 2}) {
        forest::Stop stop([] { return true; });
        bool stopped = false;
        try {
            forest::grow(training, {6, 2, 1}, 7, threads, stop);
        } catch (const forest::Stopped&) {
            stopped = true;
        }
        CHECK(stopped);
    }
}

TEST(an_exception_in_a_worker_reaches_the_caller) {
    forest::Stop stop([] { return false; });
    bool caught = false;
    try {
        forest::parallel(100, 3, stop, [](size_t i) {
            if (i == 50) throw std::runtime_error("broken");
        });
    } catch (const std::runtime_error&) {
        caught = true;
    }
    CHECK(caught);
}

}  // namespace
