// Knows what the reference of an assignment counts, so that targets can compare a submission with
// it.
//
// Students receive the checks, and must not receive the reference. Therefore its counts are
// recorded by the author (`warpcheck validate NAME --record`), in
// assignments/NAME/reference_counts.json, and the build puts this file into the checks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace warpcheck {

class ReferenceCounts {
 public:
  // Returns the counts that the checks of this process use. At first there are none.
  static ReferenceCounts& Current();

  // Reads the text of reference_counts.json: {"saxpy() 1000": {"thread_instructions": 96000}}.
  static Result<ReferenceCounts> Parse(std::string_view json);
  std::string Text() const;

  // `call` is CaseResult::Comparison::call, `counter` the name of a counter.
  std::optional<std::uint64_t> Of(const std::string& call, std::string_view counter) const;
  // Keeps the larger of this count and a known one. The counts of some kernels depend on the data.
  void Add(const std::string& call, const std::string& counter, std::uint64_t count);
  std::size_t size() const { return counts_.size(); }

  friend bool operator==(const ReferenceCounts&, const ReferenceCounts&) = default;

 private:
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts_;  // by call and counter
};

}  // namespace warpcheck
