#include "cudart/calls/graphs/dot_text.h"

#include <fmt/format.h>

#include <string_view>

namespace warpcheck::cudart {
namespace {

constexpr std::string_view kNames[] = {"kernel", "memcpy", "memset",     "host",
                                       "graph",  "empty",  "event wait", "event record",
                                       "",       "",       "mem alloc",  "mem free"};

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string IdOf(cudaGraphNode_t node) {
  return fmt::format("node_{:x}", reinterpret_cast<std::uintptr_t>(node));
}

void Draw(const Graph& graph, const std::function<std::string(const void*)>& name,
          std::string& text) {
  for (const auto& [handle, node] : graph.nodes()) {
    const auto* const kernel = std::get_if<KernelNode>(&node.work);
    const std::string label(kernel != nullptr ? name(kernel->function)
                                              : std::string(kNames[TypeOf(node.work)]));
    text += fmt::format("  {} [shape=box, label=\"{}\"];\n", IdOf(handle), Escaped(label));
    for (const cudaGraphNode_t earlier : node.after) {
      text += fmt::format("  {} -> {};\n", IdOf(earlier), IdOf(handle));
    }
    if (const auto* const child = std::get_if<ChildNode>(&node.work)) {
      text += fmt::format("  subgraph \"cluster_{}\" {{\n", IdOf(handle));
      Draw(*child->graph, name, text);
      text += "  }\n";
    }
  }
}

}  // namespace

std::string DotText(const Graph& graph, const std::function<std::string(const void*)>& name) {
  std::string text = "digraph graph_1 {\n";
  Draw(graph, name, text);
  return text + "}\n";
}

}  // namespace warpcheck::cudart
