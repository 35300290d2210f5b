#include "provenance/objection.h"

#include <fmt/format.h>

#include "base/text.h"
#include "provenance/copied_bytes.h"

namespace warpcheck {
namespace {

constexpr std::uint64_t kManyConstants = 16'384;  // bytes; fewer may be coefficients
// In smaller inputs a halo is a large part, and in smaller results a flag is.
constexpr std::uint64_t kLargeInputs = 65'536;  // bytes
constexpr std::uint64_t kFlags = 8;             // bytes
// The host, or copies, may make less than one part in so many of a result.
constexpr std::uint64_t kShareOfOutputs = 8;

constexpr char kUseKernels[] = "kernels read the input and write the output";

// Returns the objection to copies that wrote a part of the result, or brought it into order.
std::optional<Objection> ObjectionToCopies(const HostTraffic& traffic, const ArraySizes& sizes) {
  if (traffic.written_to_outputs > 0) {
    return Objection{.kind = ComplaintKind::kHostWroteResult,
                     .message = fmt::format(
                         "the host wrote {} of the result with cudaMemcpy; the kernel must do that",
                         Counted(traffic.written_to_outputs, "byte")),
                     .hint = fmt::format("leave the data on the device: {}", kUseKernels)};
  }
  if (traffic.copied_input_to_output > 0) {
    return Objection{
        .kind = ComplaintKind::kCopiedResult,
        .message = fmt::format("cudaMemcpy wrote {} of the result; the kernel must do that",
                               Counted(traffic.copied_input_to_output, "byte")),
        .hint = kUseKernels};
  }
  if (kShareOfOutputs * traffic.rearranged_in_outputs > sizes.outputs) {
    return Objection{
        .kind = ComplaintKind::kSortedResult,
        .message = fmt::format(
            "cudaMemcpy put {} of the result into the right order; the kernel must do that",
            Counted(traffic.rearranged_in_outputs, "byte")),
        .hint = kUseKernels};
  }
  if (sizes.inputs >= kLargeInputs && kShareOfOutputs * traffic.rearranged >= sizes.inputs) {
    return Objection{
        .kind = ComplaintKind::kSortedInput,
        .message = fmt::format(
            "many small copies rearranged {} before the kernel; the kernel must do that",
            Counted(traffic.rearranged, "byte")),
        .hint = kUseKernels};
  }
  if (traffic.too_many_pieces) {
    return Objection{.kind = ComplaintKind::kTooManyPieces,
                     .message = fmt::format("the host copied more than {} separate pieces of "
                                            "memory, and warpcheck cannot follow more",
                                            Grouped(CopiedBytes::kMaxPieces)),
                     .hint = "copy whole arrays, or let a kernel do it"};
  }
  if (traffic.unsure_in_outputs > 0) {
    return Objection{
        .kind = ComplaintKind::kUnsureCopies,
        .sure = false,
        .message = fmt::format("cudaMemcpy wrote {} of the result before the last kernel, and "
                               "this device does not tell whether a kernel wrote them again",
                               Counted(traffic.unsure_in_outputs, "byte")),
        .hint = "remove that copy, or grade on the emulator: --device emulator"};
  }
  return std::nullopt;
}

// Returns whether the host may have computed a part of the result. The host's requests can carry no
// more information than it has read, so that a count or a flag is not a part of a large result.
bool ComputesOnTheHost(const HostTraffic& traffic, const ArraySizes& sizes) {
  if (traffic.differs.empty()) return false;
  // The rounds of a loop that stops by a few bytes say no more than when it stopped, however often
  // the host reads these bytes.
  if (traffic.differs_in_rounds && traffic.read_places <= kFlags) return false;
  const std::uint64_t read = traffic.differs_in_rounds ? traffic.read_places : traffic.read_back;
  return sizes.inputs >= kLargeInputs ? kShareOfOutputs * read >= sizes.outputs
                                      : read > kFlags && read >= sizes.outputs;
}

}  // namespace

std::optional<Objection> ObjectionTo(const HostTraffic& traffic, const ArraySizes& sizes) {
  if (auto objection = ObjectionToCopies(traffic, sizes)) return objection;
  if (kShareOfOutputs * traffic.foreign > traffic.host_arrays && traffic.host_arrays != 0) {
    return Objection{.kind = ComplaintKind::kForeignBytes,
                     .message = fmt::format("the host sent {} to the device that its arrays do not "
                                            "contain; the kernel must do the work",
                                            Counted(traffic.foreign, "byte")),
                     .hint = "copy the data as it is, and let kernels compute with it"};
  }
  if (ComputesOnTheHost(traffic, sizes)) {
    return Objection{
        .kind = ComplaintKind::kHostComputes,
        .message =
            fmt::format("the host read back {}, and its CUDA calls depend on them: with other "
                        "data it {}; the kernel must do the work",
                        Counted(traffic.read_back, "byte"), traffic.differs),
        .hint =
            "let kernels do the work: the host may print or check what it reads, but its later "
            "CUDA calls must not depend on it"};
  }
  if (traffic.copied_to_constants >= kManyConstants) {
    return Objection{.kind = ComplaintKind::kManyConstants,
                     .message = fmt::format(
                         "cudaMemcpy moved {} on the device to constant memory, where no counter "
                         "sees the loads; the kernel must load them from global memory",
                         Counted(traffic.copied_to_constants, "byte")),
                     .hint =
                         "let kernels read the input from global memory, and use constant memory "
                         "only for a few coefficients"};
  }
  return std::nullopt;
}

}  // namespace warpcheck
