// Finds the submissions of a class that are alike, even if names, comments, layout or the order of
// functions differ.
//
// Each submission is turned into fingerprints in two ways: its text, statement by statement
// (source_view.h), and the PTX that nvcc makes of it, instruction by instruction (kernel_view.h).
// Most disguises change only one of the two: a helper that is inlined, a loop that is unrolled or
// another way to compute an index give the same PTX, and a larger tile leaves most of the text. The
// parts of the skeleton that students received are left out. If more than kCommon submissions share
// a fingerprint, it counts less, because everybody writes it.
//
// A pair is named if its PTX, its text or both together are more alike than those of any two
// different correct solutions that we know (docs/similarity.md has the figures), and if enough is
// alike. A named pair is a hint for a person, not a verdict.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "similarity/fingerprint.h"

namespace warpcheck::similarity {

struct Program {
  std::string id;
  std::map<std::string, std::string> sources{};  // any bytes, by file name
  // The PTX of its .cu files; empty if it does not compile.
  std::vector<std::string> ptx{};
};

// A pair is named if at least this share of its fingerprints is alike, and at least this number,
// because shorter programs are alike by chance.
struct Threshold {
  double share = 0;
  double alike = 0;
};
inline constexpr Threshold kByPtx = {.share = 0.92, .alike = 12};
inline constexpr Threshold kByText = {.share = 0.85, .alike = 25};
// The share is the average of both.
inline constexpr Threshold kByBoth = {.share = 0.72, .alike = 32};
inline constexpr double kWeakest = 0.25;    // weaker pairs are dropped
inline constexpr std::size_t kCommon = 10;  // in submissions

struct Pair {
  std::size_t first = 0;  // indices in the class
  std::size_t second = 0;
  double text = 0;            // from 0 to 1: the share of the smaller text that the other has
  std::optional<double> ptx;  // from 0 to 1; without a value if one of the two has no PTX
  double alike = 0;     // the weighted number of fingerprints that the two share, of both views
  double strength = 0;  // the pair is named if this is at least 1
  bool named() const { return strength >= 1; }
};

// Maps each line that is alike to the line of the other submission that shares the most with it.
using AlikeLines = std::map<Place, Place>;

class Comparison {
 public:
  // `skeleton` is the file that students received; it may be empty. All ids must differ.
  Comparison(std::vector<Program> programs, const Program& skeleton);

  // Returns the pairs whose strength is at least kWeakest, the strongest first.
  std::vector<Pair> Pairs() const;
  // Returns the lines of the first submission that are alike, in order, with their
  // counterparts in the second.
  AlikeLines Lines(std::size_t first, std::size_t second) const;

  const std::vector<Program>& programs() const { return programs_; }
  // Returns true if a submission adds nothing to the skeleton. It is in no pair.
  bool IsSkeleton(std::size_t program) const;
  // Returns true if the submission's PTX could be read.
  bool HasPtx(std::size_t program) const { return views_[program].has_ptx; }

 private:
  struct Kind {
    std::uint64_t kind = 0;
    std::vector<std::uint64_t> exact{};  // sorted; each fingerprint once
  };
  struct View {
    std::vector<Fingerprint> text_fingerprints;  // fingerprints that the skeleton does not have
    std::vector<Fingerprint> ptx_fingerprints;
    std::vector<Kind> text;  // sorted by kind
    std::vector<Kind> ptx;
    bool has_ptx = false;
  };
  struct Share {
    double alike = 0;
    double first = 0;
    double second = 0;
  };
  using Weights = std::map<std::uint64_t, double>;  // weights of common kinds; all others weigh 1

  static View ViewOf(const Program& program);
  static std::vector<Kind> KindsOf(std::vector<Fingerprint>& fingerprints,
                                   const std::set<std::uint64_t>& skeleton);
  static Weights WeightsOf(const std::vector<View>& views, std::vector<Kind> View::*kinds);
  static Share ShareOf(const std::vector<Kind>& a, const std::vector<Kind>& b,
                       const Weights& weights);
  Pair PairOf(std::size_t first, std::size_t second) const;

  std::vector<Program> programs_;
  std::vector<View> views_;
  Weights text_weights_;
  Weights ptx_weights_;
};

}  // namespace warpcheck::similarity
