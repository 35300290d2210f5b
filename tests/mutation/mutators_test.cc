#include "proof/mutation/mutators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutation/parsed.h"

namespace warpcheck::mutation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Returns the texts that a mutator makes of a text.
std::vector<std::string> By(Mutator mutator, const std::string& text) {
  const Source source = Parsed(text);
  Mutants mutants(source);
  mutator(source, mutants);
  std::vector<std::string> texts;
  for (const Mutant& mutant : mutants.Take()) texts.push_back(mutant.Apply(text));
  return texts;
}

TEST(Mutator, ChangesOperators) {
  EXPECT_THAT(By(&ChangeOperators, "i < n;"), ElementsAre("i <= n;"));
  EXPECT_THAT(By(&ChangeOperators, "a += b * c;"),
              ElementsAre("a -= b * c;", "a = b * c;", "a += b + c;"));
  EXPECT_THAT(By(&ChangeOperators, "T<int> x(-a, *b, &c);"), IsEmpty());
  EXPECT_THAT(By(&ChangeOperators, "f();  // a < b"), IsEmpty());
}

TEST(Mutator, DropsOperands) {
  EXPECT_THAT(By(&DropOperands, "if (a < b && (c || d[1])) e;"),
              ElementsAre("if ( (c || d[1])) e;", "if (a < b ) e;", "if (a < b && ( d[1])) e;",
                          "if (a < b && (c )) e;"));
  EXPECT_THAT(By(&DropOperands, "f(T&& t);"), IsEmpty());
}

TEST(Mutator, DropsSigns) {
  EXPECT_THAT(By(&DropSigns, "a = -b - c + !d;"),
              ElementsAre("a = b - c + !d;", "a = -b - c + d;"));
}

TEST(Mutator, ChangesNumbers) {
  EXPECT_THAT(By(&ChangeNumbers, "32"), ElementsAre("31", "33"));
  EXPECT_THAT(By(&ChangeNumbers, "0u"), ElementsAre("1u"));
  EXPECT_THAT(By(&ChangeNumbers, "0xFFull"), ElementsAre("0x100ull", "0xfeull"));
  EXPECT_THAT(By(&ChangeNumbers, "1'000"), ElementsAre("1001", "999"));
  EXPECT_THAT(By(&ChangeNumbers, "2.0f"), ElementsAre("2.1f"));
  EXPECT_THAT(By(&ChangeNumbers, "0.0017857143f"), ElementsAre("0.0017957143f"));
  EXPECT_THAT(By(&ChangeNumbers, "1.239e-4"), ElementsAre("1.249e-4"));
  EXPECT_THAT(By(&ChangeNumbers, "1.99f"), ElementsAre("1.98f"));
}

TEST(Mutator, ChangesNames) {
  EXPECT_THAT(By(&ChangeNames, "threadIdx.x"), ElementsAre("blockIdx.x", "threadIdx.y"));
  EXPECT_THAT(By(&ChangeNames, "x + grid.z"), ElementsAre("x + grid.y"));
  EXPECT_THAT(By(&ChangeNames, "static_cast<std::size_t>(i)"), ElementsAre("static_cast<int>(i)"));
  EXPECT_THAT(By(&ChangeNames, "std::max(a, b)"), ElementsAre("std::min(a, b)"));
}

TEST(Mutator, ShiftsIndices) {
  EXPECT_THAT(By(&ShiftIndices, "a[i] = b[i + n][0];"),
              ElementsAre("a[i + 1] = b[i + n][0];", "a[i - 1] = b[i + n][0];",
                          "a[i] = b[(i + n) + 1][0];", "a[i] = b[(i + n) - 1][0];"));
  EXPECT_THAT(By(&ShiftIndices, "auto f = [a]() {};"), IsEmpty());
}

TEST(Mutator, ShiftsLaunches) {
  EXPECT_THAT(By(&ShiftLaunches, "K<<<n / 2, 32>>>(n);"),
              ElementsAre("K<<<(n / 2) + 1, 32>>>(n);", "K<<<(n / 2) - 1, 32>>>(n);"));
}

TEST(Mutator, RemovesStatements) {
  EXPECT_THAT(By(&RemoveStatements, "void f() { if (a) return; __syncthreads(); s[i] = 1; }"),
              ElementsAre("void f() { if (a) ; __syncthreads(); s[i] = 1; }",
                          "void f() { if (a) return; ; s[i] = 1; }",
                          "void f() { if (a) return; __syncthreads(); ; }"));
  EXPECT_THAT(By(&RemoveStatements, "int f() { int a = 1; float* b; T<int> c{}; return a; }"),
              Not(Contains(testing::HasSubstr("{ ;"))));
  EXPECT_THAT(By(&RemoveStatements, "void f() { for (i = 0; i < n; ++i) { a += i; } else b++; }"),
              ElementsAre("void f() { for (i = 0; i < n; ++i) { ; } else b++; }",
                          "void f() { for (i = 0; i < n; ++i) { a += i; } else ; }"));
}

TEST(Mutator, DecidesConditions) {
  EXPECT_THAT(By(&DecideConditions, "if (a < b) c = d && e ? f : g;"),
              ElementsAre("if (false) c = d && e ? f : g;", "if (true) c = d && e ? f : g;",
                          "if (a < b) c = false ? f : g;", "if (a < b) c = true ? f : g;"));
}

TEST(Mutator, ShiftsLoops) {
  EXPECT_THAT(By(&ShiftLoops, "for (int i = a; i < n; i += b) {}"),
              ElementsAre("for (int i = a + 1; i < n; i += b) {}",
                          "for (int i = a; i < n; i += b + 1) {}"));
  EXPECT_THAT(By(&ShiftLoops, "for (int i = 0; i < n; ++i) {}"),
              ElementsAre("for (int i = 0; i < n; i += 2) {}"));
  EXPECT_THAT(By(&ShiftLoops, "for (int i : list) {}"), IsEmpty());
}

TEST(Mutator, ExchangesListElements) {
  EXPECT_THAT(By(&ExchangeListElements, "f(a, b, b);"), ElementsAre("f(b, a, b);"));
  EXPECT_THAT(By(&ExchangeListElements, "float c[] = {-2.5f, 1};"),
              ElementsAre("float c[] = {1, -2.5f};"));
  EXPECT_THAT(By(&ExchangeListElements, "K<<<g, b>>>(x);"), ElementsAre("K<<<b, g>>>(x);"));
  EXPECT_THAT(By(&ExchangeListElements, "void f(int a, float* b) { g(); h(); }"), IsEmpty());
}

TEST(Mutator, ExchangesSubscripts) {
  EXPECT_THAT(By(&ExchangeSubscripts, "a[i][j + 1]"), ElementsAre("a[j + 1][i]"));
}

TEST(Mutator, ExchangesVariables) {
  EXPECT_THAT(By(&ExchangeVariables, "void f(int r, int c, float* p) { g(r, c, p, s.r); }"),
              ElementsAre("void f(int r, int c, float* p) { g(c, c, p, s.r); }",
                          "void f(int r, int c, float* p) { g(r, r, p, s.r); }"));
  EXPECT_THAT(By(&ExchangeVariables, "void f(int a) { int b = a; int c = b * a; }"),
              ElementsAre("void f(int a) { int b = a; int c = a * a; }",
                          "void f(int a) { int b = a; int c = b * b; }"));
  EXPECT_THAT(By(&ExchangeVariables, "constexpr int kA = 1; constexpr int kB = 2; int s[kB];"),
              ElementsAre("constexpr int kA = 1; constexpr int kB = 2; int s[kA];"));
}

TEST(Mutants, HaveNamesThatTellThemApart) {
  const Source source = Parsed("void f(int n) {\n  if (n <\n      3) return;\n}");
  std::vector<std::string> names;
  for (const Mutant& mutant : MutantsOf(source)) names.push_back(mutant.Name());
  EXPECT_THAT(names, ElementsAre("2:7 n < 3 to false", "2:7 n < 3 to true",
                                 "2:9 < to <=", "3:7 3 to 2", "3:7 3 to 4", "3:10 without return"));
}

TEST(Mutants, LeaveEqualTextsOut) {
  const Source source = Parsed("f(a, a); x[1];");
  Mutants mutants(source);
  mutants.Replace(2, "a");  // this replaces a text by itself, which changes nothing
  mutants.Replace(2, "b");  // this change is kept
  mutants.Replace(2, "b");  // this gives the same text as an earlier change
  EXPECT_THAT(mutants.Take(), SizeIs(1));
}

}  // namespace
}  // namespace warpcheck::mutation
