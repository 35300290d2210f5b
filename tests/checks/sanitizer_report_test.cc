// The words are compute-sanitizer's: of CUDA 13.0 as seen on an H200, and of CUDA 12 as public
// reports quote them. Kernels and addresses are made up.
#include <gmock/gmock.h>

#include "checks/memcheck.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kReadReport[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Invalid __global__ read of size 4 bytes\n"
    "=========     at oob(float *, const float *)+0x80 in /submission/k.cu:11\n"
    "=========     by thread (31,2,0) in block (63,0,0)\n"
    "=========     Access to 0x7f2c58210000 is out of bounds\n"
    "=========     and is 1 bytes after the nearest allocation at 0x7f2c58200000 of size 65,536 "
    "bytes\n"
    "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
    "=========         Host Frame: main [0x1189] in gpu_host\n"
    "=========\n";

std::vector<Finding> Parse(const std::string& text) {
  SanitizerReport report = ParseSanitizerReport(text, {});
  EXPECT_THAT(report.troubles, IsEmpty());
  return report.findings;
}

// A report of one access.
std::string Access(const std::string& what, const std::string& address,
                   const std::string& nearest) {
  return "========= Invalid " + what + "\n=========     at k(int *)+0x80 in k.cu:5\n" +
         "=========     by thread (0,0,0) in block (1,0,0)\n=========     Access at " + address +
         "\n" + (nearest.empty() ? "" : "=========     and is " + nearest + "\n") + "========= \n";
}

FindingKind KindOf(const std::string& report) {
  const auto findings = Parse(report);
  EXPECT_THAT(findings, SizeIs(1)) << report;
  return findings.at(0).kind;
}

std::string MessageOf(const std::string& report) { return Parse(report).at(0).message; }

TEST(SanitizerReport, TellsWhoReadWhat) {
  const auto findings = Parse(kReadReport);
  ASSERT_THAT(findings, SizeIs(1));
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.kind, FindingKind::kOutOfBoundsRead);
  EXPECT_EQ(finding.where, (SourceLocation{"/submission/k.cu", 11, 0}));
  EXPECT_EQ(finding.message,
            "reads 4 bytes at 0x7f2c58210000, just past the end of the 65536-byte allocation at "
            "0x7f2c58200000");
  EXPECT_EQ(finding.thread->thread, (Dim3{31, 2, 0}));
  EXPECT_EQ(finding.thread->block, (Dim3{63, 0, 0}));
  EXPECT_EQ(finding.count, 1u);
}

TEST(SanitizerReport, TellsHowFarOutsideAnAccessIs) {
  EXPECT_EQ(
      MessageOf(Access("__global__ write of size 8 bytes", "0x1010210 is out of bounds",
                       "17 bytes after the nearest allocation at 0x1010000 of size 512 bytes")),
      "writes 8 bytes at 0x1010210, 16 bytes past the end of the 512-byte allocation at "
      "0x1010000");
  EXPECT_EQ(
      MessageOf(Access("__global__ atomic of size 4 bytes", "0x100fffc is out of bounds",
                       "4 bytes before the nearest allocation at 0x1010000 of size 512 bytes")),
      "updates 4 bytes at 0x100fffc, 4 bytes before the start of the 512-byte allocation at "
      "0x1010000");
  EXPECT_EQ(MessageOf(Access("__global__ read of size 8 bytes", "0x10101fc is out of bounds",
                             "inside the nearest allocation at 0x1010000 of size 512 bytes")),
            "reads 8 bytes at 0x10101fc, across the end of the 512-byte allocation at 0x1010000");
}

TEST(SanitizerReport, TellsTheKindsApart) {
  const std::string near = "1 bytes after the nearest allocation at 0x1010000 of size 512 bytes";
  const std::string out = "0x1010200 is out of bounds";
  EXPECT_EQ(KindOf(Access("__global__ write of size 4 bytes", out, near)),
            FindingKind::kOutOfBoundsWrite);
  EXPECT_EQ(KindOf(Access("__global__ atomic of size 4 bytes", out, near)),
            FindingKind::kOutOfBoundsWrite);
  EXPECT_EQ(KindOf(Access("__shared__ read of size 4 bytes", "0x1080 is out of bounds", "")),
            FindingKind::kSharedOutOfBounds);
  EXPECT_EQ(KindOf(Access("__local__ write of size 4 bytes", "0xfffd40 is out of bounds", "")),
            FindingKind::kLocalOutOfBounds);
  EXPECT_EQ(KindOf(Access("__global__ read of size 16 bytes", "0x1010004 is misaligned", "")),
            FindingKind::kMisaligned);
  EXPECT_EQ(KindOf(Access("__global__ write of size 8 bytes", "0x0 is out of bounds",
                          "140,229,602,181,120 bytes before the nearest allocation at "
                          "0x7f89bfa00000 of size 1,020 bytes")),
            FindingKind::kIllegalAddress);
  EXPECT_EQ(KindOf(Access("__global__ read of size 16 bytes", "0x769431db3800 is out of bounds",
                          "593,361,581,569 bytes after the nearest allocation at 0x760a0ac00000 of "
                          "size 512 bytes")),
            FindingKind::kIllegalAddress);
}

TEST(SanitizerReport, CountsTheThreadsOfOnePlace) {
  std::string many = kReadReport;
  for (int i = 0; i < 3; ++i)
    many += std::string(kReadReport).substr(std::string(kReadReport).find('\n') + 1);
  const auto findings = Parse(many);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].count, 4u);
  EXPECT_THAT(
      Parse(many + Access("__global__ read of size 4 bytes", "0x1010200 is out of bounds",
                          "1 bytes after the nearest allocation at 0x1010000 of size 512 bytes")),
      SizeIs(2));
}

TEST(SanitizerReport, ReadsAReportWithoutLineInformation) {
  const auto findings = Parse(
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at k(int *)+0xb0\n"
      "=========     by thread (1,0,0) in block (5,0,0)\n"
      "=========     Address 0x7f698ba00144 is out of bounds\n"
      "=========     and is 1 bytes after the nearest allocation at 0x7f698ba00000 of size 324 "
      "bytes\n");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_FALSE(findings[0].where.known());
  EXPECT_EQ(findings[0].kind, FindingKind::kOutOfBoundsRead);
}

TEST(SanitizerReport, ReadsAReportThatKnowsNoAllocation) {
  const auto findings =
      Parse(Access("__global__ read of size 8 bytes", "0x964000008 is out of bounds", ""));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::kOutOfBoundsRead);
  EXPECT_EQ(findings[0].message, "reads 8 bytes at 0x964000008, outside all memory");
}

TEST(SanitizerReport, NamesTheStudentsLineOfInlinedCode) {
  constexpr char text[] =
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at float load<float>(const float *)+0x40 in load.h:90\n"
      "=========     by thread (0,0,0) in block (0,0,0)\n"
      "=========     Access at 0x1010200 is out of bounds\n"
      "=========     and is 1 bytes after the nearest allocation at 0x1010000 of size 512 bytes\n"
      "=========         Device Frame: inner(const float *)+0x40 in k.cu:4\n"
      "=========         Device Frame: outer(float *, const float *)+0x40 in k.cu:12\n"
      "=========\n";
  const auto of = [&](const std::function<bool(std::string_view)>& is_student_file) {
    return ParseSanitizerReport(text, is_student_file).findings.at(0).where.Text();
  };
  EXPECT_EQ(of([](std::string_view path) { return path == "k.cu"; }), "k.cu:4");
  EXPECT_EQ(of([](std::string_view) { return false; }), "load.h:90");
  EXPECT_EQ(of({}), "load.h:90");
}

TEST(SanitizerReport, KeepsWhatTheToolSaysOfItself) {
  const SanitizerReport report = ParseSanitizerReport(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Unsupported driver version\n"
      "========= Internal Sanitizer Error: The Sanitizer encountered an error\n"
      "========= ERROR SUMMARY: 0 errors\n",
      {});
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.troubles,
              ElementsAre("Error: Unsupported driver version",
                          "Internal Sanitizer Error: The Sanitizer encountered an error"));
}

TEST(SanitizerReport, FindsNothingInOtherText) {
  EXPECT_THAT(Parse(""), IsEmpty());
  EXPECT_THAT(Parse("Invalid __global__ read of size 4 bytes\n"), IsEmpty());  // a kernel's printf
  EXPECT_THAT(Parse("=========     by thread (31,0,0) in block (63,0,0)\n"), IsEmpty());
}

}  // namespace
}  // namespace warpcheck
