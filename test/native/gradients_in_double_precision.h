#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cpu/element.h"
#include "double_precision_model.h"
#include "engine/strategy/strategies.h"
#include "engine_fixture.h"

namespace offload::testing {

/// A model and the rows that run through it.
struct SmallWorkload {
  Json config;
  std::uint32_t batch;
  std::uint32_t seq;
};

/// Smaller than a tile in every direction.
inline SmallWorkload withinOneTile() { return {smallConfig(), 2, 12}; }

/// Several tiles of every kernel, and a rest.
inline SmallWorkload acrossTiles() {
  Json config = smallConfig();
  config["num_hidden_layers"] = 3;
  config["head_dim"] = 64;
  config["intermediate_size"] = 192;
  return {config, 2, 200};
}

/// The model on a device, with its tensors readable.
struct SmallModel {
  SmallModel(Device& on, SmallWorkload what, ElementType type)
      : workload(std::move(what)), element(type), device(on), model(autograd, dimensions, type, 3) {
    executor.launch("token ids", FillTokens{ids.address(), ids.layout.elementCount(), 5, dimensions.vocab});
    // With weights of 1 the mean of squares behind a norm hardly depends on anything: all that were left would be rounding.
    for (Parameter& parameter : model.parameters()) {
      if (parameter.name == "norm") vary(parameter.value);
    }
  }

  /// Weights from 0.5 to 1.5 that both element types store exactly.
  void vary(const Tensor& weights) {
    const std::uint64_t count = weights.layout.elementCount();
    std::vector<float> wide;
    std::vector<Bf16> narrow;
    for (std::uint64_t i = 0; i < count; ++i) {
      wide.push_back(0.5f + static_cast<float>(i * 37 % 65) / 64);
      narrow.push_back(fromFloat<Bf16>(wide.back()));
    }
    const void* from = element == ElementType::f32 ? static_cast<const void*>(wide.data()) : narrow.data();
    device.copyToDevice(kComputeStream, weights.address(), static_cast<const std::byte*>(from), weights.layout.sizeBytes());
    device.synchronize();
  }

  template <class Stored>
  std::vector<Stored> readRaw(const Tensor& tensor) {
    std::vector<Stored> values(tensor.layout.elementCount());
    device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(values.data()), tensor.address(), tensor.layout.sizeBytes());
    device.synchronize();
    return values;
  }
  Numbers read(const Tensor& tensor) {
    Numbers values;
    if (element == ElementType::f32) {
      for (const float value : readRaw<float>(tensor)) values.push_back(value);
    } else {
      for (const Bf16 value : readRaw<Bf16>(tensor)) values.push_back(toFloat(value));
    }
    return values;
  }
  Named readAll(bool gradients) {
    Named all;
    for (const Parameter& parameter : model.parameters()) all[parameter.name] = read(gradients ? parameter.gradient : parameter.value);
    return all;
  }

  const std::atomic<bool> cancelled{false};
  SmallWorkload workload;
  ElementType element;
  ModelDimensions dimensions = std::get<ModelDimensions>(readModelDimensions(workload.config.dump(), std::nullopt));
  Device& device;
  MemoryLedger ledger;
  Recorder recorder{device};
  Executor executor{device, ledger, recorder, cancelled};
  Autograd autograd{executor};
  DecoderModel model;
  Tensor ids = executor.allocate(Layout::contiguous(TensorType::i32, {workload.batch, workload.seq}), Account::batch);
};

inline double normOf(const Numbers& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

/// |a - b| / |b| over all numbers.
inline double relativeError(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  Numbers difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return normOf(difference) / normOf(b);
}
/// Runs every strategy with and without checkpointing, and compares the gradient of every parameter with double precision.
inline void checkGradients(Device& device, const SmallWorkload& what, ElementType element) {
  SmallModel small(device, what, element);
  DoublePrecisionModel reference(small.dimensions, small.readAll(false), what.batch, what.seq);
  const Named expected = reference.gradients(small.readRaw<std::int32_t>(small.ids));
  PinnedAllocator allocator(small.executor);
  HostPool pool(small.executor, allocator, std::uint64_t{1} << 30);
  Workload workload;
  workload.dimensions = small.dimensions;
  workload.patterns = {"model.layers.{*}"};
  for (const StrategyTraits& traits : strategies()) {
    const auto strategy = makeStrategy(traits.name, {small.autograd, pool, small.model.modules(), workload});
    for (const bool isCheckpointed : {true, false}) {
      small.model.clearGradients();
      small.autograd.backward(small.model.loss(small.ids, *strategy, isCheckpointed));
      const Named actual = small.readAll(true);
      REQUIRE(actual.size() == expected.size());
      Numbers all, allExpected;
      for (const auto& [parameter, values] : expected) {
        CAPTURE(parameter);
        CHECK(relativeError(actual.at(parameter), values) < (element == ElementType::f32 ? 1e-4 : 3e-2));
        all.insert(all.end(), actual.at(parameter).begin(), actual.at(parameter).end());
        allExpected.insert(allExpected.end(), values.begin(), values.end());
      }
      CHECK(relativeError(all, allExpected) < (element == ElementType::f32 ? 1e-5 : 1e-2));
    }
  }
}

}  // namespace offload::testing
