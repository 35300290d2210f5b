#include "provenance/sent_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpcheck {
namespace {

// An array of whole numbers as floats, none of which occurs twice.
std::vector<float> Numbers() {
  std::vector<float> numbers(20'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(7 * i + 100'001);
  return numbers;
}

class Sending : public testing::Test {
 protected:
  Sending() { sent_.Begin({std::as_bytes(std::span(numbers_))}); }
  void Send(const std::vector<float>& values) { sent_.Sent(std::as_bytes(std::span(values))); }

  const std::vector<float> numbers_ = Numbers();
  SentBytes sent_;
};

TEST_F(Sending, AcceptsPiecesOfTheArray) {
  Send({numbers_.begin() + 5, numbers_.begin() + 900});
  Send(numbers_);
  EXPECT_EQ(sent_.foreign(), 0u);
  EXPECT_EQ(sent_.of_arrays(), 80'000u);
}

// The first and the last piece repeat the numbers at the ends; unused room is zero.
TEST_F(Sending, CountsAFewBytesOfAHalo) {
  std::vector<float> piece = {numbers_.front()};
  piece.insert(piece.end(), numbers_.begin(), numbers_.begin() + 100);
  piece.resize(1'000);
  Send(piece);
  EXPECT_GT(sent_.foreign(), 0u);
  EXPECT_LE(sent_.foreign(), 2 * sizeof(float));
}

TEST_F(Sending, CountsWhatTheHostComputed) {
  std::vector<float> sums(1'000);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = numbers_[i] + numbers_[i + 1];
  Send(sums);
  EXPECT_GE(sent_.foreign(), 1'800u) << "all bytes but the zeros";
}

// Neighbouring numbers have changed places.
TEST_F(Sending, CountsAnotherOrder) {
  std::vector<float> swapped(numbers_.begin(), numbers_.begin() + 1'000);
  for (std::size_t i = 0; i < swapped.size(); i += 2) std::swap(swapped[i], swapped[i + 1]);
  Send(swapped);
  EXPECT_GE(sent_.foreign(), 1'800u);
}

TEST_F(Sending, CountsLongParameters) {
  sent_.Passed(64);
  EXPECT_EQ(sent_.foreign(), 0u);
  sent_.Passed(4'096);
  EXPECT_EQ(sent_.foreign(), 4'032u);
}

TEST_F(Sending, WatchesNoSmallArrays) {
  sent_.Begin({std::as_bytes(std::span(numbers_)).first(1'000)});
  EXPECT_FALSE(sent_.watches());
  Send({1, 2, 3});
  EXPECT_EQ(sent_.foreign(), 0u);
}

}  // namespace
}  // namespace warpcheck
