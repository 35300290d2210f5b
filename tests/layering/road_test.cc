// Tests that the road of a submission in docs/design.md names only functions that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "base/files.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

TEST(Road, LeadsThroughTheCode) {
  const fs::path source = WARPCHECK_SOURCE_DIR;
  const auto design = ReadFile(source / "docs/design.md");
  ASSERT_TRUE(design) << design.error().Text();
  const std::regex step(R"re(\| `([A-Za-z:]+)` \| `([a-z0-9_/]+\.(?:cc|h))` \|)re");
  int steps = 0;
  for (std::sregex_iterator at(design->begin(), design->end(), step), end; at != end; ++at) {
    ++steps;
    const std::string file = (*at)[2];
    const auto code = ReadFile(source / "harness" / file);
    ASSERT_TRUE(code) << code.error().Text();
    EXPECT_TRUE(std::regex_search(*code, std::regex("\\b" + std::string((*at)[1]) + "\\b")))
        << file << " has no " << (*at)[1];
  }
  EXPECT_GE(steps, 15);
}

}  // namespace
}  // namespace warpcheck
