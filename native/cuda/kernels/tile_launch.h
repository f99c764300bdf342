#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace offload {

/// What the choice of a tile kernel depends on.
struct TileTarget {
  /// The sm_90a image is loaded, so kernels whose names end in "_hopper" exist.
  bool hopper = false;
};

/// One launch of a kernel that takes one struct by value. `sharedBytes` is dynamic shared memory: above 48 KiB the function
/// needs CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES raised once.
struct TileLaunch {
  const char* kernel;
  std::uint32_t gridX;
  std::uint32_t gridY;
  std::uint32_t threads;
  std::uint32_t sharedBytes;
  /// Bytes of the struct; the address of this array is the only entry of `kernelParams`.
  alignas(16) std::array<std::byte, 128> arguments;
};

template <class Arguments>
TileLaunch tileLaunch(const char* kernel, std::uint32_t gridX, std::uint32_t gridY, std::uint32_t threads,
                      std::uint32_t sharedBytes, const Arguments& arguments) {
  static_assert(std::is_trivially_copyable_v<Arguments>);
  static_assert(sizeof(Arguments) <= sizeof(TileLaunch::arguments));
  TileLaunch launch{kernel, gridX, gridY, threads, sharedBytes, {}};
  std::memcpy(launch.arguments.data(), &arguments, sizeof(Arguments));
  return launch;
}

/// The launches of one call, in order on one stream.
struct TileLaunches {
  std::array<TileLaunch, 3> launches;
  std::size_t count = 0;

  void add(const TileLaunch& launch) { launches.at(count++) = launch; }
  const TileLaunch* begin() const { return launches.data(); }
  const TileLaunch* end() const { return launches.data() + count; }
};

constexpr std::uint32_t tilesFor(std::uint64_t extent, std::uint64_t tile) {
  return static_cast<std::uint32_t>((extent + tile - 1) / tile);
}

/// Tile kernels copy 16 bytes at a time.
constexpr bool isTileAligned(std::uint64_t address) { return address % 16 == 0; }

}  // namespace offload
