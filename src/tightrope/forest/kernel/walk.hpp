// Walks to all leaves of a collapsed tree that have a positive probability.
#pragma once

#include "region.hpp"

namespace forest {

/// Calls visit(value of the leaf) while the region is that of the leaf.
template <class Visit>
void walk(const CutTree& tree, Region& region, Stop& stop, Visit visit, int32_t from = -1) {
    struct Frame {  // of an explicit stack: a degenerate tree may be as deep as it has points
        int32_t at;
        int stage;
    };
    std::vector<Frame> stack{{from < 0 ? tree.root() : from, 0}};
    while (!stack.empty()) {
        stop.check_after(40);
        const int32_t at = stack.back().at;
        const int stage = stack.back().stage++;
        const CollapsedNode& node = tree.nodes[at];
        if (tree.is_leaf(at)) visit(node.original.number);
        if (tree.is_leaf(at) || stage == 2) {
            if (tree.is_split(at)) region.widen();
            stack.pop_back();
            continue;
        }
        if (tree.is_split(at)) {
            if (stage == 1) region.widen();
            region.narrow(tree.cuts[tree.cut_of[at]], stage);
            if (!(region.probability() > 0.0)) continue;
        }
        stack.push_back({stage == 0 ? node.left : node.right, 0});
    }
}

}  // namespace forest
