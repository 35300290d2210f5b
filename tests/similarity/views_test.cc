// Tests the two views of a submission: differences that they ignore, and differences that they
// keep.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ptx/parser/parser.h"
#include "similarity/kernel_view.h"
#include "similarity/source_view.h"

namespace warpcheck::similarity {
namespace {

std::set<std::uint64_t> TextOf(const std::string& source) {
  std::set<std::uint64_t> all;
  for (const Fingerprint& one : FingerprintsOf({{"a.cu", source}}).fingerprints) {
    all.insert(one.exact);
  }
  return all;
}

TEST(SourceView, LeavesOutWhatADisguiseChanges) {
  const std::string plain = "int row = blockIdx.y * 32 + threadIdx.y;";
  EXPECT_FALSE(TextOf(plain).empty());
  EXPECT_EQ(TextOf(plain), TextOf("unsigned  y0=(blockIdx.y*kTile)+threadIdx.y; // row"));
  EXPECT_EQ(TextOf(plain), TextOf("const long y = (long)blockIdx.y * SIZE + (int)threadIdx.y;"));
  EXPECT_NE(TextOf(plain), TextOf("int row = blockIdx.x * 32 + threadIdx.y;"));
  EXPECT_EQ(TextOf("if (a < b && c) { sum += tile[i][j] * x; }"),
            TextOf("if ((q > r) && s)\n total += part[k][l] * (v);"));
  EXPECT_EQ(TextOf("a[i] = static_cast<float>(b[i] * c[i]);"), TextOf("a[i] = b[i] * c[i];"));
}

TEST(SourceView, KeepsStatementsThatMove) {
  const std::string a = "float x = in[row * cols + col];";
  const std::string b = "__shared__ float tile[32][33];";
  EXPECT_EQ(TextOf(a + b), TextOf(b + a));
}

TEST(SourceView, TellsLines) {
  const auto found = FingerprintsOf({{"a.cu", ""}, {"b.cu", "\nx = a\n + b\n + c;"}});
  ASSERT_FALSE(found.fingerprints.empty());
  EXPECT_EQ(found.fingerprints.front().first, (Place{.file = 1, .line = 2}));
  EXPECT_EQ(found.fingerprints.back().last, (Place{.file = 1, .line = 4}));
}

TEST(SourceView, StopsAtItsBound) {
  std::string text;
  while (text.size() < 8'000'000) text += "a = b + c;\n";
  const auto found = FingerprintsOf({{"a.cu", text}, {"b.cu", text}});
  EXPECT_EQ(found.words, kMostSourceWords);
}

// Returns the fingerprints of a PTX kernel with this body.
std::set<std::uint64_t> PtxOf(const std::string& body) {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{{\n"
      ".reg .pred %p<9>;\n.reg .f32 %f<20>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n{}ret;\n}}\n",
      body);
  const auto module = ptx::ParseModule(text);
  EXPECT_TRUE(module) << (module ? "" : module.error().Text()) << text;
  std::set<std::uint64_t> all;
  if (!module) return all;
  for (const Fingerprint& one :
       KernelFingerprints(*module, [](std::string_view) { return std::nullopt; })) {
    all.insert(one.exact);
  }
  return all;
}

constexpr char kHead[] =
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %tid.y;\n";

TEST(KernelView, TakesAnIndexHoweverItIsWorkedOut) {
  const std::string head = kHead;
  const std::string load = "ld.global.f32 %f1, [%rd5];\n";
  const auto plain = PtxOf(head +
                           "add.s32 %r4, %r3, 8;\nmad.lo.s32 %r5, %r4, %r1, %r2;\n"
                           "mul.wide.s32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd2, %rd4;\n" +
                           load);
  EXPECT_EQ(plain.size(), 1U);
  // Unsigned arithmetic with a shift computes row * n + 8 * n + x too.
  EXPECT_EQ(plain, PtxOf(head +
                         "mul.lo.u32 %r4, %r3, %r1;\nshl.b32 %r6, %r1, 3;\nadd.u32 %r5, %r6, %r4;\n"
                         "add.u32 %r7, %r5, %r2;\ncvt.u64.u32 %rd4, %r7;\nshl.b64 %rd6, %rd4, 2;\n"
                         "add.u64 %rd5, %rd6, %rd2;\n" +
                         load));
  EXPECT_NE(plain, PtxOf(head +
                         "mad.lo.s32 %r5, %r2, %r1, %r3;\nmul.wide.s32 %rd4, %r5, 4;\n"
                         "add.s64 %rd5, %rd2, %rd4;\n" +
                         load));
}

TEST(KernelView, TakesADivisionHoweverItIsWorkedOut) {
  const std::string head = kHead;
  const std::string compare = "setp.eq.s32 %p1, %r9, %r1;\n";
  // Signed and unsigned x / 32 are equal, and x % 32 is a mask.
  EXPECT_EQ(PtxOf(head + "shr.u32 %r9, %r2, 5;\n" + compare),
            PtxOf(head +
                  "shr.s32 %r4, %r2, 31;\nshr.u32 %r5, %r4, 27;\nadd.s32 %r6, %r2, %r5;\n"
                  "shr.s32 %r9, %r6, 5;\n" +
                  compare));
  EXPECT_EQ(PtxOf(head + "and.b32 %r9, %r2, 31;\n" + compare),
            PtxOf(head + "rem.u32 %r9, %r2, 32;\n" + compare));
  // x / 24 may be computed by a product.
  EXPECT_EQ(PtxOf(head + "div.u32 %r9, %r2, 24;\n" + compare),
            PtxOf(head +
                  "mul.hi.s32 %r4, %r2, 715827883;\nshr.u32 %r5, %r4, 31;\nshr.s32 %r6, %r4, 2;\n"
                  "add.s32 %r9, %r6, %r5;\n" +
                  compare));
}

TEST(KernelView, TakesAComparisonEitherWay) {
  const std::string head = kHead;
  const auto plain = PtxOf(head + "setp.lt.s32 %p1, %r2, %r1;\n");
  EXPECT_EQ(plain, PtxOf(head + "setp.ge.s32 %p1, %r2, %r1;\n"));
  EXPECT_EQ(plain, PtxOf(head + "setp.gt.u32 %p1, %r1, %r2;\n"));
  EXPECT_EQ(plain, PtxOf(head + "add.s32 %r4, %r1, -1;\nsetp.le.s32 %p1, %r2, %r4;\n"));
  EXPECT_NE(plain, PtxOf(head + "setp.lt.s32 %p1, %r3, %r1;\n"));
}

TEST(KernelView, FollowsLoops) {
  const std::string head = kHead;
  // One program advances a pointer, and the other computes an index in each round.
  const auto pointer = PtxOf(head +
                             "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd2, %rd4;\n"
                             "L: ld.global.f32 %f1, [%rd5];\nadd.s64 %rd5, %rd5, 512;\n"
                             "setp.ne.s64 %p1, %rd5, 0;\n@%p1 bra L;\n");
  const auto index = PtxOf(head +
                           "mov.u32 %r4, %r2;\n"
                           "L: mul.wide.u32 %rd4, %r4, 4;\nadd.s64 %rd5, %rd2, %rd4;\n"
                           "ld.global.f32 %f1, [%rd5];\nadd.s32 %r4, %r4, 128;\n"
                           "setp.ne.s32 %p1, %r4, 0;\n@%p1 bra L;\n");
  std::set<std::uint64_t> both;
  std::ranges::set_intersection(pointer, index, std::inserter(both, both.end()));
  EXPECT_EQ(both.size(), 1U);  // both programs have the load
}

TEST(KernelView, EndsOnLoopsThatHaveNoSum) {
  // Three registers are mixed with each other again and again.
  std::string body = kHead;
  body += "L:\n";
  for (int i = 0; i < 200; ++i) {
    body += fmt::format("mad.lo.s32 %r{0}, %r{1}, %r{2}, %r{0};\nxor.b32 %r{1}, %r{0}, %r{2};\n",
                        10 + i % 7, 10 + (i + 3) % 7, 10 + (i + 5) % 7);
  }
  body += "setp.ne.s32 %p1, %r10, 0;\n@%p1 bra L;\n";
  EXPECT_LE(PtxOf(body).size(), 2U);
}

}  // namespace
}  // namespace warpcheck::similarity
