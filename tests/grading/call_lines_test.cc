#include "grading/call_lines.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

constexpr char kSource[] =
    "float* copy;\n"
    "cudaMalloc(&copy, n);\n"
    "// cudaMemset(copy, 1, n);\n"
    "cudaMemsetAsync(copy, 0, n);\n";

// Returns a complaint after the lines were added to it.
Complaint WithLines(Complaint complaint, const std::map<std::string, std::string>& sources) {
  ChecksReport report;
  report.cases.push_back({.name = "A.B", .complaints = {std::move(complaint)}});
  AddCallLines(report, sources);
  return report.cases.front().complaints.front();
}

TEST(CallLines, NamesTheLineWhereTheComplaintFirstNamesTheCall) {
  const Complaint complaint = WithLines({.message = "cudaMemset wrote the first 4 bytes",
                                         .hint = "cudaMemset takes the size in bytes",
                                         .call = "cudaMemset"},
                                        {{"main.cu", kSource}});
  EXPECT_EQ(complaint.message, "cudaMemsetAsync (line 4) wrote the first 4 bytes");
  EXPECT_EQ(complaint.hint, "cudaMemsetAsync takes the size in bytes");
}

TEST(CallLines, AddsThemToTheHintIfTheMessageDoesNotNameTheCall) {
  const Complaint complaint =
      WithLines({.message = "reads 4 bytes past the array",
                 .hint = "cudaMalloc takes the size in bytes",
                 .call = "cudaMalloc"},
                {{"main.cu", kSource}, {"other.cu", "cudaMalloc(&other, m);"}});
  EXPECT_EQ(complaint.message, "reads 4 bytes past the array");
  EXPECT_EQ(complaint.hint, "cudaMalloc (main.cu:2 or other.cu:1) takes the size in bytes");
}

// A device knows only what was done, not by which of several functions.
TEST(CallLines, NamesTheCallAsItIsWritten) {
  const Complaint complaint = {.message = "cudaMemcpy wrote 4 bytes", .call = "cudaMemcpy"};
  EXPECT_EQ(WithLines(complaint, {{"main.cu", "cudaMemcpy2DToArray(a, 0, 0, b, 4, 4, 1, kind);"}})
                .message,
            "cudaMemcpy2DToArray (line 1) wrote 4 bytes");
  EXPECT_EQ(WithLines(complaint, {{"main.cu",
                                   "cudaMemcpy(a, b, 4, kind);\n"
                                   "cudaMemcpyAsync(a, b, 4, kind);"}})
                .message,
            "cudaMemcpy (line 1 or line 2) wrote 4 bytes");
}

TEST(CallLines, LeavesComplaintsAloneThatBlameNoCallOrOneThatIsNotFound) {
  const Complaint no_call = {.message = "cudaMemset wrote the first 4 bytes"};
  EXPECT_EQ(WithLines(no_call, {{"main.cu", kSource}}), no_call);
  const Complaint not_there = {.message = "cudaMemcpy wrote the first 4 bytes",
                               .call = "cudaMemcpy"};
  EXPECT_EQ(WithLines(not_there, {{"main.cu", kSource}}), not_there);
  std::string four_calls;
  for (int i = 0; i < 4; ++i) four_calls += "cudaMemcpy(a, b, n, kind);\n";
  EXPECT_EQ(WithLines(not_there, {{"main.cu", four_calls}}), not_there) << "there are too many";
}

}  // namespace
}  // namespace warpcheck
