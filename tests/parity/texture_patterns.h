// Lists patterns of texture fetches by one warp. The program texture_sectors.cu makes these fetches
// on a GPU, and a test of the emulator counts the sectors of the same fetches by its law
// (docs/counters.md).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpcheck::parity {

// A pattern: how the texture is made, and where the lanes of a warp fetch from it.
struct TexturePattern {
  enum class Memory { kLinear, kPitched, kArray, kLine, kLayers, kVolume };
  enum class Format { kU8, kU16, kNormalizedU8x4, kF32, kF32x2, kF32x4 };

  std::string name;
  Memory memory = Memory::kLinear;
  Format format = Format::kF32;
  bool interpolates = false;
  bool border = false;       // coordinates outside give the border's colour; else they are clamped
  bool gathers = false;      // tex2Dgather instead of tex2D
  std::uint32_t mask = ~0U;  // the lanes that fetch
  // The coordinates of each lane, in texels; of linear memory x is an index. The third one is a
  // layer, or z.
  std::array<std::array<float, 3>, 32> at = {};
};

// The extents of the textures, in texels. Linear memory and lines use the first one.
constexpr int kTextureLine = 32'768;
constexpr int kTextureWidth = 512;
constexpr int kTextureHeight = 256;
constexpr int kTextureSlices = 8;

// Puts patterns into a list.
class TexturePatterns {
 public:
  using Memory = TexturePattern::Memory;
  using Format = TexturePattern::Format;

  static std::vector<TexturePattern> All() {
    TexturePatterns all;
    for (const Format format :
         {Format::kU8, Format::kU16, Format::kF32, Format::kF32x2, Format::kF32x4}) {
      all.Begin("linear", Memory::kLinear, format, false);
      all.Lines(0, 0);
    }
    for (const Memory memory : {Memory::kPitched, Memory::kArray}) {
      for (const Format format : {Format::kU8, Format::kF32, Format::kF32x2, Format::kF32x4}) {
        all.Begin(memory == Memory::kArray ? "array" : "pitched", memory, format, false);
        all.Planes();
      }
      for (const Format format :
           {Format::kNormalizedU8x4, Format::kF32, Format::kF32x2, Format::kF32x4}) {
        all.Begin(memory == Memory::kArray ? "array" : "pitched", memory, format, true);
        all.Planes();
      }
      for (const Format format : {Format::kF32, Format::kF32x4}) {
        for (const bool interpolates : {false, true}) {
          all.Begin(memory == Memory::kArray ? "array" : "pitched", memory, format, interpolates);
          all.Edges();
        }
      }
    }
    for (const bool interpolates : {false, true}) {
      all.Begin("line", Memory::kLine, Format::kF32, interpolates);
      all.Lines(64, 0.5F);
      all.Begin("layers", Memory::kLayers, Format::kF32, interpolates);
      all.Slices(0);
      all.Begin("volume", Memory::kVolume, Format::kF32, interpolates);
      all.Slices(0.5F);
    }
    all.Begin("gather", Memory::kArray, Format::kF32, true);
    all.next_.gathers = true;
    all.Tiles();
    return all.list_;
  }

 private:
  using Place = std::array<float, 3>;

  void Begin(const char* memory, Memory kind, Format format, bool interpolates) {
    static constexpr const char* kFormats[] = {"u8",  "u16",   "normalized_u8x4",
                                               "f32", "f32x2", "f32x4"};
    next_ = {};
    next_.memory = kind;
    next_.format = format;
    next_.interpolates = interpolates;
    prefix_ = std::string(memory) + " " + kFormats[static_cast<int>(format)] +
              (interpolates ? " linear " : " point ");
  }

  void Add(const std::string& name, const std::function<Place(int)>& place,
           std::uint32_t mask = ~0U) {
    next_.name = prefix_ + name;
    next_.mask = mask;
    for (int lane = 0; lane < 32; ++lane) {
      next_.at[static_cast<std::size_t>(lane)] = place(lane);
    }
    list_.push_back(next_);
  }

  static unsigned Hash(int lane, int seed) {
    unsigned hash = static_cast<unsigned>(lane + 100 * seed) * 2654435761U;
    hash ^= hash >> 15;
    hash *= 2246822519U;
    return hash ^ hash >> 13;
  }

  // Adds patterns in one dimension; coordinate = middle + first + an index.
  void Lines(int first, float middle) {
    const auto add = [&](const std::string& name, const std::function<int(int)>& index,
                         std::uint32_t mask = ~0U) {
      const auto place = [&](int lane) {
        return Place{static_cast<float>(first + index(lane)) + middle, 0, 0};
      };
      Add(name, place, mask);
    };
    for (const int stride : {0, 1, 2, 3, 4, 5, 8, 16, 32, 33}) {
      add("stride_" + std::to_string(stride), [=](int lane) { return stride * lane; });
    }
    for (const int offset : {1, 3, 7, 8, 31}) {
      add("offset_" + std::to_string(offset), [=](int lane) { return offset + lane; });
    }
    add("reversed", [](int lane) { return 31 - lane; });
    add("halves", [](int lane) { return lane / 16 * 1000 + lane % 16; });
    add("interleaved_2", [](int lane) { return lane % 2 * 1000 + lane / 2; });
    add("interleaved_4", [](int lane) { return lane % 4 * 1000 + lane / 4; });
    add("some_outside", [](int lane) { return lane % 3 != 0 ? lane : 2 * kTextureLine; });
    add("half_outside", [](int lane) { return lane < 16 ? lane : 2 * kTextureLine; });
    for (const int seed : {0, 2, 4, 6, 8}) {
      add("random_" + std::to_string(seed),
          [=](int lane) { return static_cast<int>(Hash(lane, seed) % (32U << seed)); });
    }
    for (const int lanes : {1, 3, 5, 8, 13, 20}) {
      add(
          "lanes_" + std::to_string(lanes), [](int lane) { return lane; }, (1U << lanes) - 1);
    }
    add(
        "even_lanes", [](int lane) { return lane; }, 0x55555555U);
  }

  void Tile(const std::string& name, int width, float x, float y, float step,
            std::uint32_t mask = ~0U) {
    const auto place = [=](int lane) {
      const int row = lane / width;
      return Place{x + step * static_cast<float>(lane % width), y + step * static_cast<float>(row),
                   0};
    };
    Add(name, place, mask);
  }

  void Tiles() {
    for (const int width : {32, 16, 8, 4, 2, 1}) {
      const std::string name = "tile_" + std::to_string(width);
      Tile(name, width, 64.5F, 32.5F, 1);
      Tile(name + "_odd", width, 67.5F, 33.5F, 1);
      Tile(name + "_between", width, 65, 33, 1);
      Tile(name + "_step_2", width, 64.5F, 32.5F, 2);
    }
  }

  void Planes() {
    Tiles();
    for (const int shift : {1, 2, 3}) {
      Tile("shift_" + std::to_string(shift), 32, 64.5F + static_cast<float>(shift), 32.5F, 1);
    }
    // Cosine and sine are fractions, so that every machine has the same coordinates.
    constexpr std::array<std::array<double, 3>, 4> kTurns = {
        {{12, 5, 13}, {4, 3, 5}, {3, 4, 5}, {5, 12, 13}}};
    for (const auto& turn : kTurns) {
      for (const int width : {32, 8}) {
        const auto place = [&](int lane) {
          const int row = lane / width;
          const double x = lane % width;
          const double y = row;
          return Place{static_cast<float>(128.37 + (x * turn[0] - y * turn[1]) / turn[2]),
                       static_cast<float>(128.41 + (x * turn[1] + y * turn[0]) / turn[2]), 0};
        };
        Add("turn_" + std::to_string(static_cast<int>(turn[0])) + "_" +
                std::to_string(static_cast<int>(turn[1])) + "_tile_" + std::to_string(width),
            place);
      }
    }
    for (const int lanes : {1, 3, 5, 8, 20}) {
      Tile("lanes_" + std::to_string(lanes), 32, 64.5F, 32.5F, 1, (1U << lanes) - 1);
    }
    Tile("even_lanes", 32, 64.5F, 32.5F, 1, 0x55555555U);
    Tile("same", 32, 99.5F, 77.5F, 0);
    Tile("same_quarter", 32, 99.25F, 77.25F, 0);
    for (const int seed : {0, 2, 4}) {
      const auto place = [=](int lane) {
        const unsigned hash = Hash(lane, seed);
        return Place{100.5F + static_cast<float>(hash % (4U << seed)),
                     100.5F + static_cast<float>((hash >> 12) % (4U << seed)), 0};
      };
      Add("random_" + std::to_string(seed), place);
    }
  }

  void Edges() {
    for (const bool border : {false, true}) {
      next_.border = border;
      const std::string name = border ? "border_" : "clamp_";
      Tile(name + "left", 32, -15.5F, 10.5F, 1);
      Tile(name + "outside", 32, -60.5F, 10.5F, 1);
      Tile(name + "corner", 8, -3.5F, -1.5F, 1);
      Tile(name + "mixed", 32, -2.5F, 10.5F, 1);
      Tile(name + "between", 32, -4, 10, 1);
      Tile(name + "right", 32, kTextureWidth - 14.25F, 10.25F, 1);
    }
  }

  // Adds patterns in which lanes fetch from several layers or slices; `middle` of a slice is 0.5.
  void Slices(float middle) {
    for (const int width : {32, 8}) {
      for (const int lanes : {32, 16, 4, 2, 1}) {  // so many neighbours fetch from one slice
        for (const float between : {0.0F, 0.5F}) {
          const auto place = [=](int lane) {
            const int row = lane / width;
            return Place{64.5F + between + static_cast<float>(lane % width),
                         32.5F + between + static_cast<float>(row),
                         static_cast<float>(lane / lanes % kTextureSlices) + middle};
          };
          Add("tile_" + std::to_string(width) + "_slices_of_" + std::to_string(lanes) +
                  (between != 0 ? "_between" : ""),
              place);
        }
      }
    }
  }

  std::vector<TexturePattern> list_;
  TexturePattern next_;
  std::string prefix_;
};

}  // namespace warpcheck::parity
