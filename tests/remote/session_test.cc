// Tests, request by request, what a host may and may not do to the device.
#include "remote/session.h"

#include <gtest/gtest.h>

#include <limits>

#include "remote/hosts.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr int kOk = 0;
constexpr int kInvalid = static_cast<int>(DeviceError::kInvalidValue);
constexpr int kNoMemory = static_cast<int>(DeviceError::kMemoryAllocation);
constexpr int kNoHandle = static_cast<int>(DeviceError::kInvalidResourceHandle);

// The judge and a host share the memory of one device; the tests make the requests of the host.
class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    judges_ = device_.Allocate(4096, 0).value();
    secret_ = device_.Allocate(4096, 0).value();
    EXPECT_EQ(device_.Fill(judges_, std::byte{1}, 4096), DeviceError::kSuccess);
    EXPECT_EQ(device_.Fill(secret_, std::byte{2}, 4096), DeviceError::kSuccess);
  }

  // Returns the error of the reply, or -1 for an invalid request.
  int Answer(Kind kind, std::initializer_list<std::uint64_t> numbers, const Bytes& tail = {}) {
    Encoder encoder;
    for (const std::uint64_t number : numbers) encoder.U64(number);
    std::ranges::copy(tail, encoder.Extend(tail.size()).begin());
    return AnswerTo(kind, encoder.payload());
  }
  int AnswerTo(Kind kind, std::span<const std::byte> payload) {
    return session_.Answer(kind, payload) ? Decoder(session_.reply()).I32() : -1;
  }
  std::uint64_t Number() {  // the number in the latest reply
    Decoder reply(session_.reply());
    (void)reply.I32();
    return reply.U64();
  }

  DeviceAddress Allocate(std::uint64_t bytes) {
    EXPECT_EQ(Answer(Kind::kAllocate, {bytes, 0}), kOk);
    return Number();
  }
  ModuleInfo Load(std::string_view ptx) {
    EXPECT_EQ(AnswerTo(Kind::kLoadModule, std::as_bytes(std::span(ptx))), kOk);
    Decoder reply(session_.reply());
    (void)reply.I32();
    return Decode<ModuleInfo>(reply);
  }
  int Unload(ModuleId module) {
    Encoder encoder;
    encoder.U32(module);
    return AnswerTo(Kind::kUnloadModule, encoder.payload());
  }
  int Launch(const LaunchRequest& launch) {
    Encoder encoder;
    Encode(encoder, launch);
    return AnswerTo(Kind::kLaunch, encoder.payload());
  }
  int CreateTexture(const TextureDescriptor& texture) {
    Encoder encoder;
    Encode(encoder, texture);
    return AnswerTo(Kind::kCreateTexture, encoder.payload());
  }
  int DestroyTexture(TextureHandle handle, bool is_surface) {
    Encoder encoder;
    encoder.U64(handle);
    encoder.U8(is_surface ? 1 : 0);
    return AnswerTo(Kind::kDestroyTexture, encoder.payload());
  }
  int Note(std::string_view function) {
    Encoder encoder;
    encoder.Text(function);
    return AnswerTo(Kind::kNoteUnsupportedCall, encoder.payload());
  }

  // Writes the first bytes of a range, but at most as many as a frame may carry.
  int Write(DeviceAddress to, std::uint64_t bytes) {
    const std::uint64_t now = std::min<std::uint64_t>(bytes, 16);
    return Part(Kind::kWrite, {.address = to}, {.width = now}, bytes, Bytes(now));
  }
  int Read(DeviceAddress from, std::uint64_t bytes) {
    return Part(Kind::kRead, {.address = from}, {.width = std::min<std::uint64_t>(bytes, 16)},
                bytes);
  }
  int Part(Kind kind, const DeviceBox& box, const Extent3& extent, std::uint64_t reach,
           const Bytes& tail = {}) {
    Encoder encoder;
    Encode(encoder, box);
    Encode(encoder, extent);
    encoder.U64(reach);
    std::ranges::copy(tail, encoder.Extend(tail.size()).begin());
    return AnswerTo(kind, encoder.payload());
  }
  int Fill(const DeviceBox& to, const Extent3& extent) {
    Encoder encoder;
    Encode(encoder, to);
    Encode(encoder, extent);
    encoder.U8(9);
    return AnswerTo(Kind::kFill, encoder.payload());
  }
  int Fill(DeviceAddress to, std::uint64_t bytes) {
    return Fill(DeviceBox{.address = to}, {.width = bytes});
  }
  int Copy(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) {
    Encoder encoder;
    Encode(encoder, to);
    Encode(encoder, from);
    Encode(encoder, extent);
    return AnswerTo(Kind::kCopy, encoder.payload());
  }
  int Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
    return Copy(DeviceBox{.address = to}, DeviceBox{.address = from}, {.width = bytes});
  }

  void ExpectAllowed(DeviceAddress address, std::uint64_t bytes) {
    EXPECT_EQ(Write(address, bytes), kOk);
    EXPECT_EQ(Read(address, bytes), kOk);
    EXPECT_EQ(Fill(address, bytes), kOk);
    EXPECT_EQ(Copy(address, address, bytes), kOk);
  }
  // Expects that no request writes to the range, returns its contents, or tells anything about it.
  void ExpectForbidden(DeviceAddress address, std::uint64_t bytes) {
    const int writes = device_.writes;
    EXPECT_EQ(Write(address, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(Read(address, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(session_.reply().size(), 4u);
    EXPECT_EQ(Fill(address, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(Copy(own_, address, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(Copy(address, own_, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(Copy(address, address, bytes), kInvalid) << std::hex << address << " + " << bytes;
    EXPECT_EQ(device_.writes, writes);
  }

  void Grant(std::vector<Argument> arguments) {
    session_.Begin({.function = "f", .arguments = std::move(arguments)});
  }
  Bytes Contents(DeviceAddress address) {
    Bytes bytes(4096);
    EXPECT_EQ(device_.Read(address, bytes), DeviceError::kSuccess);
    return bytes;
  }

  FakeDevice device_;
  Session session_{device_};
  DeviceAddress own_ = Allocate(8192);
  DeviceAddress judges_ = 0;
  DeviceAddress secret_ = 0;
};

constexpr std::string_view kSessionPtx = R"(
.global .align 4 .b8 table[64];
.visible .entry k(.param .u64 p) { ret; }
)";

TEST_F(SessionTest, OwnMemoryMayBeUsedToItsLastByte) {
  ExpectAllowed(own_, 8192);
  ExpectAllowed(own_ + 8191, 1);
  ExpectForbidden(own_, 8193);
  ExpectForbidden(own_ + 8191, 2);
  ExpectForbidden(own_ + 8192, 1);
  ExpectForbidden(own_ - 1, 1);
  ExpectForbidden(own_ - 1, 2);
}

TEST_F(SessionTest, MemoryOfTheJudgeMayNotBeUsed) {
  ExpectForbidden(judges_, 1);
  ExpectForbidden(secret_, 4096);
  EXPECT_EQ(Contents(judges_), Bytes(4096, std::byte{1}));
  EXPECT_EQ(Contents(secret_), Bytes(4096, std::byte{2}));
}

TEST_F(SessionTest, RangesThatOverflowMayNotBeUsed) {
  for (const DeviceAddress address : {own_, own_ + 1, judges_, DeviceAddress{1}, kMost}) {
    for (const std::uint64_t bytes : {kMost, kMost - 1, kMost - own_, kMost - own_ + 1,
                                      kMost - own_ + 4096, std::uint64_t{1} << 63}) {
      ExpectForbidden(address, bytes);
    }
  }
  ExpectForbidden(0, 1);
  ExpectForbidden(kMost, 1);
}

TEST_F(SessionTest, AGrantReachesFromItsAddressToItsEnd) {
  Grant({DevicePointer{judges_ + 1024, 512}, 3, HostArray{}});
  ExpectAllowed(judges_ + 1024, 512);
  ExpectAllowed(judges_ + 1535, 1);
  ExpectForbidden(judges_ + 1023, 1);
  ExpectForbidden(judges_ + 1023, 2);
  ExpectForbidden(judges_ + 1024, 513);
  ExpectForbidden(judges_ + 1535, 2);
  ExpectForbidden(judges_ + 1536, 1);
  ExpectForbidden(judges_, 4096);
}

TEST_F(SessionTest, OverlappingGrantsAllHold) {
  Grant(
      {DevicePointer{judges_, 4096}, DevicePointer{judges_, 16}, DevicePointer{judges_ + 64, 16}});
  ExpectAllowed(judges_, 4096);
  ExpectAllowed(judges_ + 64, 4032);
  ExpectForbidden(judges_ + 64, 4033);
}

TEST_F(SessionTest, NeighbouringGrantsAreNotOne) {
  Grant({DevicePointer{judges_, 64}, DevicePointer{judges_ + 64, 64}});
  ExpectAllowed(judges_, 64);
  ExpectAllowed(judges_ + 64, 64);
  ExpectForbidden(judges_, 65);
  ExpectForbidden(judges_ + 63, 2);
}

TEST_F(SessionTest, APointerWithoutBytesGrantsNothing) {
  Grant({DevicePointer{judges_, 0}, DevicePointer{}});
  ExpectForbidden(judges_, 1);
}

TEST_F(SessionTest, GrantsEndWithTheirCall) {
  Grant({DevicePointer{judges_, 4096}});
  ExpectAllowed(judges_, 4096);
  session_.End();
  ExpectForbidden(judges_, 1);
  Grant({DevicePointer{secret_, 4096}});
  ExpectForbidden(judges_, 1);
  Grant({});
  ExpectForbidden(secret_, 1);
}

TEST_F(SessionTest, CopiesBetweenGrantedAndOtherMemoryAreRefused) {
  Grant({DevicePointer{judges_, 4096}});
  EXPECT_EQ(Copy(judges_, secret_, 16), kInvalid);
  EXPECT_EQ(Copy(secret_, judges_, 16), kInvalid);
  EXPECT_EQ(Copy(judges_ + 4090, own_, 16), kInvalid);
  EXPECT_EQ(Copy(own_, judges_ + 4090, 16), kInvalid);
  EXPECT_EQ(Copy(judges_, own_, 4096), kOk);
  EXPECT_EQ(Contents(secret_), Bytes(4096, std::byte{2}));
}

TEST_F(SessionTest, NoBytesAreAllowedAnywhereAndChangeNothing) {
  Grant({DevicePointer{judges_, 4096}});
  EXPECT_EQ(Write(own_, 0), kOk);
  EXPECT_EQ(Read(judges_, 0), kOk);
  EXPECT_EQ(session_.reply().size(), 4u);
  // The answer is the same for an address of the judge and for an address in no allocation.
  for (const DeviceAddress address : {secret_, DeviceAddress{0}, DeviceAddress{0x1234}, kMost}) {
    EXPECT_EQ(Write(address, 0), kOk);
    EXPECT_EQ(Read(address, 0), kOk);
    EXPECT_EQ(Fill(address, 0), kOk);
    EXPECT_EQ(Copy(address, address, 0), kOk);
  }
  EXPECT_EQ(Contents(secret_), Bytes(4096, std::byte{2}));
}

TEST_F(SessionTest, AFrameMayNotBringMoreThanItAnnounces) {
  const DeviceBox own = {.address = own_};
  EXPECT_EQ(Part(Kind::kWrite, own, {.width = 16}, 15, Bytes(16)), -1);
  EXPECT_EQ(Part(Kind::kWrite, own, {.width = 15}, 16, Bytes(16)), -1);
  EXPECT_EQ(Part(Kind::kWrite, own, {.width = 16}, 16, Bytes(15)), -1);
  EXPECT_EQ(Part(Kind::kRead, own, {.width = 16}, 15), -1);
  EXPECT_EQ(Part(Kind::kRead, own, {.width = kMaxCopyBytes + 1}, kMost), -1);
  EXPECT_EQ(Part(Kind::kWrite, own, {.width = kMaxCopyBytes + 1}, kMost, Bytes(kMaxCopyBytes + 1)),
            -1);
}

TEST_F(SessionTest, BoxesLieInOneRangeWithTheirGaps) {
  const Extent3 extent = {.width = 16, .height = 4, .depth = 2};
  const auto box = [](DeviceAddress at, std::uint64_t pitch, std::uint64_t slice) {
    return DeviceBox{.address = at, .strides = {.pitch = pitch, .slice = slice}};
  };
  // The last byte has the number 8192: 4096 + 3 * 1024 + 16, from 1008 on.
  const std::uint64_t reach = 4096 + 3 * 1024 + 16;
  const DeviceBox fits = box(own_ + 8192 - reach, 1024, 4096);
  const DeviceBox beyond = box(own_ + 8192 - reach + 1, 1024, 4096);
  EXPECT_EQ(Part(Kind::kWrite, fits, extent, reach, Bytes(128)), kOk);
  EXPECT_EQ(Part(Kind::kRead, fits, extent, reach), kOk);
  EXPECT_EQ(Fill(fits, extent), kOk);
  EXPECT_EQ(Copy(fits, fits, extent), kOk);
  EXPECT_EQ(Part(Kind::kWrite, beyond, extent, reach, Bytes(128)), kInvalid);
  EXPECT_EQ(Part(Kind::kRead, beyond, extent, reach), kInvalid);
  EXPECT_EQ(Fill(beyond, extent), kInvalid);
  EXPECT_EQ(Copy(beyond, fits, extent), kInvalid);
  EXPECT_EQ(Copy(fits, beyond, extent), kInvalid);
}

TEST_F(SessionTest, BoxesThatOverflowOrOverlapThemselvesAreRefused) {
  struct Wrong {
    Strides strides;
    Extent3 extent;
  };
  const Wrong wrongs[] = {
      {{15, 0}, {16, 2, 1}},                   // rows overlap
      {{16, 31}, {16, 2, 2}},                  // slices overlap
      {{kMost, 0}, {16, 2, 1}},                // the end of the second row overflows
      {{kMost / 2, 0}, {16, 4, 1}},            // pitch * rows overflows
      {{16, kMost / 2 + 1}, {16, 2, 3}},       // slice * slices overflows
      {{1, 0}, {1, kMost, 1}},                 // there are as many rows as addresses
      {{1ULL << 32, 1ULL << 62}, {16, 1, 5}},  // the size wraps around to 16
  };
  for (const auto& [strides, extent] : wrongs) {
    const DeviceBox box = {.address = own_, .strides = strides};
    EXPECT_NE(Part(Kind::kWrite, box, extent, kMost, Bytes(16)), kOk);
    EXPECT_NE(Part(Kind::kRead, box, extent, kMost), kOk);
    EXPECT_EQ(Fill(box, extent), kInvalid);
    EXPECT_EQ(Copy(box, {.address = own_}, extent), kInvalid);
    EXPECT_EQ(Copy({.address = own_}, box, extent), kInvalid);
  }
}

TEST_F(SessionTest, AsksOnlyForWhatTheHostMayUse) {
  Grant({DevicePointer{judges_, 4096}});
  for (const DeviceAddress address : {own_, judges_, judges_ + 4095}) {
    EXPECT_EQ(Answer(Kind::kHolds, {address, 1}), kOk);
  }
  EXPECT_EQ(Answer(Kind::kHolds, {own_, 8193}), kInvalid);
  for (const DeviceAddress address : {secret_, judges_ + 4096, DeviceAddress{0}, kMost}) {
    EXPECT_EQ(Answer(Kind::kHolds, {address, 1}), kInvalid);
    EXPECT_EQ(Answer(Kind::kHolds, {address, 0}), kInvalid);
    EXPECT_EQ(session_.reply().size(), 4u);
  }
}

TEST_F(SessionTest, AfterAResetNothingMayBeUsed) {
  Grant({DevicePointer{judges_, 4096}});
  Load(kSessionPtx);
  EXPECT_EQ(Answer(Kind::kReset, {}), kOk);
  EXPECT_EQ(device_.Allocated(), 0u);
  EXPECT_EQ(Fill(own_, 1), kInvalid);
  EXPECT_EQ(Fill(judges_, 1), kInvalid);
  EXPECT_EQ(Answer(Kind::kFree, {own_}), kInvalid);
  ExpectAllowed(own_ = Allocate(4096), 4096);
}

TEST_F(SessionTest, FreedMemoryMayNotBeUsedNorFreedAgain) {
  const DeviceAddress freed = Allocate(4096);
  EXPECT_EQ(Answer(Kind::kFree, {freed}), kOk);
  ExpectForbidden(freed, 1);
  EXPECT_EQ(Answer(Kind::kFree, {freed}), kInvalid);
}

TEST_F(SessionTest, OnlyWhatTheHostAllocatedMayBeFreed) {
  Grant({DevicePointer{judges_, 4096}});
  const ModuleInfo module = Load(kSessionPtx);
  ASSERT_EQ(module.variables.size(), 1u);
  for (const DeviceAddress address : {judges_, secret_, own_ + 1, own_ + 512, own_ - 1, kMost,
                                      DeviceAddress{1}, module.variables[0].address}) {
    EXPECT_EQ(Answer(Kind::kFree, {address}), kInvalid) << std::hex << address;
  }
  EXPECT_EQ(Answer(Kind::kFree, {0}), kOk);
  ExpectAllowed(own_, 8192);
  EXPECT_EQ(device_.Free(judges_), DeviceError::kSuccess);  // the allocation still exists
}

TEST_F(SessionTest, AnAllocationAtAnAddressOfTheJudgeIsRefused) {
  EXPECT_EQ(Answer(Kind::kAllocate, {4096, judges_}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {8192, judges_ - 4096}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {512, judges_ + 512}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {0, judges_}), kInvalid);
  EXPECT_EQ(Answer(Kind::kFree, {judges_}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {0, 0}), kInvalid);
  ExpectForbidden(judges_, 1);
  EXPECT_EQ(Contents(judges_), Bytes(4096, std::byte{1}));
}

TEST_F(SessionTest, AllocationsAtAddressesThatNoHostHasAreRefused) {
  constexpr DeviceAddress kEnd = DeviceAddress{1} << 47;
  for (const DeviceAddress at : {kEnd, kEnd + 512, kMost - 511, DeviceAddress{513}}) {
    EXPECT_EQ(Answer(Kind::kAllocate, {512, at}), kInvalid) << std::hex << at;
  }
  EXPECT_EQ(Answer(Kind::kAllocate, {1024, kEnd - 512}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {kMost, 512}), kInvalid);
  EXPECT_EQ(Answer(Kind::kAllocate, {512, kEnd - 512}), kOk);
  EXPECT_EQ(Number(), kEnd - 512);
  ExpectAllowed(kEnd - 512, 512);
}

TEST_F(SessionTest, ARefusedAllocationOwnsNothing) {
  device_.free_bytes = 100;
  EXPECT_EQ(Answer(Kind::kAllocate, {101, 0}), kNoMemory);
  EXPECT_EQ(session_.reply().size(), 4u);
  EXPECT_EQ(Answer(Kind::kAllocate, {kMost, 0}), kNoMemory);
  ExpectForbidden(device_.next_address, 1);
}

TEST_F(SessionTest, AllocationsAreLimited) {
  for (std::size_t i = 1; i < kMaxAllocations; ++i) {  // own_ is one of the allocations
    ASSERT_EQ(Answer(Kind::kAllocate, {1, 0}), kOk);
  }
  EXPECT_EQ(Answer(Kind::kAllocate, {1, 0}), kNoMemory);
  EXPECT_EQ(Answer(Kind::kFree, {own_}), kOk);
  EXPECT_EQ(Answer(Kind::kAllocate, {1, 0}), kOk);
  EXPECT_EQ(Answer(Kind::kAllocate, {1, 0}), kNoMemory);
}

TEST_F(SessionTest, ATextureReadsMemoryThatTheHostMayUse) {
  TextureDescriptor texture;
  texture.texels = own_;
  texture.width = 64;
  EXPECT_EQ(CreateTexture(texture), kOk);
  const TextureHandle handle = Number();
  ExpectForbidden(handle, 1);  // a host never writes a descriptor itself
  for (const DeviceAddress texels : {judges_, secret_, own_ + 8192}) {
    texture.texels = texels;
    EXPECT_EQ(CreateTexture(texture), kInvalid);
  }
  texture.texels = own_;
  texture.width = 4096;
  EXPECT_EQ(CreateTexture(texture), kInvalid) << "it ends too late";
  texture.width = 64;
  texture.magic = 0;
  EXPECT_EQ(CreateTexture(texture), kInvalid) << "it is no descriptor";
  EXPECT_EQ(AnswerTo(Kind::kCreateTexture, Bytes(sizeof texture - 1)), -1);
  EXPECT_EQ(DestroyTexture(handle, true), kInvalid) << "it is no surface";
  EXPECT_EQ(DestroyTexture(handle, false), kOk);
  EXPECT_EQ(DestroyTexture(handle, false), kInvalid);
}

TEST_F(SessionTest, TexturesOfOthersMayNotBeDestroyed) {
  TextureDescriptor texture;
  texture.texels = judges_;
  texture.width = 64;
  const auto handle = device_.CreateTexture(texture);
  ASSERT_TRUE(handle.has_value());
  EXPECT_EQ(DestroyTexture(*handle, false), kInvalid);
  EXPECT_EQ(device_.DestroyTexture({.handle = *handle}), DeviceError::kSuccess);
}

TEST_F(SessionTest, VariablesOfAModuleMayBeUsedUntilItIsUnloaded) {
  const ModuleInfo module = Load(kSessionPtx);
  ASSERT_EQ(module, device_.module);
  const DeviceAddress table = module.variables.at(0).address;
  ExpectAllowed(table, 64);
  ExpectForbidden(table, 65);
  ExpectForbidden(table - 1, 2);
  EXPECT_EQ(Unload(module.id), kOk);
  ExpectForbidden(table, 1);
  EXPECT_EQ(Unload(module.id), kNoHandle);
}

TEST_F(SessionTest, ModulesOfOthersMayNotBeUsed) {
  const ModuleInfo judges = device_.LoadModule(kSessionPtx).value();
  const ModuleInfo own = Load(kSessionPtx);
  ExpectForbidden(judges.variables.at(0).address, 1);
  const LaunchRequest launch{.module = judges.id,
                             .kernel = "k",
                             .grid = {},
                             .block = {},
                             .dynamic_shared_bytes = 0,
                             .cooperative = false,
                             .parameters = Bytes(8)};
  EXPECT_EQ(Launch(launch), kNoHandle);
  EXPECT_EQ(Unload(judges.id), kNoHandle);
  EXPECT_EQ(Unload(own.id + 1), kNoHandle);
  EXPECT_EQ(device_.modules_unloaded, 0);
  EXPECT_TRUE(device_.launches.empty());
  LaunchRequest of_own = launch;
  of_own.module = own.id;
  EXPECT_EQ(Launch(of_own), kOk);
  EXPECT_EQ(device_.launches.size(), 1u);
}

TEST_F(SessionTest, ModulesAreLimited) {
  for (std::size_t i = 0; i < kMaxModules; ++i) (void)Load(".target sm_90");
  const std::string_view ptx = ".target sm_90";
  EXPECT_EQ(AnswerTo(Kind::kLoadModule, std::as_bytes(std::span(ptx))), kNoMemory);
  EXPECT_EQ(device_.modules_loaded, static_cast<int>(kMaxModules));
  EXPECT_EQ(Unload(1), kOk);
  (void)Load(ptx);
}

TEST_F(SessionTest, PtxIsLimitedInAll) {
  const std::string half(kMaxPtxBytes / 2, ' ');
  const ModuleInfo first = Load(half);
  (void)Load(half);
  const std::string_view more = " ";
  EXPECT_EQ(AnswerTo(Kind::kLoadModule, std::as_bytes(std::span(more))), kNoMemory);
  EXPECT_EQ(device_.modules_loaded, 2);
  EXPECT_EQ(Unload(first.id), kOk);
  (void)Load(more);
  EXPECT_EQ(AnswerTo(Kind::kLoadModule, Bytes(kMaxPtxBytes + 1)), -1);
}

TEST_F(SessionTest, NamesAndParametersOfLaunchesAreLimited) {
  const ModuleInfo module = Load(kSessionPtx);
  LaunchRequest launch{.module = module.id,
                       .kernel = std::string(kMaxNameBytes, 'k'),
                       .grid = {},
                       .block = {},
                       .dynamic_shared_bytes = 0,
                       .cooperative = false,
                       .parameters = Bytes(kMaxParameterBytes)};
  EXPECT_EQ(Launch(launch), kOk);
  launch.kernel += 'k';
  EXPECT_EQ(Launch(launch), -1);
  launch.kernel = "k";
  launch.parameters.emplace_back();
  EXPECT_EQ(Launch(launch), -1);
  EXPECT_EQ(device_.launches.size(), 1u);
}

TEST_F(SessionTest, NotesOfUnsupportedCallsAreLimited) {
  EXPECT_EQ(Note("cudaGraphCreate"), kOk);
  EXPECT_EQ(Note("cudaGraphCreate"), kOk);
  for (const std::string_view name : {"", "rm -rf", "a\nb", "\x1B[2J", "f()"}) {
    EXPECT_EQ(Note(name), kOk);
  }
  EXPECT_EQ(device_.unsupported, std::vector<std::string>{"cudaGraphCreate"});
  EXPECT_EQ(Note(std::string(kMaxUnsupportedCallBytes + 1, 'x')), -1);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(Note("f" + std::to_string(i)), kOk);
  EXPECT_EQ(device_.unsupported.size(), kMaxUnsupportedCalls);
}

TEST_F(SessionTest, NotesOfMisuseAreLimited) {
  const auto note = [&](std::string_view kind, std::string_view message) {
    Encoder encoder;
    encoder.Text(kind);
    encoder.Text(message);
    encoder.Text("wait");  // the hint
    for (const char* file : {"a.cu", ""}) {
      encoder.Text(file);
      encoder.U32(7);
    }
    return AnswerTo(Kind::kNoteMisuse, encoder.payload());
  };
  EXPECT_EQ(note("leak", "64 bytes"), kOk);
  EXPECT_EQ(note("leak", "64 bytes"), kOk);
  EXPECT_EQ(device_.misuses, std::vector<std::string>{"leak: 64 bytes"});
  EXPECT_EQ(note("out_of_bounds_read", "only the device sees that"), -1);
  EXPECT_EQ(note("no_kind", "x"), -1);
  EXPECT_EQ(note("leak", std::string(kMaxMisuseBytes + 1, 'x')), -1);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(note("leak", std::to_string(i)), kOk);
  EXPECT_EQ(device_.misuses.size(), kMostFindingsOfAKind);
  EXPECT_EQ(note("invalid_free", "another kind"), kOk);
  EXPECT_EQ(device_.misuses.size(), kMostFindingsOfAKind + 1);
}

TEST_F(SessionTest, KindsThatAreNoRequestsAreRefused) {
  for (const int kind : {0, 1, 2, 16, 29, 65535}) {
    EXPECT_EQ(AnswerTo(static_cast<Kind>(kind), {}), -1) << kind;
  }
}

TEST(Session, GivesBackAllThatTheHostOwnedAndNoMore) {
  FakeDevice device;
  const DeviceAddress judges = device.Allocate(64, 0).value();
  const std::uint64_t before = device.Allocated();
  {
    Session session(device);
    Encoder encoder;
    encoder.U64(4096);
    encoder.U64(0);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(session.Answer(Kind::kAllocate, encoder.payload()));
    ASSERT_TRUE(session.Answer(Kind::kLoadModule, BytesOf(".target sm_90")));
    EXPECT_EQ(device.Allocated(), before + 3 * std::uint64_t{4096});
  }
  EXPECT_EQ(device.Allocated(), before);
  EXPECT_EQ(device.modules_unloaded, 1);
  EXPECT_EQ(device.Free(judges), DeviceError::kSuccess);
}

}  // namespace
}  // namespace warpcheck::remote
