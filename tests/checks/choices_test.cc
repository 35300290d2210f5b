#include <gtest/gtest.h>

#include <array>

#include "checks/copied_bytes.h"

namespace warpcheck {
namespace {

TEST(KnownWords, TellHowMuchAChoiceOfWordsSays) {
  KnownWords words;
  const std::array<std::uint32_t, 2> known = {0, 32}, other = {0, 0x3f000001};
  const std::uint64_t one_of_45 = 1 + 6;
  EXPECT_EQ(words.BitsToSay(std::as_bytes(std::span(known))), 2 * one_of_45);
  EXPECT_EQ(words.BitsToSay(std::as_bytes(std::span(other))), one_of_45 + 33);
  std::vector<std::uint32_t> many;
  for (std::uint32_t i = 0; i < 4000; ++i) many.push_back(0x10000000 + i);
  words.Know(std::as_bytes(std::span<const std::uint32_t>(many)));
  EXPECT_EQ(words.BitsToSay(std::as_bytes(std::span(known))), 2u * (1 + 12));
  // Beyond the parameters that are looked up, every bit counts.
  const std::vector<std::byte> long_one(KnownWords::kMaxParameters + 8);
  EXPECT_EQ(words.BitsToSay(long_one), 16u * (1 + 12) + 64);
}

TEST(CovertChannel, CountWhatWasDelivered) {
  const KnownWords words;
  CovertChannel choices(words);
  choices.Request(std::uint32_t{0}, std::uint32_t{0x3f000001});
  EXPECT_EQ(choices.Bytes(), 0u);  // nobody has seen it
  choices.Deliver();
  EXPECT_EQ(choices.Bytes(), 6u);  // 4 + 7 + 33 bits
  choices.Deliver();
  EXPECT_EQ(choices.Bytes(), 6u);
  choices.OneOf(15);
  choices.Request();
  choices.Deliver();
  EXPECT_EQ(choices.Bytes(), 7u);  // 4 + 4 bits more
}

}  // namespace
}  // namespace warpcheck
