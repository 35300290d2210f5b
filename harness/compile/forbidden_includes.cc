#include "compile/forbidden_includes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <utility>

#include "base/files.h"
#include "compile/messages/compile_log.h"
#include "compile/source/includes.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

// The suffixes of the files in which nvcc keeps the preprocessor's output, for the device and for
// the host.
constexpr const char* kPreprocessed[] = {".cpp1.ii", ".cpp4.ii"};
constexpr std::size_t kMostPreprocessedBytes = std::size_t{256} << 20;
constexpr int kMostMissing = 16;  // headers that this machine does not have

bool IsKept(const fs::path& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// One run of the preprocessor. `complaint` is its first error, if it fails.
struct Preprocessed {
  std::string text;
  std::optional<CompileError> complaint;
};

// nvcc preprocesses for the device. Without the macro that names its generation, the text is that
// of the host.
Result<Preprocessed> Preprocess(sandbox::Sandbox& sandbox, const NvccRun& run, const Places& places,
                                const std::string& kernel, bool for_host) {
  const std::string name = for_host ? "host.ii" : "device.ii";
  sandbox::Command command = NvccCommand(run, places);
  command.arguments.emplace_back("-E");
  if (for_host) command.arguments.emplace_back("-U__CUDA_ARCH__");
  command.arguments.insert(command.arguments.end(),
                           {fmt::format("{}/{}", places.sources, kernel), "-o",
                            fmt::format("{}/{}/{}", places.output, kKept, name)});
  const auto ending = WARPCHECK_TRY(sandbox.Run(command));
  const fs::path file = run.work / "out" / kKept / name;
  Preprocessed end;
  if (ending.cause == sandbox::Cause::kExited && ending.exit_code == 0 && IsKept(file)) {
    end.text = WARPCHECK_TRY(ReadFile(file, kMostPreprocessedBytes));
  } else if (ending.cause == sandbox::Cause::kExited) {
    end.complaint =
        ParseErrors(CleanLog(ending.stdout_text + ending.stderr_text, {places.sources}));
  }
  std::error_code failure;
  fs::remove(file, failure);
  return end;
}

// Returns the forbidden header that the preprocessor has not found on this machine.
std::optional<ForbiddenInclude> MissingHeader(const CompileError& complaint,
                                              const Language& language) {
  constexpr std::string_view kMissing = ": No such file or directory";
  const std::string_view message = complaint.message;
  if (!message.ends_with(kMissing) || !complaint.where.known()) return std::nullopt;
  std::string name(message.substr(0, message.size() - kMissing.size()));
  if (!IsForbidden(name, language)) return std::nullopt;
  return ForbiddenInclude{complaint.where, std::move(name)};
}

void AddOnce(ForbiddenInclude include, std::vector<ForbiddenInclude>& found) {
  const auto same = [&](const ForbiddenInclude& other) { return other.where == include.where; };
  if (std::ranges::none_of(found, same)) found.push_back(std::move(include));
}

// Adds what one pass finds. Returns whether it was ended by a forbidden header that is missing, so
// that it has to be made again without this line.
Result<bool> AddPass(const Result<Preprocessed>& pass, const NvccRun& run, const Places& places,
                     std::vector<ForbiddenInclude>& found) {
  const Preprocessed& end = WARPCHECK_TRY(pass);
  if (end.complaint) {
    auto missing = MissingHeader(*end.complaint, run.language);
    if (!missing) return false;  // the compiler will say it
    AddOnce(*std::move(missing), found);
    return true;
  }
  for (Include& include : ReadPreprocessed(end.text, places.sources).includes) {
    if (!BringsForbidden(include, run.language)) continue;
    AddOnce({std::move(include.where), NameOfHeader(include.path)}, found);
  }
  return false;
}

}  // namespace

Result<std::vector<ForbiddenInclude>> FindBeforeCompiling(sandbox::Sandbox& sandbox,
                                                          const NvccRun& run,
                                                          const Places& places) {
  std::vector<ForbiddenInclude> found;
  if (!MayIncludeForbidden(run.sources, run.language)) return found;
  for (const std::string& kernel : run.sources.kernels) {
    for (int missing = 0; missing < kMostMissing; ++missing) {
      const auto pass = [&](bool for_host) {
        return Preprocess(sandbox, run, places, kernel, for_host);
      };
      auto host = std::async(std::launch::async, pass, true);
      const auto device = pass(false);
      const bool of_device = WARPCHECK_TRY(AddPass(device, run, places, found));
      const bool of_host = WARPCHECK_TRY(AddPass(host.get(), run, places, found));
      if (!of_device && !of_host) break;
      const auto rest = Without(found, run.sources);
      if (!rest) return found;
      WARPCHECK_TRY(WriteSources(*rest, run.work / "in"));
    }
  }
  return found;
}

std::optional<Sources> Without(const std::vector<ForbiddenInclude>& lines, Sources sources) {
  for (const ForbiddenInclude& include : lines) {
    const auto file = std::ranges::find(sources.files, include.where.file, &SourceFile::name);
    if (file == sources.files.end()) return std::nullopt;
    std::size_t begin = 0;
    for (int line = 1; line < include.where.line; ++line) {
      begin = file->bytes.find('\n', begin);
      if (begin == std::string::npos) return std::nullopt;
      ++begin;
    }
    const std::size_t end = std::min(file->bytes.find('\n', begin), file->bytes.size());
    file->bytes.erase(begin, end - begin);
  }
  return sources;
}

CompileError NotAllowed(SourceLocation where, const std::string& what, const Language& language) {
  CompileError error{.log = {}, .where = std::move(where), .message = what};
  const std::string hint =
      language.allow.empty()
          ? "other headers do a part of the exercise; write yourself what they offer"
          : fmt::format(
                "this exercise allows only these headers: {}; write yourself what other "
                "headers offer",
                fmt::join(language.allow, ", "));
  error.log =
      fmt::format("{}({}): error: {}\nhint: {}\n", error.where.file, error.where.line, what, hint);
  return error;
}

CompileError NotAllowed(const ForbiddenInclude& include, const Language& language) {
  return NotAllowed(include.where, fmt::format("<{}> is not allowed here", include.header),
                    language);
}

std::string NeedlessWarnings(const std::vector<ForbiddenInclude>& lines) {
  std::string text;
  for (const ForbiddenInclude& include : lines) {
    text += fmt::format(
        "{}({}): warning: <{}> is not allowed here, and the program does not need it: it was "
        "compiled without this line\n",
        include.where.file, include.where.line, include.header);
  }
  return text;
}

Result<std::optional<CompileError>> FindAfterCompiling(const NvccRun& run, const Places& places) {
  if (run.language.allow.empty() && run.language.forbid.empty()) return std::nullopt;
  const auto kept = run.work / "out" / kKept;
  std::vector<std::string> names;
  std::optional<CompileError> error;
  for (const std::string& kernel : run.sources.kernels) {
    for (const char* const ending : kPreprocessed) {
      const fs::path file = kept / (fs::path(kernel).stem().string() + ending);
      if (!IsKept(file)) return Fail(fmt::format("nvcc kept no {}", file.filename().string()));
      const std::string text = WARPCHECK_TRY(ReadFile(file, kMostPreprocessedBytes));
      OwnFiles own = ReadPreprocessed(text, places.sources);
      names.insert(names.end(), own.names.begin(), own.names.end());
      if (own.made_by_macro && !error) {
        error = NotAllowed(*own.made_by_macro,
                           "a macro makes a line that begins with `#`, as an #include does",
                           run.language);
      }
      for (Include& include : own.includes) {
        if (error || !BringsForbidden(include, run.language)) continue;
        error =
            NotAllowed(ForbiddenInclude{include.where, NameOfHeader(include.path)}, run.language);
      }
    }
  }
  // Such a line could hide headers from the check above.
  if (const auto marker = FindLineMarker(run.sources, names)) {
    return NotAllowed(*marker, "only compilers may write a line `# number \"file\"`", run.language);
  }
  return error;
}

}  // namespace warpcheck::compile
