// AddNode() adds a node to a graph of the program, for all calls that do so.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/graphs/node.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Adds a node that depends on `count` nodes of the graph, and stores its handle in `*node`. Fails
// with cudaErrorInvalidValue if there is no such graph, or a node is listed twice or belongs to
// another graph.
cudaError_t AddNode(Runtime& runtime, cudaGraphNode_t* node, cudaGraph_t graph,
                    const cudaGraphNode_t* after, std::size_t count, Work work);

}  // namespace warpcheck::cudart
