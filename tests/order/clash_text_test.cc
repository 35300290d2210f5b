// The words of a finding follow what two operations are, not how they are called.
#include "order/clash_text.h"

#include <gtest/gtest.h>

namespace warpcheck::order {
namespace {

Finding FindingAbout(const Operation& earlier, const Operation& later) {
  const Clash clash{.earlier = earlier,
                    .later = later,
                    .earlier_kind = MemoryUse::Kind::kWrite,
                    .later_kind = MemoryUse::Kind::kWrite,
                    .begin = 0x1000,
                    .end = 0x1004};
  return FindingOf(
      clash, [](std::uintptr_t) { return std::nullopt; }, HostLines::OfProcess());
}

TEST(ClashText, VerbsComeFromTheEffects) {
  using enum Effect;
  EXPECT_EQ(FindingAbout({.text = "the first", .effect = kAllocates},
                         {.text = "the second", .effect = kFrees})
                .message,
            "the second frees 4 bytes of host memory, which the first allocates: no stream, event "
            "or wait puts one before the other");
  EXPECT_EQ(FindingAbout({.text = "cudaMallocAsync in stream 1"}, {.text = "cudaFree"}).message,
            "cudaFree writes 4 bytes of host memory, which cudaMallocAsync in stream 1 writes: no "
            "stream, event or wait puts one before the other");
}

TEST(ClashText, TheHintOfGraphsIsForTwoNodes) {
  const Operation node{.text = "a copy", .in_graph = true};
  const Operation other{.text = "a copy in a graph in stream 1"};
  EXPECT_NE(FindingAbout(node, node).hint.find("cudaGraphAddDependencies"), std::string::npos);
  EXPECT_EQ(FindingAbout(node, other).hint, "");
  EXPECT_EQ(FindingAbout(other, node).hint, "");
}

}  // namespace
}  // namespace warpcheck::order
