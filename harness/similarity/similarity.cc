#include "similarity/similarity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ptx/parser/parser.h"
#include "similarity/kernel_view.h"
#include "similarity/source_view.h"

namespace warpcheck::similarity {
namespace {

constexpr double kExactWeight =
    4;  // the most weight that the numbers of a kind add; the kind itself weighs 1
constexpr std::size_t kMostPlaces = 4;        // how many places of one fingerprint are compared
constexpr std::uint32_t kMostShownLines = 8;  // the most lines at which one fingerprint is shown
// The memory limit for reading PTX.
constexpr std::uint64_t kMostPtxBytes = std::uint64_t{512} << 20;

double StrengthOf(double share, double alike, const Threshold& threshold) {
  return share / threshold.share * std::min(alike / threshold.alike, 1.0);
}

std::set<std::uint64_t> ExactOf(const std::vector<Fingerprint>& fingerprints) {
  std::set<std::uint64_t> exact;
  for (const Fingerprint& fingerprint : fingerprints) exact.insert(fingerprint.exact);
  return exact;
}

}  // namespace

Comparison::View Comparison::ViewOf(const Program& program) {
  View view;
  view.text_fingerprints = FingerprintsOf(program.sources).fingerprints;
  const FileNumber number_of = [&](std::string_view path) -> std::optional<std::uint32_t> {
    std::uint32_t number = 0;
    for (const auto& [name, text] : program.sources) {
      if (path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '/')) {
        return number;
      }
      ++number;
    }
    return std::nullopt;
  };
  for (const std::string& ptx : program.ptx) {
    const auto module = ptx::ParseModule(ptx, program.id, kMostPtxBytes);
    if (!module) continue;
    view.has_ptx = true;
    std::ranges::copy(KernelFingerprints(*module, number_of),
                      std::back_inserter(view.ptx_fingerprints));
  }
  return view;
}

std::vector<Comparison::Kind> Comparison::KindsOf(std::vector<Fingerprint>& fingerprints,
                                                  const std::set<std::uint64_t>& skeleton) {
  std::erase_if(fingerprints, [&](const Fingerprint& fingerprint) {
    return skeleton.contains(fingerprint.exact);
  });
  std::ranges::sort(fingerprints);
  std::vector<Kind> kinds;
  for (const Fingerprint& fingerprint : fingerprints) {
    if (kinds.empty() || kinds.back().kind != fingerprint.kind)
      kinds.push_back({.kind = fingerprint.kind});
    auto& exact = kinds.back().exact;
    if (exact.empty() || exact.back() != fingerprint.exact) exact.push_back(fingerprint.exact);
  }
  return kinds;
}

// Returns the weight (kCommon / n)^2 for a fingerprint that n submissions have in common.
Comparison::Weights Comparison::WeightsOf(const std::vector<View>& views,
                                          std::vector<Kind> View::*kinds) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const View& view : views) {
    for (const Kind& kind : view.*kinds) ++counts[kind.kind];
  }
  Weights weights;
  for (const auto& [kind, count] : counts) {
    if (count <= kCommon) continue;
    const double share = static_cast<double>(kCommon) / static_cast<double>(count);
    weights[kind] = share * share;
  }
  return weights;
}

Comparison::Comparison(std::vector<Program> programs, const Program& skeleton)
    : programs_(std::move(programs)) {
  const View frame = ViewOf(skeleton);
  const std::set<std::uint64_t> text = ExactOf(frame.text_fingerprints);
  const std::set<std::uint64_t> ptx = ExactOf(frame.ptx_fingerprints);
  for (const Program& program : programs_) {
    View& view = views_.emplace_back(ViewOf(program));
    view.text = KindsOf(view.text_fingerprints, text);
    view.ptx = KindsOf(view.ptx_fingerprints, ptx);
  }
  text_weights_ = WeightsOf(views_, &View::text);
  ptx_weights_ = WeightsOf(views_, &View::ptx);
}

bool Comparison::IsSkeleton(std::size_t program) const {
  return views_[program].text.empty() && views_[program].ptx.empty();
}

// A kind weighs 1, plus the number of its exact forms up to kExactWeight, because a loop that
// was unrolled a hundred times is not a hundred times as important.
Comparison::Share Comparison::ShareOf(const std::vector<Kind>& a, const std::vector<Kind>& b,
                                      const Weights& weights) {
  Share share;
  const auto weight_of = [&](const Kind& kind) {
    const auto found = weights.find(kind.kind);
    return found == weights.end() ? 1.0 : found->second;
  };
  const auto forms = [](const Kind& kind) {
    return std::min(static_cast<double>(kind.exact.size()), kExactWeight);
  };
  auto at_a = a.begin();
  auto at_b = b.begin();
  while (at_a != a.end() || at_b != b.end()) {
    const bool takes_a = at_b == b.end() || (at_a != a.end() && at_a->kind <= at_b->kind);
    const bool takes_b = at_a == a.end() || (at_b != b.end() && at_b->kind <= at_a->kind);
    const double weight = weight_of(takes_a ? *at_a : *at_b);
    if (takes_a) share.first += weight * (1 + forms(*at_a));
    if (takes_b) share.second += weight * (1 + forms(*at_b));
    if (takes_a && takes_b) {
      std::vector<std::uint64_t> both;
      std::ranges::set_intersection(at_a->exact, at_b->exact, std::back_inserter(both));
      const double each = forms(*at_a) / static_cast<double>(at_a->exact.size()) +
                          forms(*at_b) / static_cast<double>(at_b->exact.size());
      share.alike += weight * (1 + static_cast<double>(both.size()) * each / 2);
    }
    if (takes_a) ++at_a;
    if (takes_b) ++at_b;
  }
  return share;
}

Pair Comparison::PairOf(std::size_t first, std::size_t second) const {
  const View& a = views_[first];
  const View& b = views_[second];
  Pair pair{.first = first, .second = second, .text = 0, .ptx = std::nullopt};
  const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const Share text = ShareOf(a.text, b.text, text_weights_);
  // The share is relative to the smaller submission, so that adding lines hides nothing.
  pair.text = std::min(ratio(text.alike, std::min(text.first, text.second)), 1.0);
  pair.alike = text.alike / 2;  // each text fingerprint counts as a kind and as an exact form
  pair.strength = StrengthOf(pair.text, pair.alike, kByText);
  if (!a.ptx.empty() && !b.ptx.empty()) {
    const Share ptx = ShareOf(a.ptx, b.ptx, ptx_weights_);
    pair.ptx = ratio(2 * ptx.alike, ptx.first + ptx.second);
    pair.alike += ptx.alike;
    pair.strength = std::max({pair.strength, StrengthOf(*pair.ptx, ptx.alike, kByPtx),
                              StrengthOf((*pair.ptx + pair.text) / 2, pair.alike, kByBoth)});
  }
  return pair;
}

std::vector<Pair> Comparison::Pairs() const {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    for (std::size_t j = i + 1; j < programs_.size(); ++j) {
      Pair pair = PairOf(i, j);
      if (pair.strength >= kWeakest) pairs.push_back(pair);
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater(), &Pair::strength);
  return pairs;
}

AlikeLines Comparison::Lines(std::size_t first, std::size_t second) const {
  std::map<Place, std::map<Place, int>> votes;
  for (const auto fingerprints_of : {&View::text_fingerprints, &View::ptx_fingerprints}) {
    std::map<std::uint64_t, std::vector<Place>> there;
    for (const Fingerprint& fingerprint : views_[second].*fingerprints_of) {
      std::vector<Place>& places = there[fingerprint.exact];
      if (fingerprint.first.line > 0 && places.size() < kMostPlaces)
        places.push_back(fingerprint.first);
    }
    for (const Fingerprint& fingerprint : views_[first].*fingerprints_of) {
      const auto places = there.find(fingerprint.exact);
      if (fingerprint.first.line == 0 || places == there.end() || places->second.empty()) continue;
      const std::uint32_t last =
          std::min(fingerprint.last.line, fingerprint.first.line + kMostShownLines);
      for (std::uint32_t line = fingerprint.first.line; line <= last; ++line) {
        auto& counts = votes[{.file = fingerprint.first.file, .line = line}];
        for (const Place& place : places->second) ++counts[place];
      }
    }
  }
  AlikeLines lines;
  for (const auto& [line, counts] : votes) {
    lines[line] =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
  }
  return lines;
}

}  // namespace warpcheck::similarity
