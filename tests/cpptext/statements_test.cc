// Tests statements in the form in which reports show them.
#include "cpptext/statements.h"

#include <gtest/gtest.h>

namespace warpcheck::cpptext {
namespace {

constexpr std::string_view kStatements = R"(#include "k.h"

// Adds them all up
__global__ void k(float* out,
                  int n) {
  int i = threadIdx.x;
  const float sum = out[i] +  // here
                    out[i + 1] +
                    out[i + 2];
  for (int j = 0; j < n; ++j)
    out[j] = sum;
  if (i < n) out[i] =
      sum;
  else
    out[i] = 0;
  __syncthreads();	out[i] = 1;
}
)";

TEST(StatementAt, IsALineWhereThatIsAStatement) {
  EXPECT_EQ(StatementAt(kStatements, 6), "int i = threadIdx.x;");
  EXPECT_EQ(StatementAt(kStatements, 16), "__syncthreads(); out[i] = 1;");
  EXPECT_EQ(StatementAt(kStatements, 17), "}");
}

TEST(StatementAt, IsAllLinesOfAStatement) {
  for (const int line : {7, 8, 9}) {
    EXPECT_EQ(StatementAt(kStatements, line),
              "const float sum = out[i] + out[i + 1] + out[i + 2];");
  }
  EXPECT_EQ(StatementAt(kStatements, 4), "__global__ void k(float* out, int n) {");
  EXPECT_EQ(StatementAt(kStatements, 13), "if (i < n) out[i] = sum;");
}

TEST(StatementAt, KeepsALoopApartFromItsBody) {
  EXPECT_EQ(StatementAt(kStatements, 10), "for (int j = 0; j < n; ++j)");
  EXPECT_EQ(StatementAt(kStatements, 11), "out[j] = sum;");
  EXPECT_EQ(StatementAt(kStatements, 15), "out[i] = 0;");
}

TEST(StatementAt, IsALineAloneWhereAStatementHasNoEnd) {
  const std::string endless = "a +\nb +\nc +\nd +\ne +\nf +\ng +\nh +\n";
  EXPECT_EQ(StatementAt(endless, 1), "a +");
  EXPECT_EQ(StatementAt(endless, 8), "h +");
}

TEST(StatementAt, IsEmptyBeyondTheText) {
  EXPECT_EQ(StatementAt(kStatements, 0), "");
  EXPECT_EQ(StatementAt(kStatements, 2), "");
  EXPECT_EQ(StatementAt(kStatements, 18), "");
  EXPECT_EQ(StatementAt("", 1), "");
}

}  // namespace
}  // namespace warpcheck::cpptext
