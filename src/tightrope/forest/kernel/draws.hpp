// Random draws of a node as pure functions of its key. There is no generator state, so neither the order in
// which nodes, columns or trees are visited nor the number of threads can change a forest.
#pragma once

#include <cstdint>

namespace forest {

/// SplitMix64's finaliser: a bijection of the 64-bit numbers that maps neighbours far apart.
constexpr uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The sides of levels that a node has not seen.
struct AbsentLevels {
    uint64_t base;

    constexpr bool goes_left(uint64_t code) const { return (mix(base + code) & 1) != 0; }
};

class NodeKey {
public:
    static constexpr NodeKey root(uint64_t seed, uint64_t tree) { return NodeKey(mix(mix(seed) + tree)); }

    constexpr NodeKey left() const { return NodeKey(mix(key_ + 1)); }
    constexpr NodeKey right() const { return NodeKey(mix(key_ + 2)); }

    /// Breaks ties between columns that split equally well.
    constexpr uint64_t column_hash(uint32_t column) const { return mix(mix(key_ + 3) + column); }
    /// Position of the split point in its gap, uniform in [0, 1).
    constexpr double uniform() const { return static_cast<double>(mix(key_ + 4) >> 11) * 0x1.0p-53; }
    constexpr AbsentLevels absent_levels() const { return {mix(key_ + 5)}; }
    /// The i-th of an endless stream of draws from 0 .. bound - 1.
    constexpr uint32_t below(uint32_t bound, uint64_t i) const {
        return static_cast<uint32_t>(((mix(mix(key_ + 6) + i) >> 32) * bound) >> 32);
    }

private:
    constexpr explicit NodeKey(uint64_t key) : key_(key) {}
    uint64_t key_;
};

}  // namespace forest
