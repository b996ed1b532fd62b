#include <cmath>
#include <limits>

#include "check.hpp"
#include "table.hpp"

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

forest::Table table_of(const std::vector<double>& column, bool categorical = false) {
    forest::Stop stop([] { return false; });
    return forest::Table(column.data(), column.size(), 1, &categorical, stop);
}

TEST(codes_are_ranks_of_distinct_values) {
    const auto table = table_of({2.5, -1.0, 2.5, 7.0});
    CHECK((table.column(0).values == std::vector<double>{-1.0, 2.5, 7.0}));
    CHECK(table.code(0, 0) == 1 && table.code(0, 1) == 0 && table.code(0, 2) == 1 && table.code(0, 3) == 2);
}

TEST(nan_comes_before_every_number) {
    const auto table = table_of({kNaN, -1e300, std::nan("7"), 0.0});
    CHECK(table.column(0).n_values() == 3);
    CHECK(std::isnan(table.column(0).values[0]));
    CHECK(table.code(0, 0) == 0 && table.code(0, 2) == 0 && table.code(0, 1) == 1);
}

TEST(both_zeros_are_one_value) {
    const auto table = table_of({-0.0, 0.0});
    CHECK(table.column(0).n_values() == 1);
}

TEST(many_values_are_kept_as_codes_and_few_as_bins) {
    std::vector<double> few(1000), many(1000);
    for (size_t i = 0; i < few.size(); ++i) {
        few[i] = static_cast<double>(i % forest::kNarrow);
        many[i] = static_cast<double>(i % (forest::kNarrow + 1));
    }
    CHECK(table_of(few).column(0).narrow());
    CHECK(!table_of(many).column(0).narrow());
    CHECK(table_of(few).code(0, 33) == 1 && table_of(many).code(0, 34) == 1);
}

}  // namespace
