#include "cudart/fat_binary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>

namespace warpcheck::cudart {
namespace {

// Builds the bytes of a fat binary, field by field.
class Builder {
 public:
  struct Options {
    std::uint16_t kind = 1;
    std::uint32_t architecture = 90;
    std::uint32_t compressed = 0;
    std::uint64_t flags = 0x11;
  };

  Builder() : bytes_(16, '\0') {
    Put<std::uint32_t>(0, 0xBA55ED50);
    Put<std::uint16_t>(4, 1);
    Put<std::uint16_t>(6, 16);
  }

  Builder& Entry(std::string_view payload, Options options) {
    const std::size_t at = bytes_.size();
    bytes_.append(64, '\0').append(payload);
    Put(at, options.kind);
    Put<std::uint32_t>(at + 4, 64);
    Put<std::uint64_t>(at + 8, payload.size());
    Put(at + 16, options.compressed);
    Put(at + 28, options.architecture);
    Put(at + 40, options.flags);
    Put<std::uint64_t>(8, bytes_.size() - 16);
    return *this;
  }

  template <class T>
  Builder& Put(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof(value));
    return *this;
  }

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_)); }

  // Returns the text of the selected PTX, or of the failure.
  std::string Select(int architecture = 90) const {
    const auto ptx = SelectPtx(bytes(), architecture);
    return ptx ? *ptx : ptx.error().Text();
  }

 private:
  std::string bytes_;
};

TEST(SelectPtx, TakesTheTextWithoutItsPadding) {
  EXPECT_EQ(Builder().Entry({".version 9.0\n\0\0\0", 16}, {}).Select(), ".version 9.0\n");
}

TEST(SelectPtx, PrefersTheHighestArchitectureThatTheDeviceHas) {
  const Builder builder = Builder()
                              .Entry("70", {.architecture = 70})
                              .Entry("cubin", {.kind = 2})
                              .Entry("86", {.architecture = 86})
                              .Entry("80", {.architecture = 80})
                              .Entry("100", {.architecture = 100});
  EXPECT_EQ(builder.Select(90), "86");
  EXPECT_EQ(builder.Select(80), "80");
}

TEST(SelectPtx, SaysWhyThereIsNone) {
  EXPECT_EQ(Builder().Select(),
            "error: the object holds no device code\n"
            "  compile with -gencode arch=compute_90,code=compute_90");
  EXPECT_EQ(Builder().Entry("cubin", {.kind = 2}).Select(),
            "error: the object holds machine code only, no PTX\n"
            "  compile with -gencode arch=compute_90,code=compute_90");
  EXPECT_EQ(Builder().Entry("x", {.architecture = 100}).Select(),
            "error: the object holds PTX for compute_100 only, the device is compute_90\n"
            "  compile with -gencode arch=compute_90,code=compute_90");
  EXPECT_EQ(Builder().Entry("x", {.compressed = 1}).Select(),
            "error: the object's PTX is compressed in an unknown way\n"
            "  compile with --no-compress");
}

TEST(SelectPtx, RefusesDamage) {
  EXPECT_EQ(SelectPtx({}, 90).error().message, "the fat binary is shorter than its header");
  EXPECT_EQ(Builder().Put<std::uint32_t>(0, 1).Select(),
            "error: the device code of this object is not a fat binary");
  EXPECT_EQ(Builder().Put<std::uint64_t>(8, 64).Select(),
            "error: the fat binary is cut short: 16 of 80 bytes");
  EXPECT_EQ(Builder().Put<std::uint64_t>(8, ~0ULL).Select(),
            "error: the fat binary's header is damaged: 16 bytes of header, "
            "18446744073709551615 of data");
  for (const std::uint64_t flags : {0x8011U, 0x2011U}) {  // zstd and LZ4
    const Builder packed = Builder().Entry("no frame", {.compressed = 8, .flags = flags});
    EXPECT_EQ(packed.Select(), "error: the object's compressed PTX is damaged");
    EXPECT_EQ(Builder(packed).Put<std::uint64_t>(72, 1ULL << 40).Select(),
              "error: the object's compressed PTX would have 1099511627776 bytes");
  }
  EXPECT_EQ(Builder().Entry("1234", {}).Put<std::uint64_t>(24, 5).Select(),
            "error: an entry of the fat binary is damaged: 64 bytes of header and 5 of data where "
            "68 are left");
  EXPECT_EQ(Builder().Entry("1234", {}).Put<std::uint32_t>(20, 0).Select(),
            "error: an entry of the fat binary is damaged: 0 bytes of header and 4 of data where "
            "68 are left");
  EXPECT_EQ(Builder().Entry("1234", {}).Put<std::uint64_t>(8, 10).Select(),
            "error: the fat binary ends within an entry's header");
}

struct Wrapper {
  std::uint32_t magic = 0x466243B1;
  std::uint32_t version = 1;
  const void* data = nullptr;
  const void* prelinked = nullptr;
};

TEST(FatBinaryBytes, AreThoseTheHeaderStates) {
  const Builder builder = Builder().Entry("text", {});
  const auto bytes = builder.bytes();
  const Wrapper wrapper = {.data = bytes.data()};
  const auto found = FatBinaryBytes(&wrapper);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->data(), bytes.data());
  EXPECT_EQ(found->size(), bytes.size());
}

TEST(FatBinaryBytes, RefusesOtherWrappers) {
  const Wrapper unknown = {.magic = 1};
  const Wrapper linked = {.version = 2};
  const Wrapper empty;
  EXPECT_EQ(FatBinaryBytes(nullptr).error().Text(),
            "error: the object's device code has no known wrapper");
  EXPECT_EQ(FatBinaryBytes(&unknown).error().Text(),
            "error: the object's device code has no known wrapper");
  EXPECT_EQ(FatBinaryBytes(&linked).error().Text(),
            "error: the object holds linked device code\n  compile without -rdc=true");
  EXPECT_EQ(FatBinaryBytes(&empty).error().Text(), "error: the object holds no device code");
}

TEST(PtxBehind, TakesTheOneFileOfRelocatableCode) {
  const Builder program = Builder().Entry("text", {});
  const Builder device_runtime = Builder().Entry("newer", {.architecture = 121});
  const void* files[] = {program.bytes().data(), device_runtime.bytes().data(), nullptr};
  const Wrapper wrapper = {.version = 2, .prelinked = files};
  EXPECT_EQ(PtxBehind(&wrapper, 90).value(), "text");
  files[1] = program.bytes().data();
  EXPECT_EQ(PtxBehind(&wrapper, 90).error().Text(),
            "error: the object holds device code of 2 files that need linking, which warpcheck "
            "does not do\n  compile without -rdc=true, or include the files in one");
}

}  // namespace
}  // namespace warpcheck::cudart
