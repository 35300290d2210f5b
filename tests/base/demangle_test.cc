#include "base/text/demangle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(Demangle, GivesNamesAsTheyAreWritten) {
  EXPECT_EQ(Demangle("_Z9transposePKfPfii"), "transpose(float const*, float*, int, int)");
  EXPECT_EQ(Demangle("transpose"), "transpose");
  EXPECT_EQ(Demangle("_Znonsense"), "_Znonsense");
}

TEST(Demangle, LeavesNamesThatLookLikeTypes) {
  EXPECT_EQ(Demangle("i"), "i");
  EXPECT_EQ(Demangle("f"), "f");
}

TEST(Demangle, KnowsTypesWhereTheyAreMeant) {
  EXPECT_EQ(DemangleType("i"), "int");
  EXPECT_EQ(DemangleType("St13runtime_error"), "std::runtime_error");
  EXPECT_EQ(DemangleType("_Z9transposePKfPfii"), "transpose(float const*, float*, int, int)");
}

// Returns the mangled name of a function whose parameters are nested function pointers: each type
// is a pointer to a function with two parameters of the previous type. Each step doubles the
// demangled text.
std::string Doubling(int times) {
  std::string name = "_Z1fPi";
  for (int i = 0, last = 0; i < times; ++i, last += 2) {
    const char digit = static_cast<char>(last <= 10 ? '0' + last - 1 : 'A' + last - 11);
    const std::string before = last == 0 ? "S_" : fmt::format("S{}_", digit);
    name += fmt::format("PFv{0}{0}E", before);
  }
  return name;
}

TEST(Demangle, LeavesNamesWhoseTextWouldTakeAllMemory) {
  EXPECT_EQ(Demangle(Doubling(1)), "f(int*, void (*)(int*, int*))");
  EXPECT_EQ(Demangle(Doubling(18)), Doubling(18));
  std::string endless = "_Z1f";
  for (int i = 0; i < 100'000; ++i) endless += "P";
  EXPECT_EQ(Demangle(endless + "i"), endless + "i");
}

}  // namespace
}  // namespace warpcheck
