// Writes the leaderboard of a class: its right submissions, ranked by speed or by work. It is made
// to be shown to students.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct Leaderboard {
  // The work of all kernels of a submission. Both numbers are the same on every device.
  struct Work {
    std::uint64_t sectors = 0;       // sectors of global memory that were moved
    std::uint64_t instructions = 0;  // executed warp instructions

    friend auto operator<=>(const Work&, const Work&) = default;
  };
  struct Row {
    std::string name{};             // the name or the pseudonym; may contain any UTF-8
    std::optional<double> speed{};  // the reference's time / the submission's, if it was measured
    Work work{};
    std::size_t place = 0;  // from 1; rows with equal results have the same place
  };

  std::string title{};  // the title of the assignment
  std::vector<Row> rows{};
  std::size_t unranked = 0;  // submissions that are not right, or were not counted
};

// Sets the places, and sorts the rows by them: first those with a speed, the fastest first; then
// those without one, by sectors and then by instructions, the least first. Speeds are compared as
// they are shown, in hundredths. Rows with the same place are sorted by name.
void Rank(Leaderboard& board);

// Returns a speed as it is shown and compared: "0.93".
std::string SpeedText(double speed);

std::string HtmlLeaderboard(const Leaderboard& board);

}  // namespace warpcheck
