// DumpLog writes the arrays that cases compare to a file, for cases that somebody wants to look at.
#pragma once

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "results/array_dump.h"

namespace warpcheck {

class DumpLog {
 public:
  // Returns the only log of this process. It wants nothing until it is opened.
  static DumpLog& Current();

  // Opens the file to append to it. `cases` are the full names of the wanted cases; if there are
  // none, the first case with a wrong array is wanted. Call it before the process is confined.
  Result<> Open(const std::filesystem::path& path, std::vector<std::string> cases);

  // Passes the first wrong array to `take` instead of a file.
  void Open(std::function<void(ArrayDump)> take);

  // Returns whether an array that the running case compares is wanted. Of calls after the first one
  // only wrong arrays are.
  bool Wants(std::size_t call, bool is_right) const;
  // Writes the array of the running case.
  void Add(ArrayDump dump);

  // While a Pause exists, nothing is wanted.
  class Pause {
   public:
    Pause() { ++Current().pauses_; }
    ~Pause() { --Current().pauses_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
  };

 private:
  // A case that compares without end must not fill the disk.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  Descriptor file_;
  std::function<void(ArrayDump)> take_;
  std::vector<std::string> cases_;
  bool takes_first_wrong_ = false;
  std::size_t bytes_ = 0;
  int pauses_ = 0;
};

// The type of elements, as NumPy writes it; empty for types that it does not have.
template <class T>
inline constexpr std::string_view kNumpyType{};
template <>
inline constexpr std::string_view kNumpyType<float> = "<f4";
template <>
inline constexpr std::string_view kNumpyType<double> = "<f8";
template <std::integral T>
inline constexpr std::string_view kNumpyType<T> = sizeof(T) == 1
                                                      ? (std::signed_integral<T> ? "|i1" : "|u1")
                                                  : sizeof(T) == 2
                                                      ? (std::signed_integral<T> ? "<i2" : "<u2")
                                                  : sizeof(T) == 4
                                                      ? (std::signed_integral<T> ? "<i4" : "<u4")
                                                      : (std::signed_integral<T> ? "<i8" : "<u8");

// Returns the bytes of the elements; none if there are too many for a dump.
template <class T>
std::string BytesText(const std::vector<T>& values) {
  if (values.size() > ArrayDump::kMostElements) return {};
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace warpcheck
