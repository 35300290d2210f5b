// Makes a Source from a text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "proof/mutation/source.h"

namespace warpcheck::mutation {

inline Source Parsed(const std::string& text) {
  auto source = Source::Parse(text, "f.cu");
  EXPECT_TRUE(source) << source.error().Text();
  return *std::move(source);
}

}  // namespace warpcheck::mutation
