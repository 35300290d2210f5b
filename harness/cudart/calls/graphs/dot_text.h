// DotText() draws a graph in the language of Graphviz.
#pragma once

#include <functional>
#include <string>

#include "cudart/graphs/graph.h"

namespace warpcheck::cudart {

// Returns the text of a directed graph. A child graph is a cluster beside its node. `name` returns
// the name of a kernel by the address that the program knows.
std::string DotText(const Graph& graph, const std::function<std::string(const void*)>& name);

}  // namespace warpcheck::cudart
