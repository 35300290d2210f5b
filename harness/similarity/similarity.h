// Which submissions of a class are alike when names, comments, layout, the order of functions and
// the like differ.
//
// Two views of each submission are taken apart into fingerprints (fingerprint.h): its text,
// statement by statement, without names, types and numbers (source_view.cc), and the PTX that nvcc
// made of it, instruction by instruction, without registers and order (kernel_view.cc). A disguise
// that changes the one mostly leaves the other: an inlined helper, an unrolled loop or another way
// to an index are the same PTX, a larger tile is the same text. What the handout's skeleton has is
// taken out, and what more than kCommon submissions have weighs less the more there are, since what
// everybody writes says little.
//
// A pair is named where the PTX alone, the text alone or both together are as alike as no two
// different right solutions are that we know (docs/similarity.md has the figures), and where what
// is alike is enough to say so. It is a hint for a person, and no verdict.
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
  std::map<std::string, std::string> sources{};  // bytes by file name: any bytes
  std::vector<std::string> ptx{};                // of its .cu files; none where it does not compile
};

// A pair is named where so much is alike: a share of the fingerprints, and how many at least, since
// what is shorter is written alike by chance.
struct Threshold {
  double share = 0;
  double alike = 0;
};
inline constexpr Threshold kByPtx = {.share = 0.92, .alike = 12};
inline constexpr Threshold kByText = {.share = 0.85, .alike = 25};
inline constexpr Threshold kByBoth = {.share = 0.72, .alike = 32};  // the share on average
inline constexpr double kWeakest = 0.25;                            // of pairs that are kept
inline constexpr std::size_t kCommon = 10;                          // submissions

struct Pair {
  std::size_t first = 0;  // places in the class
  std::size_t second = 0;
  double text = 0;            // 0 to 1: of the smaller one's text, how much the other has
  std::optional<double> ptx;  // 0 to 1; none where one of the two has no PTX
  double alike = 0;           // fingerprints of both views that the two have in common, weighted
  double strength = 0;        // from 1 on it is named
  bool named() const { return strength >= 1; }
};

// A line that has something alike in the other submission, and where there most of it is.
using AlikeLines = std::map<Place, Place>;

class Comparison {
 public:
  // `skeleton`: what students received; may be empty. Ids differ.
  Comparison(std::vector<Program> programs, const Program& skeleton);

  // The pairs that have kWeakest of strength, the strongest first.
  std::vector<Pair> Pairs() const;
  // Lines of the first in order of their places, by their counterparts in the second.
  AlikeLines Lines(std::size_t first, std::size_t second) const;

  const std::vector<Program>& programs() const { return programs_; }
  // Whether a submission has nothing of its own beyond the skeleton: it is left out of all pairs.
  bool IsSkeleton(std::size_t program) const;
  // Whether its PTX could be read.
  bool HasPtx(std::size_t program) const { return views_[program].has_ptx; }

 private:
  struct Kind {
    std::uint64_t kind = 0;
    std::vector<std::uint64_t> exact{};  // sorted, each once
  };
  struct View {
    std::vector<Fingerprint> text_fingerprints;  // without the skeleton's
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
  using Weights = std::map<std::uint64_t, double>;  // of kinds that are common; others weigh 1

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
