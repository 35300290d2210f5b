// Tests what a trace knows of the values in memory, and how it tells it.
#include "emulator/trace/value_trace.h"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/test_device.h"
#include "emulator/trace/derivation.h"

namespace warpcheck::emulator {
namespace {

using testing::Optional;

// A device with one array of input and one of output, of 32 elements each.
class Traced : public testing::Test {
 protected:
  // Runs the body in one block of 32 threads. It has %rd1 = &in[thread], %rd2 = &out[thread], and
  // %r1 = thread.
  void Run(std::string_view body) {
    TestDevice device({.order_seed = {}, .is_student_file = {}, .observers = {&trace_}});
    device.Load(std::string(R"(
.file 1 "x.cu"
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .f32 %f<20>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd3, [in];
  ld.param.u64 %rd4, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd1, %rd3, %rd5;
  add.u64 %rd2, %rd4, %rd5;
)") + std::string(body) +
                "  ret;\n}\n");
    for (int i = 0; i < 32; ++i) numbers_.push_back(static_cast<float>(i) + 0.5F);
    const DeviceAddress in = device.Upload(numbers_);
    out_ = device.Upload(std::vector<float>(32, 0.0F));
    ASSERT_EQ(device.Launch("k", kSingle, {32, 1, 1}, Parameters().Add(in).Add(out_)),
              DeviceError::kSuccess);
    result_ = device.Download<float>(out_, 32);
  }

  std::optional<ValueTrace::Store> StoreOf(std::size_t element) const {
    return trace_.LastStore(out_ + 4 * element,
                            std::as_bytes(std::span(result_)).subspan(4 * element, 4));
  }
  // Returns what element `element` of the output is made of; an empty text if that is not known.
  std::string MadeOf(std::size_t element) {
    const auto store = StoreOf(element);
    if (!store) return "no store";
    ValueGraph graph = trace_.graph();
    for (ReadArray& array : graph.arrays) array.name = "in";
    const auto made = DerivationOf(graph, store->value);
    return made ? Text(graph, *made) : "";
  }

  ValueTrace trace_{100'000};
  DeviceAddress out_ = 0;
  std::vector<float> numbers_;
  std::vector<float> result_;
};

TEST_F(Traced, KnowsTheElementThatWasMoved) {
  Run(R"(
  .loc 1 7 1
  ld.global.f32 %f1, [%rd1+4];
  mov.f32 %f2, %f1;
  setp.lt.u32 %p1, %r1, 31;
  .loc 1 8 1
  @%p1 st.global.f32 [%rd2], %f2;
)");
  EXPECT_EQ(MadeOf(0), "in[1]");
  EXPECT_EQ(MadeOf(5), "in[6]");
  const auto store = StoreOf(5);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->where.line, 8);
  EXPECT_EQ(store->thread, (Dim3{5, 0, 0}));
  EXPECT_EQ(store->block, (Dim3{0, 0, 0}));
  EXPECT_FALSE(StoreOf(31)) << "no thread stored this element";
}

TEST_F(Traced, FollowsSharedMemoryAndShuffles) {
  Run(R"(
  ld.global.f32 %f1, [%rd1];
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, tile;
  add.u32 %r4, %r3, %r2;
  st.shared.f32 [%r4], %f1;
  bar.sync 0;
  xor.b32 %r5, %r2, 124;
  add.u32 %r6, %r3, %r5;
  ld.shared.f32 %f2, [%r6];
  mov.b32 %r7, %f2;
  shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;
  mov.b32 %f3, %r8;
  st.global.f32 [%rd2], %f3;
)");
  EXPECT_EQ(MadeOf(0), "in[30]");
  EXPECT_EQ(MadeOf(7), "in[25]");
}

TEST_F(Traced, CountsTheTermsOfSums) {
  Run(R"(
  ld.global.f32 %f1, [%rd3];
  ld.global.f32 %f2, [%rd3+4];
  ld.global.f32 %f3, [%rd3+8];
  mul.f32 %f4, %f1, %f2;
  fma.rn.f32 %f5, %f2, %f3, %f4;
  fma.rn.f32 %f6, %f1, %f3, %f5;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 st.global.f32 [%rd2], %f6;
  add.f32 %f7, %f1, %f2;
  add.f32 %f8, %f7, %f3;
  setp.eq.u32 %p2, %r1, 1;
  @%p2 st.global.f32 [%rd2], %f8;
  sub.f32 %f9, %f8, %f1;
  setp.eq.u32 %p3, %r1, 2;
  @%p3 st.global.f32 [%rd2], %f9;
)");
  EXPECT_EQ(MadeOf(0), "a sum of 3 products of in[0..2]");
  EXPECT_EQ(MadeOf(1), "a sum of 3 elements: in[0..2]");
  EXPECT_EQ(MadeOf(2), "sums and differences of 4 elements: in[0..2]");
}

TEST_F(Traced, TakesTheChosenValueOfTwo) {
  Run(R"(
  ld.global.f32 %f1, [%rd3+12];
  ld.global.f32 %f2, [%rd3+16];
  setp.lt.u32 %p1, %r1, 2;
  selp.f32 %f3, %f1, %f2, %p1;
  st.global.f32 [%rd2], %f3;
)");
  EXPECT_EQ(MadeOf(1), "in[3]");
  EXPECT_EQ(MadeOf(2), "in[4]");
}

TEST_F(Traced, FollowsAtomicSums) {
  Run(R"(
  ld.global.f32 %f1, [%rd1];
  setp.lt.u32 %p1, %r1, 3;
  @%p1 red.global.add.f32 [%rd4], %f1;
)");
  EXPECT_EQ(MadeOf(0), "a sum of 4 elements: in[0..2] and in[0]");
}

TEST_F(Traced, KnowsNumbersForWhichNothingWasRead) {
  Run(R"(
  cvt.rn.f32.u32 %f1, %r1;
  st.global.f32 [%rd2], %f1;
)");
  EXPECT_EQ(MadeOf(3), "a number for which no array was read");
}

TEST_F(Traced, SaysNothingOfWhatIsTooLong) {
  trace_ = ValueTrace(10);
  Run(R"(
  ld.global.f32 %f1, [%rd1];
  st.global.f32 [%rd2], %f1;
)");
  EXPECT_FALSE(StoreOf(0));
}

TEST_F(Traced, SaysNothingOfBytesThatTheHostWroteSince) {
  Run(R"(
  ld.global.f32 %f1, [%rd1];
  st.global.f32 [%rd2], %f1;
)");
  result_[4] = 100;
  EXPECT_FALSE(StoreOf(4));
  EXPECT_TRUE(StoreOf(5));
}

TEST(Derivations, NameElementsByTheirShape) {
  const ReadArray flat{.name = "in", .element_bytes = 4, .extents = {100}};
  const ReadArray matrix{.name = "a", .element_bytes = 4, .extents = {5, 20}};
  EXPECT_EQ(ElementName(flat, 21), "in[21]");
  EXPECT_EQ(ElementName(matrix, 21), "a[1][1]");
  ValueGraph graph(1'000);
  graph.arrays = {flat, matrix};
  graph.makers = {{.opcode = ptx::Opcode::kMax}};
  const auto text = [&](std::uint32_t array, const std::vector<std::uint32_t>& elements) {
    ValueId all = kNumberValue;
    for (const std::uint32_t element : elements) {
      const ValueId read = graph.AddRead({.array = array, .offset = 4 * element, .bytes = 4});
      all = graph.Add(0, {all, read, kNumberValue});
    }
    return Text(graph, DerivationOf(graph, all).value());
  };
  EXPECT_EQ(text(0, {3}), "computed from in[3]");
  EXPECT_EQ(text(0, {3, 4, 5}), "computed from in[3..5]");
  EXPECT_EQ(text(0, {3, 5, 9}), "computed from in[3], in[5] and in[9]");
  EXPECT_EQ(text(0, {0, 4, 8, 12, 16}), "computed from in[0], in[4], ... in[16]");
  EXPECT_EQ(text(0, {0, 4, 8, 12, 17}), "computed from 5 elements from in[0] to in[17]");
  EXPECT_EQ(text(1, {21, 22, 41, 42}), "computed from a[1..2][1..2]");
  EXPECT_EQ(text(1, {7, 27, 47}), "computed from a[0..2][7]");
}

}  // namespace
}  // namespace warpcheck::emulator
