// Compares the law with every warp access that was measured on an H200.
#include "hardware/counter_law.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace warpcheck {
namespace {

struct Pattern {
  std::string operation;
  std::uint32_t mask = 0;
  std::array<std::uint64_t, kLanes> addresses{};
  GlobalCost global;
  SharedCost shared;
};

// Parses "3000,4*31": the address of lane 0, then the difference from lane to lane.
std::array<std::uint64_t, kLanes> ParseAddresses(const std::string& text) {
  std::array<std::uint64_t, kLanes> addresses{};
  std::istringstream parts(text);
  std::string part;
  std::getline(parts, part, ',');
  addresses[0] = std::stoull(part);
  std::size_t lane = 1;
  while (std::getline(parts, part, ',')) {
    const std::size_t star = part.find('*');
    const int times = star == std::string::npos ? 1 : std::stoi(part.substr(star + 1));
    for (int i = 0; i < times; ++i, ++lane) {
      addresses.at(lane) =
          addresses[lane - 1] + static_cast<std::uint64_t>(std::stoll(part.substr(0, star)));
    }
  }
  EXPECT_EQ(lane, addresses.size()) << text;
  return addresses;
}

std::vector<Pattern> ReadPatterns(const std::string& name) {
  std::ifstream file(WARPCHECK_TEST_DATA "/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<Pattern> patterns;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Pattern pattern;
    std::string addresses;
    fields >> pattern.operation >> std::hex >> pattern.mask >> std::dec >> addresses >>
        pattern.global.sectors >> pattern.global.ideal_sectors >> pattern.global.tags >>
        pattern.shared.wavefronts >> pattern.shared.ideal_wavefronts;
    EXPECT_FALSE(fields.fail()) << line;
    pattern.addresses = ParseAddresses(addresses);
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

// An operation of the data files: its width, and the kind of access.
struct Operation {
  std::uint32_t width = 0;
  bool is_shared = false;
  SharedAccess kind = SharedAccess::kLoad;
};

const std::map<std::string, Operation>& Operations() {
  static const std::map<std::string, Operation> operations = {
      {"LDG8", {1}},
      {"LDG32", {4}},
      {"LDG64", {8}},
      {"LDG128", {16}},
      {"STG32", {4}},
      {"STG128", {16}},
      {"REDG", {4}},
      {"ATOMG", {4}},
      {"LDS8", {1, true, SharedAccess::kLoad}},
      {"LDS16", {2, true, SharedAccess::kLoad}},
      {"LDS32", {4, true, SharedAccess::kLoad}},
      {"LDS64", {8, true, SharedAccess::kLoad}},
      {"LDS128", {16, true, SharedAccess::kLoad}},
      {"STS8", {1, true, SharedAccess::kStore}},
      {"STS32", {4, true, SharedAccess::kStore}},
      {"STS64", {8, true, SharedAccess::kStore}},
      {"STS128", {16, true, SharedAccess::kStore}},
      {"ATOMS_INC", {4, true, SharedAccess::kReduction}},
      {"ATOMS_RET", {4, true, SharedAccess::kAtomic}},
  };
  return operations;
}

struct Tally {
  int patterns = 0;
  int misses = 0;
  int ideal_misses = 0;
};

std::map<std::string, Tally> TallyOf(bool shared) {
  const MemoryGeometry geometry;
  std::map<std::string, Tally> tallies;
  for (const char* file :
       {"h200_patterns_shared.txt", "h200_patterns_masks.txt", "h200_patterns_global.txt"}) {
    for (const Pattern& pattern : ReadPatterns(file)) {
      const Operation& operation = Operations().at(pattern.operation);
      if (operation.is_shared != shared) continue;
      Tally& tally = tallies[pattern.operation];
      ++tally.patterns;
      const WarpAccess access{pattern.mask, pattern.addresses.data(), operation.width};
      if (shared) {
        const SharedCost cost = CostOfShared(geometry, access, operation.kind);
        tally.misses += cost.wavefronts != pattern.shared.wavefronts;
        tally.ideal_misses += cost.ideal_wavefronts != pattern.shared.ideal_wavefronts;
      } else {
        const GlobalCost cost = CostOfGlobal(geometry, access);
        tally.misses += cost.sectors != pattern.global.sectors || cost.tags != pattern.global.tags;
        tally.ideal_misses += cost.ideal_sectors != pattern.global.ideal_sectors;
      }
    }
  }
  return tallies;
}

TEST(CounterLaw, GivesEveryMeasuredGlobalAccess) {
  const std::map<std::string, Tally> tallies = TallyOf(/*shared=*/false);
  int patterns = 0;
  for (const auto& [operation, tally] : tallies) {
    EXPECT_EQ(tally.misses, 0) << operation;
    EXPECT_EQ(tally.ideal_misses, 0) << operation;
    patterns += tally.patterns;
  }
  EXPECT_EQ(patterns, 4608);
}

TEST(CounterLaw, GivesEveryMeasuredSharedAccess) {
  const std::map<std::string, Tally> tallies = TallyOf(/*shared=*/true);
  int patterns = 0;
  for (const auto& [operation, tally] : tallies) {
    EXPECT_EQ(tally.misses, 0) << operation;
    EXPECT_EQ(tally.ideal_misses, 0) << operation;
    patterns += tally.patterns;
  }
  EXPECT_EQ(patterns, 8604);
}

std::array<std::uint64_t, kLanes> Strided(std::uint64_t first, std::uint64_t stride) {
  std::array<std::uint64_t, kLanes> addresses{};
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) addresses[lane] = first + lane * stride;
  return addresses;
}

TEST(CounterLaw, CostsNothingWithoutAnActiveLane) {
  const MemoryGeometry geometry;
  const auto addresses = Strided(0, 4);
  EXPECT_EQ(CostOfGlobal(geometry, {0, addresses.data(), 4}), GlobalCost{});
  EXPECT_EQ(CostOfShared(geometry, {0, addresses.data(), 4}, SharedAccess::kLoad), SharedCost{});
}

TEST(CounterLaw, DoesNotWrapAtTheEndOfTheAddressSpace) {
  const auto addresses = Strided(~std::uint64_t{0} - 127, 4);
  EXPECT_EQ(CostOfGlobal(MemoryGeometry(), {~0u, addresses.data(), 4}),
            (GlobalCost{.sectors = 4, .tags = 1, .ideal_sectors = 4}));
}

TEST(CounterLaw, CountsAColumnOfAnUnpaddedTile) {
  const MemoryGeometry geometry;
  const auto unpadded = Strided(0, 128);
  const auto padded = Strided(0, 132);
  EXPECT_EQ(CostOfShared(geometry, {~0u, unpadded.data(), 4}, SharedAccess::kLoad),
            (SharedCost{.wavefronts = 32, .ideal_wavefronts = 1}));
  EXPECT_EQ(CostOfShared(geometry, {~0u, padded.data(), 4}, SharedAccess::kLoad),
            (SharedCost{.wavefronts = 1, .ideal_wavefronts = 1}));
}

// The results of the law follow from its geometry.
TEST(CounterLaw, TakesItsNumbersFromTheGeometry) {
  const MemoryGeometry narrow{
      .sector_bytes = 64, .line_bytes = 128, .shared_banks = 16, .shared_bank_bytes = 4};
  const auto addresses = Strided(0, 4);
  EXPECT_EQ(CostOfShared(narrow, {0x0000ffff, addresses.data(), 4}, SharedAccess::kLoad),
            (SharedCost{.wavefronts = 1, .ideal_wavefronts = 1}));
  EXPECT_EQ(CostOfGlobal(narrow, {~0u, addresses.data(), 4}),
            (GlobalCost{.sectors = 2, .tags = 1, .ideal_sectors = 2}));
}

struct CopyPattern {
  std::string operation;
  std::uint32_t mask = ~0U;
  std::uint32_t wavefronts = 0, sectors = 0;
  std::array<std::uint64_t, kLanes> shared{}, global{};

  std::uint32_t width() const {
    return static_cast<std::uint32_t>(std::stoul(operation.substr(2)));
  }
};

std::vector<CopyPattern> ReadCopies() {
  std::ifstream file(WARPCHECK_TEST_DATA "/h200_patterns_copies.txt");
  EXPECT_TRUE(file.is_open());
  std::vector<CopyPattern> patterns;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    CopyPattern& pattern = patterns.emplace_back();
    fields >> pattern.operation >> pattern.wavefronts >> pattern.sectors;
    for (std::uint64_t& address : pattern.shared) fields >> address;
    EXPECT_FALSE(fields.fail()) << line;
    for (std::uint64_t& address : pattern.global) fields >> address;
  }
  return patterns;
}

TEST(CounterLaw, AgreesOnEveryMoveOfMatrices) {
  std::size_t seen = 0;
  for (const CopyPattern& pattern : ReadCopies()) {
    if (!pattern.operation.starts_with("ldm") && !pattern.operation.starts_with("stm")) continue;
    const int matrices = pattern.operation[5] - '0';
    const std::uint32_t mask = matrices == 4 ? ~0u : (1u << (8 * matrices)) - 1;
    const SharedCost cost = CostOfShared(MemoryGeometry(), {mask, pattern.shared.data(), 16},
                                         SharedAccess::kMatrixRows);
    EXPECT_EQ(cost.wavefronts, pattern.wavefronts) << pattern.operation;
    ++seen;
  }
  EXPECT_EQ(seen, 63u);
}

// Reads the patterns with masks, whose places are in units of a lane's bytes.
std::vector<CopyPattern> ReadMaskedCopies() {
  std::ifstream file(WARPCHECK_TEST_DATA "/h100_patterns_copies.txt");
  EXPECT_TRUE(file.is_open());
  std::vector<CopyPattern> patterns;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    CopyPattern& pattern = patterns.emplace_back();
    fields >> pattern.operation >> std::hex >> pattern.mask >> std::dec >> pattern.wavefronts;
    for (std::uint64_t& place : pattern.shared) fields >> place;
    for (std::uint64_t& place : pattern.global) fields >> place;
    EXPECT_FALSE(fields.fail()) << line;
    for (std::uint64_t& place : pattern.shared) place *= pattern.width();
    for (std::uint64_t& place : pattern.global) place *= pattern.width();
  }
  return patterns;
}

// Returns how many of the copies through the L1 cache, or past it, take the wavefronts of the law.
// Adds to `sectors` how many touch its sectors.
int WavefrontsThatAgree(const std::vector<CopyPattern>& patterns, bool past_l1, int& sectors) {
  int wavefronts = 0;
  for (const CopyPattern& pattern : patterns) {
    if (!pattern.operation.starts_with(past_l1 ? "cg" : "ca")) continue;
    const CopyCost cost =
        CostOfCopy(MemoryGeometry(), {pattern.mask, pattern.global.data(), pattern.width()},
                   pattern.shared.data(), past_l1);
    sectors += cost.sectors == pattern.sectors ? 1 : 0;
    wavefronts += cost.wavefronts == pattern.wavefronts ? 1 : 0;
  }
  return wavefronts;
}

// Regular patterns agree, and some random ones do not. docs/counters.md has the same numbers.
TEST(CounterLaw, AgreesOnMostCopies) {
  int sectors_through_l1 = 0;
  int sectors_past_l1 = 0;
  EXPECT_EQ(WavefrontsThatAgree(ReadCopies(), false, sectors_through_l1), 110);  // of 126
  EXPECT_EQ(WavefrontsThatAgree(ReadCopies(), true, sectors_past_l1), 42);       // of 42
  EXPECT_EQ(sectors_through_l1, 126);
  EXPECT_EQ(sectors_past_l1, 40);
}

// Half of these patterns are random or have lanes that copy to one place.
TEST(CounterLaw, AgreesOnMostCopiesWithMasks) {
  int not_measured = 0;
  EXPECT_EQ(WavefrontsThatAgree(ReadMaskedCopies(), false, not_measured), 312);  // of 342
  EXPECT_EQ(WavefrontsThatAgree(ReadMaskedCopies(), true, not_measured), 94);    // of 114
}

// cg::memcpy_async copies 66 floats by 32 lanes so: 31 lanes copy the last float.
TEST(CounterLaw, CountsLanesThatCopyToOnePlace) {
  std::array<std::uint64_t, kLanes> places{};
  for (std::size_t lane = 1; lane < kLanes; ++lane) places[lane] = 4;
  const CopyCost cost =
      CostOfCopy(MemoryGeometry(), {~0u, places.data(), 4}, places.data(), /*bypass=*/false);
  EXPECT_EQ(cost.wavefronts, 31u);
  EXPECT_EQ(cost.ideal_wavefronts, 1u);
  EXPECT_EQ(CostOfShared(MemoryGeometry(), {~0u, places.data(), 4}, SharedAccess::kCopy),
            (SharedCost{.wavefronts = 31, .ideal_wavefronts = 1}));
}

// Returns the passes of a load by all lanes. Lane i reads the word i % words.
std::uint32_t ConstantPasses(std::uint32_t width, std::uint32_t words, LaneMask mask = kAllLanes) {
  std::array<std::uint64_t, kLanes> addresses{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = std::uint64_t{lane % words} * width;
  }
  return PassesOfConstant({mask, addresses.data(), width});
}

TEST(ConstantMemory, TakesAPassForEachAddress) {
  for (std::uint32_t words = 1; words <= kLanes; ++words) {
    EXPECT_EQ(ConstantPasses(4, words), words);
    EXPECT_EQ(ConstantPasses(8, words), words);
  }
  EXPECT_EQ(ConstantPasses(4, 32, 0), 0U);
  EXPECT_EQ(ConstantPasses(4, 32, 0x0000'00FF), 8U);
}

TEST(ConstantMemory, ReadsBytesOfAWordAtOnce) {
  EXPECT_EQ(ConstantPasses(1, 32), 8U);
  EXPECT_EQ(ConstantPasses(2, 32), 16U);
}

}  // namespace
}  // namespace warpcheck
