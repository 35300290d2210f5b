#include "emulator/trace/value_graph.h"

namespace warpcheck::emulator {

ValueId ValueGraph::Add(std::uint32_t maker, const Sources& from) {
  if (full()) return kUnknownValue;
  nodes_.push_back({.maker = maker, .from = from});
  return static_cast<ValueId>(nodes_.size() - 1);
}

}  // namespace warpcheck::emulator
