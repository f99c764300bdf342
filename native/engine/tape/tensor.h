#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "engine/device/device.h"
#include "engine/tape/memory_ledger.h"

namespace offload {

class Node;

/// Type of a tensor's elements. Activations are bf16 or f32, token ids i32.
enum class TensorType : std::uint8_t { bf16, f32, i32 };

constexpr std::uint64_t bytesPerElement(TensorType type) { return type == TensorType::bf16 ? 2 : 4; }
constexpr TensorType tensorType(ElementType type) { return type == ElementType::bf16 ? TensorType::bf16 : TensorType::f32; }

/// Shape, strides (both in elements) and type; two tensors with equal layouts can share host buffers of the pool.
struct Layout {
  static constexpr std::size_t kMaxRank = 4;

  TensorType type = TensorType::bf16;
  std::uint8_t rank = 0;
  std::array<std::uint64_t, kMaxRank> shape{};
  std::array<std::uint64_t, kMaxRank> strides{};

  /// Row-major layout without gaps.
  static Layout contiguous(TensorType type, std::initializer_list<std::uint64_t> shape);

  std::uint64_t elementCount() const;
  std::uint64_t sizeBytes() const { return elementCount() * bytesPerElement(type); }
  bool isContiguous() const;

  friend auto operator<=>(const Layout&, const Layout&) = default;
};

/// Owns one piece of device memory and its entry in the ledger. Device and ledger outlive it.
class Storage {
 public:
  /// Throws DEVICE_OUT_OF_MEMORY (EngineError).
  Storage(Device& device, MemoryLedger& ledger, Account account, MemoryPart part, std::uint64_t sizeBytes, StreamId stream);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  DeviceAddress address() const { return address_; }
  std::uint64_t sizeBytes() const { return sizeBytes_; }
  Account account() const { return account_; }
  MemoryPart part() const { return part_; }
  /// From now on the memory is for something else.
  void countAs(MemoryPart part) noexcept;

 private:
  Device& device_;
  MemoryLedger& ledger_;
  Account account_;
  MemoryPart part_;
  std::uint64_t sizeBytes_;
  DeviceAddress address_;
};

/// A view of a storage, with the node that computed it where a gradient flows. Copies are cheap and share the storage.
struct Tensor {
  std::shared_ptr<Storage> storage;
  Layout layout;
  bool isView = false;       ///< derived from another tensor: autograd's `_base` is set
  bool isParameter = false;
  std::shared_ptr<Node> producer;

  explicit operator bool() const { return storage != nullptr; }
  DeviceAddress address() const { return storage->address(); }

  /// Alone on its storage, without gaps: what the offload hook can take as it is.
  bool hasPrivateDenseStorage() const;

  /// The same elements seen as `layout`, marked as a view.
  Tensor viewAs(const Layout& viewLayout) const;
  /// The same tensor outside the graph.
  Tensor detached() const;
};

}  // namespace offload
