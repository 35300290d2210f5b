#include "remote/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/files.h"

namespace warpcheck::remote {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

std::string Object() {
  const auto object = ReadFile(WARPCHECK_TEST_OBJECTS "/submission.so");
  return object ? *object : std::string();
}

TEST(Symbols, FindsExportedFunctions) {
  const auto functions = ExportedFunctions(Object());
  EXPECT_THAT(functions, Contains("_Z6LaunchPf"));
  EXPECT_THAT(functions, Contains("_ZN5inner3AddEPd"));
  EXPECT_THAT(functions, Contains("_Z5ScaleIfEvPT_"));  // this is a template
  EXPECT_THAT(functions, Not(Contains("cudaMalloc")));  // this function is only used, not defined
}

TEST(Symbols, FindsNothingInOtherFiles) {
  EXPECT_THAT(ExportedFunctions(""), IsEmpty());
  EXPECT_THAT(ExportedFunctions("\x7F"
                                "ELF"),
              IsEmpty());
  EXPECT_THAT(ExportedFunctions(std::string(4096, '\xFF')), IsEmpty());
}

// The reader must not read outside the file; the sanitizers check that.
TEST(Symbols, StaysWithinDamagedFiles) {
  const std::string object = Object();
  const auto whole = ExportedFunctions(object);
  ASSERT_THAT(whole, Not(IsEmpty()));
  for (std::size_t bytes = 0; bytes < object.size(); bytes += 97) {
    const std::string cut = object.substr(0, bytes);
    EXPECT_LE(ExportedFunctions(cut).size(), whole.size());
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = object;
    for (int j = 0; j < 4; ++j) damaged[random() % 64] = static_cast<char>(random());
    // Damages the sections of the file.
    damaged[damaged.size() - 1 - random() % 2048] = static_cast<char>(random());
    (void)ExportedFunctions(damaged);
  }
}

TEST(Symbols, ListsFunctionsOfTheSameNameInPlaceOfAMissingOne) {
  EXPECT_EQ(DescribeMissing("_Z3AddPf", {"_Z3SubPf", "_Z3AddPfi", "_ZN1a3AddEv", "Add"}),
            "Add(float*) is not defined; found Add; Add(float*, int); a::Add() instead, by its C "
            "name: remove extern \"C\"");
}

TEST(Symbols, ListsAllWhereNoneHasTheName) {
  EXPECT_EQ(
      DescribeMissing("_Z3AddPf",
                      {"_Z3SubPf", "_init", "_fini", "main", "_Z24__device_stub__Z1kPfPf",
                       "_ZNSt6vectorIcSaIcEED1Ev", "_ZNKSt6vectorIcSaIcEE4sizeEv"}),
      "Add(float*) is not defined; found Sub(float*); main: main is not called here, only the "
      "function is");
}

TEST(Symbols, ListsAtMostTwenty) {
  std::vector<std::string> defined;
  for (char c = 'a'; c < 'a' + 23; ++c) defined.emplace_back(1, c);
  EXPECT_EQ(DescribeMissing("_Z3AddPf", defined),
            "Add(float*) is not defined; found a; b; c; d; e; f; g; h; i; j; k; l; m; n; o; p; q; "
            "r; s; t; and 3 more");
}

TEST(Symbols, SaysThatThereIsNothingToList) {
  EXPECT_EQ(DescribeMissing("_Z3AddPf", {}),
            "Add(float*) is not defined, and the submission defines no other function that is not "
            "static");
}

TEST(Symbols, SaysWhatIsWrongWithAFunctionOfTheName) {
  const auto missing = [](const char* found) {
    const std::string text = DescribeMissing("_Z9transposePKfPfii", {found});
    return text.substr(text.find(" instead") + 8);
  };
  EXPECT_EQ(missing("transpose"), ", by its C name: remove extern \"C\"");
  EXPECT_EQ(missing("_Z9transposePfS_ii"), ": parameter 1 is float*, and must be float const*");
  EXPECT_EQ(missing("_Z9transposeiPKfPfi"), ": parameter 1 is int, and must be float const*");
  EXPECT_EQ(missing("_Z9transposePKfPfmm"), ": parameter 3 is unsigned long, and must be int");
  EXPECT_EQ(missing("_Z9transposePKfPfi"), ": it has 3 parameters, and needs 4");
  EXPECT_EQ(missing("_ZN4mine9transposeEPKfPfii"), ", in a namespace: move transpose out of it");
  EXPECT_EQ(missing("_Z9transposev"), ": it has 0 parameters, and needs 4");
}

}  // namespace
}  // namespace warpcheck::remote
