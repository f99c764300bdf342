#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/open_cuda_device.h"
#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

/*
 * Every operator on a GPU against the CPU device, which is the reference. Without a GPU nothing runs and the reason is printed.
 */

namespace {

using Bytes = std::vector<std::byte>;

struct Output {
  ElementType element;
  std::size_t count;
  Bytes initial = {};   ///< of an output that the call accumulates into
};

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Bytes stored(ElementType element, const std::vector<float>& values) {
  if (element == ElementType::f32) return bytesOf(values);
  std::vector<Bf16> rounded(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) rounded[i] = fromFloat<Bf16>(values[i]);
  return bytesOf(rounded);
}

std::vector<float> floatsOf(ElementType element, const Bytes& bytes) {
  std::vector<float> values(bytes.size() / bytesPerElement(element));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (element == ElementType::f32) {
      std::memcpy(&values[i], bytes.data() + 4 * i, 4);
    } else {
      Bf16 value;
      std::memcpy(&value, bytes.data() + 2 * i, 2);
      values[i] = toFloat(value);
    }
  }
  return values;
}

using Addresses = std::vector<DeviceAddress>;
using MakeCall = std::function<KernelCall(const Addresses& in, const Addresses& out)>;

/// Runs a call on one device and reads its outputs.
std::vector<Bytes> runOn(Device& device, const std::vector<Bytes>& inputs, const std::vector<Output>& outputs, const MakeCall& make) {
  Addresses in;
  Addresses out;
  for (const Bytes& input : inputs) {
    in.push_back(device.allocate(input.size(), kComputeStream));
    device.copyToDevice(kComputeStream, in.back(), input.data(), input.size());
  }
  std::vector<Bytes> results;
  for (const Output& output : outputs) {
    // A pattern that no kernel produces by luck.
    Bytes before = output.initial;
    if (before.empty()) before.assign(output.count * bytesPerElement(output.element), std::byte{0xee});
    out.push_back(device.allocate(before.size(), kComputeStream));
    device.copyToDevice(kComputeStream, out.back(), before.data(), before.size());
    results.push_back(std::move(before));
  }
  device.launch(kComputeStream, make(in, out));
  for (std::size_t i = 0; i < out.size(); ++i) device.copyToHost(kComputeStream, results[i].data(), out[i], results[i].size());
  device.synchronize();
  for (const DeviceAddress address : in) device.release(address);
  for (const DeviceAddress address : out) device.release(address);
  return results;
}

/// Both devices; the GPU's is null where there is none.
struct Devices {
  std::atomic<bool> cancelled{false};
  CpuDevice cpu{cancelled};
  std::unique_ptr<Device> gpu;

  Devices() {
    auto opened = openCudaDevice(cancelled);
    if (const auto* problem = std::get_if<Problem>(&opened)) {
      std::cout << "Kernels skipped without a GPU: " << problem->code << ", " << problem->message << std::endl;
    } else {
      gpu = std::move(std::get<std::unique_ptr<Device>>(opened));
      std::cout << "Kernels on " << gpu->info().name << ", matrix products: " << gpu->info().matmul << std::endl;
    }
  }
};

Devices& devices() {
  static Devices both;
  return both;
}

enum class Match : std::uint8_t { exact, rounded };

void compare(const char* what, Match match, const std::vector<Bytes>& inputs, const std::vector<Output>& outputs, const MakeCall& make,
             double slack = 1) {
  if (!devices().gpu) return;
  const auto expected = runOn(devices().cpu, inputs, outputs, make);
  const auto found = runOn(*devices().gpu, inputs, outputs, make);
  const auto again = runOn(*devices().gpu, inputs, outputs, make);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    INFO(what << ", output " << i << ", " << (outputs[i].element == ElementType::bf16 ? "bf16" : "f32"));
    CHECK(found[i] == again[i]);
    if (match == Match::exact) {
      CHECK(found[i] == expected[i]);
      continue;
    }
    const auto reference = floatsOf(outputs[i].element, expected[i]);
    const std::vector<double> wide(reference.begin(), reference.end());
    CHECK(largestError(floatsOf(outputs[i].element, found[i]), wide) < slack * tolerance(outputs[i].element));
  }
}

}  // namespace

TEST_CASE("fills, tokens and checksums have the CPU's very bits") {
  for (const ElementType e : kElements) {
    for (const std::size_t count : {1U, 7U, 8U, 4096U, 100003U}) {
      compare("memset", Match::exact, {}, {{e, count}}, [&](auto&, auto& out) { return Memset{out[0], count * bytesPerElement(e)}; });
      compare("constant", Match::exact, {}, {{e, count}}, [&](auto&, auto& out) { return FillConstant{e, out[0], count, 0.37F}; });
      compare("normal", Match::exact, {}, {{e, count}}, [&](auto&, auto& out) { return FillNormal{e, out[0], count, 99, 0.02F}; });
    }
  }
  for (const std::size_t count : {1U, 1000U}) {
    compare("tokens", Match::exact, {}, {{ElementType::f32, count}}, [&](auto&, auto& out) { return FillTokens{out[0], count, 5, 151936}; });
  }
  for (const std::size_t count : {1U, 3U, 8U, 1001U, 700001U}) {
    std::vector<unsigned char> text(count);
    for (std::size_t i = 0; i < count; ++i) text[i] = static_cast<unsigned char>(i * 31 + i / 251);
    compare("checksum", Match::exact, {bytesOf(text)}, {{ElementType::f32, 2}},
            [&](auto& in, auto& out) { return Checksum{in[0], count, out[0]}; });
  }
}

TEST_CASE("rotary and its tables") {
  for (const ElementType e : kElements) {
    for (const std::uint32_t headDim : {128U, 80U, 20U}) {
      const std::size_t rows = 70, count = rows * headDim;
      compare("tables", Match::rounded, {}, {{e, count}, {e, count}},
              [&](auto&, auto& out) { return RotaryTables{e, out[0], out[1], rows, 35, headDim, 10000.0F}; });
      for (const bool inverse : {false, true}) {
        const std::vector<Bytes> inputs{stored(e, randomValues(3 * count, 1)), stored(e, randomValues(count, 2)), stored(e, randomValues(count, 3))};
        compare("rotary", Match::rounded, inputs, {{e, 3 * count}},
                [&](auto& in, auto& out) { return Rotary{e, in[0], in[1], in[2], out[0], rows, 3, headDim, inverse}; });
      }
    }
  }
}

TEST_CASE("the embedding, with tokens that repeat") {
  for (const ElementType e : kElements) {
    for (const std::uint32_t hidden : {64U, 4096U, 37U}) {
      const std::uint32_t vocab = 50;
      const std::size_t rows = 600;
      std::vector<std::int32_t> ids(rows);
      for (std::size_t i = 0; i < rows; ++i) ids[i] = static_cast<std::int32_t>(i * i % 37);
      compare("embedding", Match::exact, {bytesOf(ids), stored(e, randomValues(vocab * hidden, 1))}, {{e, rows * hidden}},
              [&](auto& in, auto& out) { return EmbeddingForward{e, in[0], in[1], out[0], rows, hidden, vocab}; });
      compare("embedding gradient", Match::exact, {bytesOf(ids), stored(e, randomValues(rows * hidden, 2))},
              {{e, vocab * hidden, Bytes(vocab * hidden * bytesPerElement(e))}},
              [&](auto& in, auto& out) { return EmbeddingBackward{e, in[0], in[1], out[0], rows, hidden, vocab}; });
    }
  }
}

TEST_CASE("RMS norm for every number of threads a row") {
  for (const ElementType e : kElements) {
    for (const std::uint32_t width : {8U, 64U, 128U, 256U, 1024U, 4096U, 53U}) {
      const std::size_t rows = 333, count = rows * width;
      compare("norm", Match::rounded, {stored(e, randomValues(count, 1)), stored(e, randomValues(width, 2))},
              {{ElementType::f32, count}, {ElementType::f32, rows}, {e, count}, {e, count}},
              [&](auto& in, auto& out) { return RmsNormForward{e, in[0], in[1], out[0], out[1], out[2], out[3], rows, width, 1e-6F}; });
      const std::vector<Bytes> inputs{stored(e, randomValues(count, 3)), stored(e, randomValues(width, 2)), bytesOf(randomValues(count, 1)),
                                      bytesOf(std::vector<float>(rows, 1.5F)), stored(e, randomValues(count, 4))};
      compare("norm gradient", Match::rounded, inputs, {{e, count}, {e, width}}, [&](auto& in, auto& out) {
        return RmsNormBackward{e, in[0], in[1], in[2], in[3], in[4], out[0], out[1], rows, width};
      });
    }
  }
}

TEST_CASE("SwiGLU, sums and the loss") {
  for (const ElementType e : kElements) {
    for (const std::size_t count : {5U, 8U, 30001U, 5000000U}) {
      const std::vector<Bytes> four{stored(e, randomValues(count, 1)), stored(e, randomValues(count, 2)), stored(e, randomValues(count, 3)),
                                    stored(e, randomValues(count, 4))};
      compare("swiglu", Match::rounded, four, {{e, count}, {e, count}},
              [&](auto& in, auto& out) { return SwiGluForward{e, in[0], in[1], out[0], out[1], count}; });
      compare("swiglu gradient", Match::rounded, four, {{e, count}, {e, count}},
              [&](auto& in, auto& out) { return SwiGluBackward{e, in[0], in[1], in[2], in[3], out[0], out[1], count}; });
      compare("add", Match::exact, four, {{e, count}}, [&](auto& in, auto& out) { return Add{e, in[0], in[1], out[0], count}; });
      compare("loss", Match::rounded, four, {{ElementType::f32, count}, {ElementType::f32, 1}},
              [&](auto& in, auto& out) { return LossForward{e, in[0], out[0], out[1], count}; });
      compare("loss gradient", Match::exact, {bytesOf(randomValues(count, 5))}, {{e, count}},
              [&](auto& in, auto& out) { return LossBackward{e, in[0], out[0], count}; });
    }
  }
}

TEST_CASE("matrix products in all three forms, with and without bias") {
  struct Shape {
    std::size_t rows;
    std::uint32_t in, out;
  };
  for (const ElementType e : kElements) {
    for (const Shape s : {Shape{64, 128, 256}, Shape{1, 64, 64}, Shape{300, 96, 200}, Shape{77, 53, 31}}) {
      const auto x = stored(e, randomValues(s.rows * s.in, 1)), w = stored(e, randomValues(std::size_t{s.in} * s.out, 2));
      const auto g = stored(e, randomValues(s.rows * s.out, 3)), bias = stored(e, randomValues(s.out, 4));
      for (const bool hasBias : {false, true}) {
        compare("linear", Match::rounded, {x, w, bias}, {{e, s.rows * s.out}}, [&](auto& in, auto& out) {
          return LinearForward{e, in[0], in[1], hasBias ? in[2] : 0, out[0], s.rows, s.in, s.out};
        });
        compare("linear weight gradient", Match::rounded, {g, x}, {{e, std::size_t{s.in} * s.out}, {e, s.out, Bytes(s.out * bytesPerElement(e))}},
                [&](auto& in, auto& out) {
                  return LinearBackwardWeight{e, in[0], in[1], out[0], hasBias ? out[1] : 0, s.rows, s.in, s.out};
                });
      }
      compare("linear input gradient", Match::rounded, {g, w}, {{e, s.rows * s.in}},
              [&](auto& in, auto& out) { return LinearBackwardInput{e, in[0], in[1], out[0], s.rows, s.in, s.out}; });
    }
  }
}

TEST_CASE("attention forward and backward with grouped heads") {
  struct Shape {
    std::uint32_t batch, seq, heads, keyHeads, headDim;
  };
  for (const ElementType e : kElements) {
    for (const Shape s : {Shape{2, 100, 4, 2, 64}, Shape{1, 257, 4, 1, 128}, Shape{1, 33, 2, 2, 80}, Shape{1, 17, 2, 1, 20}}) {
      const std::size_t queries = std::size_t{s.batch} * s.seq * s.heads * s.headDim, keys = std::size_t{s.batch} * s.seq * s.keyHeads * s.headDim;
      const std::size_t rows = std::size_t{s.batch} * s.heads * s.seq;
      const auto q = stored(e, randomValues(queries, 1)), k = stored(e, randomValues(keys, 2)), v = stored(e, randomValues(keys, 3));
      const auto forward = [&](auto& in, auto& out) {
        return AttentionForward{e, in[0], in[1], in[2], out[0], out[1], s.batch, s.seq, s.heads, s.keyHeads, s.headDim};
      };
      const std::vector<Output> outputs{{e, queries}, {ElementType::f32, rows}};
      compare("attention", Match::rounded, {q, k, v}, outputs, forward, 4);
      if (!devices().gpu) return;
      const auto saved = runOn(devices().cpu, {q, k, v}, outputs, forward);
      compare("attention gradient", Match::rounded, {stored(e, randomValues(queries, 4)), q, k, v, saved[0], saved[1]},
              {{ElementType::f32, rows}, {e, queries}, {e, keys}, {e, keys}},
              [&](auto& in, auto& out) {
                return AttentionBackward{e, in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2], out[3],
                                         s.batch, s.seq, s.heads, s.keyHeads, s.headDim};
              },
              4);
    }
  }
}
