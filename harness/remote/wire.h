// Encodes and decodes values for the payloads of frames (protocol.h). Numbers are little-endian.
// Texts, bytes and lists follow their u32 length. A record is written field by field
// (base/record.h), and a variant as its index and value. Decode() returns what Encode() wrote. For
// any bytes, a Decoder never reads outside of them, and allocates no more memory than they have.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/record.h"

namespace warpcheck::remote {

static_assert(std::endian::native == std::endian::little, "the wire is little endian");

// Appends values to a payload.
class Encoder {
 public:
  void U8(std::uint8_t value) { Number(value); }
  void U32(std::uint32_t value) { Number(value); }
  void U64(std::uint64_t value) { Number(value); }
  void I32(std::int32_t value) { Number(value); }
  template <class T>
  void Number(T value) {
    std::memcpy(Extend(sizeof value).data(), &value, sizeof value);
  }
  void Bytes(std::span<const std::byte> bytes);  // writes their number before them
  void Text(std::string_view text) { Bytes(std::as_bytes(std::span(text))); }

  // Adds space that the caller fills before the next change.
  std::span<std::byte> Extend(std::size_t bytes);

  void Clear() { payload_.clear(); }
  std::span<const std::byte> payload() const { return payload_; }

 private:
  std::vector<std::byte> payload_;
};

// Reads values from a payload. After the first value that is missing or longer than its limit,
// every value is zero or empty, and ok() is false.
class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> payload) : rest_(payload) {}

  std::uint8_t U8() { return Number<std::uint8_t>(); }
  std::uint32_t U32() { return Number<std::uint32_t>(); }
  std::uint64_t U64() { return Number<std::uint64_t>(); }
  std::int32_t I32() { return Number<std::int32_t>(); }
  template <class T>
  T Number() {
    T value{};
    const auto taken = Take(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  bool Bool();  // accepts only 0 and 1
  // Returns a view into the payload.
  std::span<const std::byte> Bytes(std::size_t max_bytes = SIZE_MAX);
  std::string_view Text(std::size_t max_bytes = SIZE_MAX);
  // Returns everything that remains.
  std::span<const std::byte> Rest() { return Take(rest_.size()); }

  // Reads the number of elements that follow. Each element has at least `element_bytes` bytes (not
  // 0).
  std::uint32_t Count(std::size_t element_bytes);

  void Refuse() { ok_ = false; }
  bool ok() const { return ok_; }
  bool Complete() const { return ok_ && rest_.empty(); }  // true if everything was read and valid

 private:
  std::span<const std::byte> Take(std::size_t bytes);

  std::span<const std::byte> rest_;
  bool ok_ = true;
};

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

template <class T>
void Encode(Encoder& to, const T& value) {
  if constexpr (Record<T>) {
    ForEachField<T>([&](const auto& field) { Encode(to, value.*field.member); });
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.Text(value);
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    to.Bytes(value);
  } else if constexpr (kIsList<T>) {
    to.U32(static_cast<std::uint32_t>(value.size()));
    for (const auto& element : value) Encode(to, element);
  } else if constexpr (kIsVariant<T>) {
    to.U8(static_cast<std::uint8_t>(value.index()));
    std::visit([&](const auto& alternative) { Encode(to, alternative); }, value);
  } else {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    to.Number(value);
  }
}

template <class T>
T Decode(Decoder& from);

// Decodes the alternative of the variant that has this index.
template <class Variant, std::size_t kIndex = 0>
Variant DecodeAlternative(Decoder& from, std::size_t index) {
  if constexpr (kIndex == std::variant_size_v<Variant>) {
    from.Refuse();
    return {};
  } else {
    if (index != kIndex) return DecodeAlternative<Variant, kIndex + 1>(from, index);
    return Decode<std::variant_alternative_t<kIndex, Variant>>(from);
  }
}

template <class T>
T Decode(Decoder& from) {
  if constexpr (Record<T>) {
    T value;
    ForEachField<T>([&](const auto& field) {
      auto& member = value.*field.member;
      member = Decode<std::remove_cvref_t<decltype(member)>>(from);
    });
    return value;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return T(from.Text());
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    const auto bytes = from.Bytes();
    return {bytes.begin(), bytes.end()};
  } else if constexpr (kIsList<T>) {
    T list;
    // Each element takes at least one byte in the payload, so the elements do not take much more
    // memory here than there.
    for (std::uint32_t left = from.Count(1); left > 0 && from.ok(); --left) {
      list.push_back(Decode<typename T::value_type>(from));
    }
    return list;
  } else if constexpr (kIsVariant<T>) {
    const std::uint8_t index = from.U8();
    return DecodeAlternative<T>(from, index);
  } else if constexpr (std::is_same_v<T, bool>) {
    return from.Bool();
  } else {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    return from.Number<T>();
  }
}

}  // namespace warpcheck::remote
