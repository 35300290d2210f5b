#include "proof/mutation/more_work.h"

#include <fmt/format.h>

#include <utility>

#include "proof/mutation/scopes.h"

namespace warpcheck::mutation {
namespace {

using Parts = std::vector<std::pair<Range, std::string>>;

// The number of added launches. It is larger than the number of launches that are recorded one by
// one.
constexpr int kManyLaunches = 300;

constexpr char kIdleKernel[] = "__global__ void warpcheck_idle() {} ";
constexpr char kPool[] = "__device__ float warpcheck_pool[1024]; ";
constexpr char kGrid[] =
    "static dim3 warpcheck_grid(dim3 g, dim3 b) { return dim3(g.x * b.x, g.y * b.y, g.z * b.z); } ";
constexpr char kThreadNumber[] =
    "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 1024";

// Inserts text at the beginning of the file, after its directives, which are not tokens. CUDA's own
// names need no include.
std::pair<Range, std::string> AtTop(std::string text) {
  return {Mutants::Before(0), std::move(text)};
}

// Returns the token { of each definition of a function with this name.
std::vector<std::size_t> BodiesOf(const Source& source, const std::string& name) {
  std::vector<std::size_t> bodies;
  for (std::size_t i = 0; i + 1 < source.tokens().size(); ++i) {
    if (!source.Is(i, name) || !source.Is(i + 1, "(")) continue;
    const std::size_t body = source.Match(i + 1) + 1;
    if (source.Is(body, "{")) bodies.push_back(body);
  }
  return bodies;
}

void AddIdleLaunches(const Source& source, const std::vector<std::string>& functions, int launches,
                     Mutants& mutants) {
  Parts parts;
  for (const std::string& function : functions) {
    for (const std::size_t body : BodiesOf(source, function)) {
      parts.emplace_back(Mutants::Before(body + 1), "for (int idle_ = 0; idle_ < " +
                                                        std::to_string(launches) +
                                                        "; ++idle_) warpcheck_idle<<<1, 1>>>(); ");
    }
  }
  if (parts.empty()) return;
  parts.push_back(AtTop(kIdleKernel));
  mutants.Together(std::to_string(launches) + " empty launches", parts);
}

// Returns true if a statement can be inserted before this token: it follows the end of a statement
// or the beginning of a block.
bool BeginsStatement(const Source& source, std::size_t token) {
  return token > 0 &&
         (source.Is(token - 1, ";") || source.Is(token - 1, "{") || source.Is(token - 1, "}"));
}

bool EndsHead(const Source& source, std::size_t token) {
  return source.Is(token, ")") || source.Is(token, "else");
}

// Returns the first token of the statement that ends with the ; at `end`, or kNone if it is
// unknown.
std::size_t StatementBefore(const Source& source, std::size_t end) {
  for (std::size_t i = end; i-- > 0;) {
    if (BeginsStatement(source, i)) return i;
    if (i > 0 && EndsHead(source, i - 1) && source.IsName(i)) return i;
    if (source.Is(i, ")") || source.Is(i, "]") || source.Is(i, ">>>")) i = source.Match(i);
    if (i == 0) break;
  }
  return kNone;
}

// Returns true if `token` belongs to device code, which is a function without a launch.
bool InKernel(const Source& source, std::size_t token) {
  for (const Scope& scope : ScopesOf(source)) {
    const bool inside = token >= scope.body.begin && token < scope.body.end;
    if (!inside || scope.body.begin == 0) continue;
    for (std::size_t i = scope.body.begin; i-- > 0;) {
      if (source.Is(i, "__global__") || source.Is(i, "__device__")) return true;
      if (source.Is(i, ";") || source.Is(i, "}")) break;
    }
  }
  return false;
}

// Adds perfect accesses on each line of a kernel that a complaint names.
void AddDummies(const Source& source, const std::set<int>& blamed, const std::string& change,
                const std::string& accesses, const std::string& top, Mutants& mutants) {
  Parts parts;
  std::set<int> done;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    const int line = source.tokens()[i].line;
    if (!blamed.contains(line) || done.contains(line)) continue;
    if (!BeginsStatement(source, i) || source.Is(i, "}") || source.Is(i, "else")) continue;
    if (!InKernel(source, i)) continue;
    done.insert(line);
    parts.emplace_back(Mutants::Before(i), accesses);
  }
  if (parts.empty()) return;
  if (!top.empty()) parts.push_back(AtTop(top));
  mutants.Together(change, parts);
}

void CutBlocks(const Source& source, bool same_threads, Mutants& mutants) {
  Parts parts;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.Is(i, "<<<")) continue;
    const std::vector<Range> list = ListElements(source, i);
    if (list.size() < 2) continue;
    const std::string grid(source.Text(list[0].begin, list[0].end));
    const std::string block(source.Text(list[1].begin, list[1].end));
    if (same_threads) {
      parts.emplace_back(list[0], fmt::format("warpcheck_grid({}, {})", grid, block));
    }
    parts.emplace_back(list[1], "dim3(1)");
  }
  if (parts.empty()) return;
  if (same_threads) parts.push_back(AtTop(kGrid));
  mutants.Together(same_threads ? "a block for each thread" : "one thread a block", parts);
}

void Repeat(const Source& source, std::size_t begin, std::size_t end, Parts& parts) {
  const std::string statement(source.Text(begin, end + 1));
  parts.emplace_back(Range{begin, end + 1}, "{ " + statement + " " + statement + " }");
}

void RepeatLaunches(const Source& source, Mutants& mutants) {
  Parts parts;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.Is(i, ">>>") || !source.Is(i + 1, "(")) continue;
    const std::size_t end = source.Match(i + 1) + 1;
    if (!source.Is(end, ";")) continue;
    const std::size_t begin = StatementBefore(source, end);
    if (begin != kNone) Repeat(source, begin, end, parts);
  }
  mutants.Together("every launch twice", parts);
}

// Repeats each statement a[i] = b; of a kernel.
void RepeatStores(const Source& source, Mutants& mutants) {
  Parts parts;
  for (std::size_t i = 1; i < source.tokens().size(); ++i) {
    if (!source.Is(i, "=") || !source.Is(i - 1, "]") || !InKernel(source, i)) continue;
    const std::size_t name = source.Match(i - 1) - 1;
    if (!source.IsName(name)) continue;
    if (!BeginsStatement(source, name) && !(name > 0 && EndsHead(source, name - 1))) continue;
    std::size_t end = i;
    while (end < source.tokens().size() && !source.Is(end, ";")) {
      const std::size_t close = source.Match(end);
      end = close != kNone && close > end ? close + 1 : end + 1;
    }
    Repeat(source, name, end, parts);
    i = end;
  }
  mutants.Together("every store twice", parts);
}

}  // namespace

std::vector<std::string> FunctionsOf(const Source& header) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < header.tokens().size(); ++i) {
    if (!header.IsName(i) || !header.Is(i + 1, "(")) continue;
    if (header.Is(header.Match(i + 1) + 1, ";")) names.emplace_back(header.tokens()[i].text);
  }
  return names;
}

std::vector<Mutant> MoreWorkOf(const Source& source, const std::vector<std::string>& functions,
                               const std::set<int>& blamed) {
  Mutants mutants(source);
  if (source.tokens().empty()) return {};
  AddIdleLaunches(source, functions, 1, mutants);
  AddIdleLaunches(source, functions, kManyLaunches, mutants);
  AddDummies(source, blamed, "200 perfect loads on each blamed line",
             std::string("for (int d_ = 0; d_ < 200; ++d_) "
                         "(void)((const volatile float*)warpcheck_pool)[") +
                 kThreadNumber + "]; ",
             kPool, mutants);
  AddDummies(source, blamed, "60 perfect accesses of shared memory on each blamed line",
             std::string("{ __shared__ float warpcheck_row[1024]; for (int d_ = 0; d_ < 60; ++d_) "
                         "((volatile float*)warpcheck_row)[") +
                 kThreadNumber + "] = 0; } ",
             "", mutants);
  CutBlocks(source, true, mutants);
  CutBlocks(source, false, mutants);
  RepeatLaunches(source, mutants);
  RepeatStores(source, mutants);
  return mutants.Take();
}

}  // namespace warpcheck::mutation
