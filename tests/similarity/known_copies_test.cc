// Tests that copies which were disguised by hand are named, and that different correct solutions
// are not. The disguises are tests/similarity/data/disguised/<assignment>/<original>.<how>.cu, or a
// folder <original>.<how>; the originals are the test submissions that pass, and the references.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/files.h"
#include "compile/builder.h"
#include "compile/embedded_ptx.h"
#include "compile/source/sources.h"
#include "grading/rubric.h"
#include "sandbox/sandbox.h"
#include "sandbox/unconfined.h"
#include "similarity/similarity.h"

namespace warpcheck::similarity {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WARPCHECK_SOURCE_DIR;
constexpr char kReference[] = "reference";

// These correct solutions of the test suite are variants of each other and are named: their kernels
// are equal, and their host code is not.
const std::set<std::set<std::string>> kVariants = {
    // Both have one padded tile; one uses its own stream, the other is a template with a
    // concept.
    {"transpose/own_stream", "transpose/padded_tile"},
    {"transpose/cpp20", "transpose/padded_tile"},
    {"transpose/cpp20", "transpose/own_stream"},
    // Both have one padded tile with one element a thread; one comes after superfluous
    // copies, the other between pitched ones.
    {"transpose/copies_first", "transpose/pitched_copies"},
    // Both have one tree over 512 elements; one allocates its workspace in each call, the
    // other keeps it.
    {"reduce/tree_512", "reduce/workspace_that_grows"},
    // Both march in the same way; one shifts the cells of the column, the other uses a ring.
    {"wave3d/march_in_constant_memory", "wave3d/ring_in_registers"},
    // Both compute one pixel a thread from a tile; their blocks and the rows of their tiles have
    // other sizes.
    {"convolution/blocks_of_32x8", "convolution/padded_rows_of_16"},
};

// These solutions share helpers and a kernel word for word, so that it would be right to name them.
// The three of heat2d share second_difference and global_kernel. The two of scan load a tile and
// add up its warps alike, and wait for earlier tiles in different ways.
const std::set<std::set<std::string>> kAkin = {
    {"heat2d/blocks_of_16x16", "heat2d/tile_of_32"},
    {"heat2d/blocks_of_16x16", "heat2d/one_thread_a_cell_of_the_rim"},
    {"heat2d/one_thread_a_cell_of_the_rim", "heat2d/tile_of_32"},
    {"heat2d/outer_threads_only_load", "heat2d/threads_at_the_rim_with_corners"},
    {"scan/chain_of_tiles", "scan/look_back"},
};

// These correct solutions are in none of the classes below. Each has the kernel of another one or
// of the lecture, and tests something beside it (memory that the host shares, prints, texts in the
// source, one corrected line).
const std::set<std::string> kSameKernel = {
    "banks/grid_of_quotients_plus_one",
    "banks/walking_tiles",
    "convolution/copy_of_the_image",
    "convolution/grid_of_quotients_plus_one",
    "convolution/stores_of_58_pixels",
    "heat2d/frame_copied_with_the_grid_mended",
    "heat2d/steps_wait_for_the_step_before",
    "heat2d/tile_of_32x16",
    "histogram/registered_bins_of_calloc",
    "jacobi/one_iteration_ahead_in_two_fields",
    "matmul/grid_of_quotients_plus_one",
    "matmul/one_tile_of_two_mended",
    "matmul/x_counts_rows_mended",
    "overlap/branches_of_a_graph",
    "overlap/copies_first",
    "overlap/four_streams",
    "overlap/polls_the_last_event",
    "overlap/registers_the_array",
    "overlap/two_buffers_in_turn",
    "overlap/waits_for_a_buffers_stream",
    "picture/counts_in_managed_memory",
    "picture/guard_of_the_threads_place_mended",
    "reduce/checks_its_table",
    "reduce/memory_of_a_pool",
    "reduce/partial_sums_in_managed_memory",
    "reduce/partial_sums_in_mapped_memory",
    "reduce/prints_elements_and_sums",
    "reduce/shows_its_managed_sums",
    "reduce/texts_like_comments",
    "reduce/warps_add_to_one_float",
    "rotate/by_way_of_pinned_memory",
    "rotate/gathers_four_pixels",
    "rotate/normalised",
    "rotate/notes_deleted_by_a_kernel",
    "rotate/own_stream",
    "rotate/squares_in_pitched_memory",
    "row_sums/results_in_pinned_memory",
    "scan/chain_by_atomics",
    "scan/kernels_wait_for_the_one_before",
    "stencil/checks_a_flag",
    "stencil/fp8_beside",
    "transpose/captures_a_graph",
    "transpose/grid_of_quotients_plus_one",
    "transpose/inline_copies_not_waited_for_mended",
    "transpose/launched_by_its_address",
    "transpose/prints_in_every_thread",
    "transpose/prints_its_matrix",
    "transpose/stages_in_managed_memory",
    "transpose/strips_by_jthreads",
    "wave3d/coefficients_in_mapped_memory",
};

// These disguises are not recognised. They change names, types, macros, helpers, loops and
// statements at once, and replace the block's size by a number, so that text and PTX differ. The
// last is a kernel of five lines, which is too short to be named.
const std::set<std::string> kMissed = {
    "row_sums/compensated.combined", "picture/four_at_a_time.combined", "row_sums/atomics.macros"};

class KnownCopies : public testing::Test {
 protected:
  // Returns the originals by "assignment/name".
  static std::map<std::string, fs::path> Originals() {
    std::map<std::string, fs::path> files;
    for (const auto& entry : fs::directory_iterator(kRoot / "reference")) {
      if (entry.path().extension() != ".cu") continue;
      const std::string assignment = entry.path().stem();
      files[assignment + "/" + kReference] = entry.path();
      const fs::path passed = kRoot / "tests/submissions" / assignment / "passed";
      for (const auto& one : fs::directory_iterator(passed)) {
        const std::string id = assignment + "/" + one.path().stem().string();
        if (!kSameKernel.contains(id)) files[id] = one.path();
      }
    }
    return files;
  }

  static std::map<std::string, fs::path> Files(const std::string& folder) {
    std::map<std::string, fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(WARPCHECK_TEST_DATA) / folder)) {
      for (const auto& one : fs::directory_iterator(entry.path())) {
        std::string name = one.path().filename();
        if (name.ends_with(".cu")) name.resize(name.size() - 3);
        files[entry.path().filename().string() + "/" + name] = one.path();
      }
    }
    return files;
  }

  Program ProgramOf(const std::string& id, const fs::path& path) {
    const std::string assignment = id.substr(0, id.find('/'));
    Program program{.id = id};
    const auto sources = compile::ReadSources({.submission = path, .headers = {}});
    EXPECT_TRUE(sources) << id;
    if (!sources) return program;
    for (const auto& file : sources->files) program.sources[file.name] = file.bytes;
    const fs::path home = kRoot / "assignments" / assignment;
    const auto rubric = ParseRubric(*ReadFile(home / "rubric.toml"), "rubric.toml");
    EXPECT_TRUE(rubric) << id;
    if (!rubric) return program;
    // A grade compiles with the same language, so that both find the same entry of the cache.
    const auto built = builder_.Build({.submission = path,
                                       .headers = {home / (assignment + ".h")},
                                       .language = rubric->language});
    EXPECT_TRUE(built && built->artifact) << id;
    if (built && built->artifact) {
      program.ptx = compile::PtxIn(*ReadFile(built->artifact->shared_object));
    }
    EXPECT_FALSE(program.ptx.empty()) << id;
    return program;
  }

  // Returns the named pairs of a class for each assignment, by their ids.
  std::set<std::set<std::string>> Named(const std::map<std::string, fs::path>& files) {
    std::map<std::string, std::vector<Program>> classes;
    for (const auto& [id, path] : files) {
      classes[id.substr(0, id.find('/'))].push_back(ProgramOf(id, path));
    }
    std::set<std::set<std::string>> named;
    for (const auto& [assignment, programs] : classes) {
      const Program skeleton =
          ProgramOf(assignment + "/", kRoot / "student_template" / (assignment + ".cu"));
      const Comparison comparison(programs, skeleton);
      for (const Pair& pair : comparison.Pairs()) {
        const std::string& first = programs[pair.first].id;
        const std::string& second = programs[pair.second].id;
        if (std::getenv("WARPCHECK_SHOW_PAIRS") != nullptr) {
          fmt::print("{:.2f} text {:.2f} PTX {:.2f} alike {:.0f} {} {}\n", pair.strength, pair.text,
                     pair.ptx.value_or(0), pair.alike, first, second);
        }
        if (pair.named()) named.insert({first, second});
      }
    }
    return named;
  }

  static std::string Text(const std::set<std::string>& pair) {
    return *pair.begin() + " and " + *pair.rbegin();
  }

 private:
  std::unique_ptr<sandbox::Sandbox> sandbox_ = sandbox::MakeUnconfined();
  compile::Builder builder_{*sandbox_, {.nvcc = NVCC, .cache = CACHE}};
};

TEST_F(KnownCopies, NamesNoDifferentSolutions) {
  std::map<std::string, fs::path> files = Originals();
  files.merge(Files("different"));
  const auto named = Named(files);
  for (const auto& pair : named) {
    EXPECT_TRUE(kVariants.contains(pair) || kAkin.contains(pair)) << Text(pair);
  }
  for (const auto& pair : kVariants) EXPECT_TRUE(named.contains(pair)) << Text(pair);
}

// The class contains all correct solutions and all copies.
TEST_F(KnownCopies, FindsAllThatAreDisguised) {
  std::map<std::string, fs::path> files = Originals();
  const auto disguised = Files("disguised");
  files.insert(disguised.begin(), disguised.end());
  const auto named = Named(files);
  std::map<std::string, int> ways;
  for (const auto& [id, path] : disguised) {
    const std::size_t dot = id.find('.');
    ++ways[id.substr(dot + 1)];
    EXPECT_EQ(named.contains({id.substr(0, dot), id}), !kMissed.contains(id)) << id;
  }
  for (const char* const way : {"renamed", "reordered", "reformatted", "unrolled", "inlined"}) {
    EXPECT_GE(ways[way], 4) << way;
  }
}

// The class contains only the original and its copy.
TEST_F(KnownCopies, FindsThemInClassesOfTwo) {
  const std::map<std::string, fs::path> originals = Originals();
  for (const auto& [id, path] : Files("disguised")) {
    const std::string original = id.substr(0, id.find('.'));
    ASSERT_TRUE(originals.contains(original)) << id;
    const auto named = Named({{id, path}, {original, originals.at(original)}});
    EXPECT_EQ(named.size(), kMissed.contains(id) ? 0U : 1U) << id;
  }
}

TEST_F(KnownCopies, NamesNoTemplates) {
  const fs::path skeleton = kRoot / "student_template/transpose.cu";
  EXPECT_TRUE(Named({{"transpose/a", skeleton}, {"transpose/b", skeleton}}).empty());
}

}  // namespace
}  // namespace warpcheck::similarity
