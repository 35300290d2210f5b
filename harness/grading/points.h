// Points represents the points of a grade, as an exact number of hundredths.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace warpcheck {

class Points {
 public:
  constexpr Points() = default;
  static constexpr Points FromHundredths(std::int64_t hundredths) { return Points(hundredths); }

  // Makes points from a number from 0 to 1,000,000 with at most two decimals. Returns nullopt for
  // other numbers.
  static std::optional<Points> FromNumber(double number);

  constexpr std::int64_t hundredths() const { return hundredths_; }
  double Number() const { return static_cast<double>(hundredths_) / 100; }

  // Returns a text such as "40", "12.5" or "0.25".
  std::string Text() const;

  // Returns `part` / `whole` of these points, rounded down to a hundredth. `whole` must not be 0.
  constexpr Points Share(std::int64_t part, std::int64_t whole) const {
    return Points(hundredths_ * part / whole);
  }

  constexpr Points& operator+=(Points other) {
    hundredths_ += other.hundredths_;
    return *this;
  }
  friend constexpr auto operator<=>(const Points&, const Points&) = default;

 private:
  explicit constexpr Points(std::int64_t hundredths) : hundredths_(hundredths) {}
  std::int64_t hundredths_ = 0;
};

// Returns points with their noun: "1 point", "12.5 points".
std::string Counted(Points points);

}  // namespace warpcheck
