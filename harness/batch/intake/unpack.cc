#include "batch/intake/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <locale.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/text/utf8.h"
#include "batch/course/student_names.h"
#include "batch/intake/file_names.h"
#include "batch/intake/listing_json.h"
#include "sandbox/confine/confined_run.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr std::uint64_t kRatioSlack = 1'000'000;
constexpr std::size_t kShownNameBytes = 400;
constexpr std::size_t kMaxRejected = 1'000;
constexpr std::uint64_t kConfinedMemory = std::uint64_t{1} << 30;
// Far below the speed of any machine.
constexpr std::uint64_t kBytesPerSecond = std::uint64_t{8} << 20;
// Bytes of a listing for each entry: a path, and its problem.
constexpr std::size_t kMaxEntryBytes = 3'000;
constexpr std::string_view kDamaged = "is damaged or incomplete, or is not an archive";

// Sets a UTF-8 locale for the thread while the object lives. libarchive converts names to the
// thread's locale, and without a UTF-8 locale it would lose all characters that are not ASCII.
class Utf8Locale {
 public:
  Utf8Locale() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_ != nullptr) before_ = ::uselocale(utf8_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (utf8_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(utf8_);
  }

 private:
  locale_t utf8_;
  locale_t before_ = nullptr;
};

struct Closer {
  void operator()(archive* opened) const { archive_read_free(opened); }
};

// Returns the entry's name: in UTF-8 if the archive declares its encoding, otherwise its bytes
// unchanged. Replaces the '\' of Windows tools by '/'.
std::string NameOf(archive_entry* entry) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  std::string text = name == nullptr ? "" : name;
  for (char& c : text) c = c == '\\' ? '/' : c;
  while (text.starts_with("./")) text.erase(0, 2);
  return text;
}

class Unpacker {
 public:
  Unpacker(fs::path folder, const UnpackLimits& limits)
      : folder_(std::move(folder)), limits_(limits), archive_(archive_read_new()) {
    archive_read_support_filter_gzip(archive_.get());
    archive_read_support_format_tar(archive_.get());
    // Only the directory at the end of a .zip says this.
    archive_read_support_format_zip_seekable(archive_.get());
  }

  Result<Listing> Read(int file) {
    struct stat facts = {};
    if (::fstat(file, &facts) == 0) packed_bytes_ = static_cast<std::uint64_t>(facts.st_size);
    if (archive_read_open_fd(archive_.get(), file, kBlockBytes) != ARCHIVE_OK) return Damaged();
    for (;;) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(archive_.get(), &entry);
      if (status == ARCHIVE_EOF) break;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return Damaged();
      WARPCHECK_TRY(CountRead());
      if (++entries_ > limits_.entries) {
        return Fail(fmt::format("has more than {} files and folders", limits_.entries));
      }
      WARPCHECK_TRY(Add(entry));
    }
    SortAndFilter(listing_.files);
    return std::move(listing_);
  }

 private:
  tl::unexpected<Error> Damaged() const {
    // libarchive knows this only after it has recognised the format.
    if (entries_ > 0 && archive_read_has_encrypted_entries(archive_.get()) > 0) {
      return Fail("is encrypted: pack it without a password");
    }
    const char* why = archive_error_string(archive_.get());
    return Fail(std::string(kDamaged) +
                (why == nullptr ? "" : fmt::format(" ({})", Readable(why))));
  }

  Result<> Add(archive_entry* entry) {
    std::string name = NameOf(entry);
    const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (is_folder && (name.empty() || name == ".")) return {};
    if (std::string problem = WhyPathRefused(name); !problem.empty()) {
      const std::string what = name.empty() ? fmt::format("entry {}", entries_) : ShortOf(name);
      if (listing_.rejected.size() >= kMaxRejected) {
        return Fail(fmt::format("has more than {} names that cannot be used; the last is {}: {}",
                                kMaxRejected, what, problem));
      }
      listing_.rejected.push_back({what, std::move(problem)});
      return Count(DeclaredBytes(entry));
    }
    if (is_folder) {
      const std::size_t slash = name.find('/');
      listing_.files.push_back({.name = name.substr(0, slash) + "/"});
      return {};
    }
    File file{.name = std::move(name), .contents = {}, .problem = ProblemWith(entry)};
    if (!names_.insert(file.name).second) file.problem = "is in the archive twice";
    if (const std::size_t slash = file.name.find('/'); slash != std::string::npos) {
      listing_.files.push_back({.name = file.name.substr(0, slash + 1)});
    }
    Result<> kept =
        file.problem.empty() && MaxBytes(file.name) > 0 ? Keep(file) : Count(DeclaredBytes(entry));
    listing_.files.push_back(std::move(file));
    return kept;
  }

  static std::string ShortOf(const std::string& name) {
    return Readable(name.substr(0, kShownNameBytes)) + (name.size() > kShownNameBytes ? "..." : "");
  }

  // Rejects unusual compression methods: they can take gigabytes of memory for a few bytes.
  std::string PackingProblem() const {
    const std::string_view format = archive_format_name(archive_.get());
    const bool known = !format.starts_with("ZIP") || format.ends_with("(uncompressed)") ||
                       format.ends_with("(deflation)");
    return known ? ""
                 : fmt::format(
                       "uses an unusual compression ({}): make the zip file again with "
                       "ordinary compression",
                       format);
  }

  std::string ProblemWith(archive_entry* entry) const {
    if (std::string problem = PackingProblem(); !problem.empty()) return problem;
    if (archive_entry_is_encrypted(entry) != 0) return "is encrypted: pack it without a password";
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
      return "is a link: put the file itself there";
    }
    if (archive_entry_filetype(entry) != AE_IFREG) return "is neither a file nor a folder";
    return {};
  }

  static std::uint64_t DeclaredBytes(archive_entry* entry) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(archive_entry_size(entry), 0));
  }

  // Counts unpacked bytes. Skipped entries count too, because tar and gzip must unpack them.
  Result<> Count(std::uint64_t bytes) {
    bytes_ = bytes > std::numeric_limits<std::uint64_t>::max() - bytes_ ? limits_.bytes + 1
                                                                        : bytes_ + bytes;
    if (bytes_ > limits_.bytes) {
      return Fail(fmt::format("holds more than {} bytes", limits_.bytes));
    }
    return {};
  }

  // Checks all bytes read so far, including headers, names and padding, because an archive may have
  // gigabytes of these beside its files.
  Result<> CountRead() const {
    const auto read = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), 0));
    if (read > limits_.bytes + kRatioSlack)
      return Fail(fmt::format("holds more than {} bytes", limits_.bytes));
    return {};
  }

  Result<> Keep(File& file) {
    const std::uint64_t most = MaxBytes(file.name);
    std::string bytes;
    std::string block(kBlockBytes, '\0');
    for (;;) {
      const auto got = archive_read_data(archive_.get(), block.data(), block.size());
      if (got < 0) return Damaged();
      if (got == 0) break;
      bytes.append(block.data(), static_cast<std::size_t>(got));
      WARPCHECK_TRY(Count(static_cast<std::uint64_t>(got)));
      kept_bytes_ += static_cast<std::uint64_t>(got);
      if (kept_bytes_ > kRatioSlack + limits_.ratio * packed_bytes_) {
        return Fail(fmt::format("unpacks to more than {} times its size", limits_.ratio));
      }
      if (bytes.size() > most) {
        file.problem = fmt::format("is larger than {} bytes", most);
        return {};
      }
    }
    file.contents = folder_ / std::to_string(entries_);
    return WriteFile(file.contents, bytes);
  }

  const fs::path folder_;
  const UnpackLimits limits_;
  const std::unique_ptr<archive, Closer> archive_;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::set<std::string> names_;
  Listing listing_;
};

}  // namespace

Result<Listing> UnpackHere(int archive, const fs::path& folder, const UnpackLimits& limits) {
  const Utf8Locale utf8;
  return Unpacker(folder, limits).Read(archive);
}

Result<Listing> Unpack(const fs::path& archive, const fs::path& folder,
                       const UnpackLimits& limits) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Fail(fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  }
  // Opens the file here, because the confined process may not open files.
  const Descriptor file(::open(archive.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  const sandbox::ConfinedRun run = {
      .confinement = {.readable = {}, .writable = {folder}, .memory_bytes = kConfinedMemory},
      .cpu_limit = std::chrono::seconds(60 + limits.bytes / kBytesPerSecond),
      .max_result = (limits.entries + 100) * kMaxEntryBytes,
      .kept = {file.get()}};
  return sandbox::RunConfined(run,
                              [&] {
                                // RunConfined may call this function twice.
                                ::lseek(file.get(), 0, SEEK_SET);
                                return ListingText(UnpackHere(file.get(), folder, limits));
                              })
      .and_then([&](const std::string& text) { return ListingFrom(text, folder); });
}

}  // namespace warpcheck::batch
