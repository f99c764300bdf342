// Gradients of a small model against a plain calculation in double precision, written without a look at the kernels.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "cpu/cpu_device.h"
#include "cpu/element.h"
#include "engine/strategies.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

using Numbers = std::vector<double>;
using Named = std::map<std::string, Numbers>;

/// One rank-2 array, row by row.
struct Matrix {
  std::size_t rows = 0, width = 0;
  Numbers values;

  Matrix(std::size_t rowCount, std::size_t rowWidth) : rows(rowCount), width(rowWidth), values(rowCount * rowWidth) {}
  double& at(std::size_t row, std::size_t column) { return values[row * width + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * width + column]; }
};

void addTo(Numbers& sum, const Numbers& more) {
  if (sum.empty()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

/// The decoder of the engine (facts of the model: RMS norm, rotary, grouped heads, SwiGLU), forward and backward.
class Reference {
 public:
  Reference(const ModelDimensions& dimensions, Named weights, std::size_t batch, std::size_t seq)
      : d_(dimensions), weights_(std::move(weights)), batch_(batch), seq_(seq), rows_(batch * seq) {}

  Named gradients(const std::vector<std::int32_t>& ids) {
    const Numbers& table = weights_.at("embed_tokens");
    Matrix x(rows_, d_.hidden);
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t j = 0; j < d_.hidden; ++j) x.at(row, j) = table[static_cast<std::size_t>(ids[row]) * d_.hidden + j];
    }
    std::vector<Matrix> inputs;
    for (std::size_t layer = 0; layer < d_.layers; ++layer) {
      inputs.push_back(x);
      x = layerForward(layer, x).output;
    }
    const Matrix last = norm("norm", x, d_.hidden);
    Matrix grad = last;
    for (double& value : grad.values) value *= 2.0 / static_cast<double>(last.values.size());
    grad = normBackward("norm", x, grad, d_.hidden);
    for (std::size_t layer = d_.layers; layer-- > 0;) grad = layerBackward(layer, inputs[layer], grad);

    Numbers& gradTable = gradients_["embed_tokens"];
    gradTable.resize(table.size());
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t j = 0; j < d_.hidden; ++j) gradTable[static_cast<std::size_t>(ids[row]) * d_.hidden + j] += grad.at(row, j);
    }
    return gradients_;
  }

 private:
  struct Layer {
    Matrix normed, query, key, value, queryNormed, keyNormed, attended, middle, middleNormed, gate, up, product, output;
  };

  Matrix norm(const std::string& name, const Matrix& x, std::size_t width) const {
    const Numbers& weight = weights_.at(name);
    Matrix out = x;
    forEachRow(x, width, [&](std::size_t start) {
      const double rstd = reciprocalRoot(x, start, width);
      for (std::size_t j = 0; j < width; ++j) out.values[start + j] = weight[j] * x.values[start + j] * rstd;
    });
    return out;
  }

  Matrix normBackward(const std::string& name, const Matrix& x, const Matrix& grad, std::size_t width) {
    const Numbers& weight = weights_.at(name);
    Matrix gradIn = x;
    Numbers gradWeight(width);
    forEachRow(x, width, [&](std::size_t start) {
      const double rstd = reciprocalRoot(x, start, width);
      double mean = 0;
      for (std::size_t j = 0; j < width; ++j) mean += grad.values[start + j] * weight[j] * x.values[start + j];
      mean /= static_cast<double>(width);
      for (std::size_t j = 0; j < width; ++j) {
        gradIn.values[start + j] =
            rstd * grad.values[start + j] * weight[j] - x.values[start + j] * rstd * rstd * rstd * mean;
        gradWeight[j] += grad.values[start + j] * x.values[start + j] * rstd;
      }
    });
    addTo(gradients_[name], gradWeight);
    return gradIn;
  }

  template <class Body>
  void forEachRow(const Matrix& x, std::size_t width, const Body& body) const {
    for (std::size_t start = 0; start < x.values.size(); start += width) body(start);
  }

  double reciprocalRoot(const Matrix& x, std::size_t start, std::size_t width) const {
    double squares = 0;
    for (std::size_t j = 0; j < width; ++j) squares += x.values[start + j] * x.values[start + j];
    return 1 / std::sqrt(squares / static_cast<double>(width) + d_.normEpsilon);
  }

  Matrix product(const std::string& name, const Matrix& x, std::size_t outWidth) const {
    const Numbers& weight = weights_.at(name);
    Matrix out(x.rows, outWidth);
    for (std::size_t row = 0; row < x.rows; ++row) {
      for (std::size_t o = 0; o < outWidth; ++o) {
        for (std::size_t i = 0; i < x.width; ++i) out.at(row, o) += x.at(row, i) * weight[o * x.width + i];
      }
    }
    return out;
  }

  Matrix productBackward(const std::string& name, const Matrix& x, const Matrix& grad) {
    const Numbers& weight = weights_.at(name);
    Numbers gradWeight(weight.size());
    Matrix gradIn(x.rows, x.width);
    for (std::size_t row = 0; row < x.rows; ++row) {
      for (std::size_t o = 0; o < grad.width; ++o) {
        for (std::size_t i = 0; i < x.width; ++i) {
          gradIn.at(row, i) += grad.at(row, o) * weight[o * x.width + i];
          gradWeight[o * x.width + i] += grad.at(row, o) * x.at(row, i);
        }
      }
    }
    addTo(gradients_[name], gradWeight);
    return gradIn;
  }

  /// Rotates by the position's angles, or back.
  Matrix rotate(const Matrix& x, double direction) const {
    Matrix out = x;
    const std::size_t half = d_.headDim / 2;
    for (std::size_t row = 0; row < x.rows; ++row) {
      for (std::size_t start = 0; start < x.width; start += d_.headDim) {
        for (std::size_t j = 0; j < half; ++j) {
          const double frequency = std::pow(static_cast<double>(d_.ropeTheta), -2.0 * static_cast<double>(j) / d_.headDim);
          const double angle = direction * static_cast<double>(row % seq_) * frequency;
          const double a = x.at(row, start + j), b = x.at(row, start + j + half);
          out.at(row, start + j) = a * std::cos(angle) - b * std::sin(angle);
          out.at(row, start + j + half) = b * std::cos(angle) + a * std::sin(angle);
        }
      }
    }
    return out;
  }

  /// Causal weights of one query row over the rows of its sequence.
  Numbers weightsOf(const Matrix& query, const Matrix& key, std::size_t row, std::size_t head) const {
    const std::size_t first = row / seq_ * seq_;
    const std::size_t keyHead = head / (d_.heads / d_.keyValueHeads);
    Numbers scores(row - first + 1);
    double sum = 0;
    for (std::size_t other = first; other <= row; ++other) {
      double dot = 0;
      for (std::size_t j = 0; j < d_.headDim; ++j) dot += query.at(row, head * d_.headDim + j) * key.at(other, keyHead * d_.headDim + j);
      scores[other - first] = std::exp(dot / std::sqrt(static_cast<double>(d_.headDim)));
      sum += scores[other - first];
    }
    for (double& score : scores) score /= sum;
    return scores;
  }

  Matrix attend(const Matrix& query, const Matrix& key, const Matrix& value) const {
    Matrix out(rows_, query.width);
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t head = 0; head < d_.heads; ++head) {
        const Numbers weights = weightsOf(query, key, row, head);
        const std::size_t keyHead = head / (d_.heads / d_.keyValueHeads);
        for (std::size_t at = 0; at < weights.size(); ++at) {
          for (std::size_t j = 0; j < d_.headDim; ++j) {
            out.at(row, head * d_.headDim + j) += weights[at] * value.at(row / seq_ * seq_ + at, keyHead * d_.headDim + j);
          }
        }
      }
    }
    return out;
  }

  void attendBackward(const Matrix& query, const Matrix& key, const Matrix& value, const Matrix& grad, Matrix& gradQuery,
                      Matrix& gradKey, Matrix& gradValue) const {
    const double scale = 1 / std::sqrt(static_cast<double>(d_.headDim));
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::size_t first = row / seq_ * seq_;
      for (std::size_t head = 0; head < d_.heads; ++head) {
        const Numbers weights = weightsOf(query, key, row, head);
        const std::size_t q = head * d_.headDim, k = head / (d_.heads / d_.keyValueHeads) * d_.headDim;
        Numbers gradWeights(weights.size());
        double mean = 0;
        for (std::size_t at = 0; at < weights.size(); ++at) {
          for (std::size_t j = 0; j < d_.headDim; ++j) {
            gradWeights[at] += grad.at(row, q + j) * value.at(first + at, k + j);
            gradValue.at(first + at, k + j) += weights[at] * grad.at(row, q + j);
          }
          mean += gradWeights[at] * weights[at];
        }
        for (std::size_t at = 0; at < weights.size(); ++at) {
          const double gradScore = weights[at] * (gradWeights[at] - mean) * scale;
          for (std::size_t j = 0; j < d_.headDim; ++j) {
            gradQuery.at(row, q + j) += gradScore * key.at(first + at, k + j);
            gradKey.at(first + at, k + j) += gradScore * query.at(row, q + j);
          }
        }
      }
    }
  }

  std::string nameOf(std::size_t layer, const char* what) const { return "layers." + std::to_string(layer) + "." + what; }

  Layer layerForward(std::size_t layer, const Matrix& x) const {
    const std::size_t queryWidth = std::size_t{d_.heads} * d_.headDim, keyWidth = std::size_t{d_.keyValueHeads} * d_.headDim;
    const Matrix normed = norm(nameOf(layer, "input_layernorm"), x, d_.hidden);
    const Matrix query = product(nameOf(layer, "q_proj.weight"), normed, queryWidth);
    const Matrix key = product(nameOf(layer, "k_proj.weight"), normed, keyWidth);
    const Matrix value = product(nameOf(layer, "v_proj.weight"), normed, keyWidth);
    const Matrix queryNormed = rotate(norm(nameOf(layer, "q_norm"), query, d_.headDim), 1);
    const Matrix keyNormed = rotate(norm(nameOf(layer, "k_norm"), key, d_.headDim), 1);
    const Matrix attended = attend(queryNormed, keyNormed, value);
    Matrix middle = product(nameOf(layer, "o_proj.weight"), attended, d_.hidden);
    addTo(middle.values, x.values);
    const Matrix middleNormed = norm(nameOf(layer, "post_attention_layernorm"), middle, d_.hidden);
    const Matrix gate = product(nameOf(layer, "gate_proj.weight"), middleNormed, d_.intermediate);
    const Matrix up = product(nameOf(layer, "up_proj.weight"), middleNormed, d_.intermediate);
    Matrix both = gate;
    for (std::size_t i = 0; i < both.values.size(); ++i) both.values[i] = gate.values[i] / (1 + std::exp(-gate.values[i])) * up.values[i];
    Matrix output = product(nameOf(layer, "down_proj.weight"), both, d_.hidden);
    addTo(output.values, middle.values);
    return {normed, query, key, value, queryNormed, keyNormed, attended, middle, middleNormed, gate, up, both, output};
  }

  Matrix layerBackward(std::size_t layer, const Matrix& x, const Matrix& grad) {
    const Layer saved = layerForward(layer, x);
    const Matrix gradBoth = productBackward(nameOf(layer, "down_proj.weight"), saved.product, grad);
    Matrix gradGate = gradBoth, gradUp = gradBoth;
    for (std::size_t i = 0; i < gradBoth.values.size(); ++i) {
      const double gate = saved.gate.values[i], sigmoid = 1 / (1 + std::exp(-gate));
      gradGate.values[i] = gradBoth.values[i] * saved.up.values[i] * sigmoid * (1 + gate * (1 - sigmoid));
      gradUp.values[i] = gradBoth.values[i] * gate * sigmoid;
    }
    Matrix gradNormed = productBackward(nameOf(layer, "gate_proj.weight"), saved.middleNormed, gradGate);
    addTo(gradNormed.values, productBackward(nameOf(layer, "up_proj.weight"), saved.middleNormed, gradUp).values);
    Matrix gradMiddle = normBackward(nameOf(layer, "post_attention_layernorm"), saved.middle, gradNormed, d_.hidden);
    addTo(gradMiddle.values, grad.values);

    const Matrix gradAttended = productBackward(nameOf(layer, "o_proj.weight"), saved.attended, gradMiddle);
    Matrix gradQuery(rows_, saved.query.width), gradKey(rows_, saved.key.width), gradValue(rows_, saved.value.width);
    attendBackward(saved.queryNormed, saved.keyNormed, saved.value, gradAttended, gradQuery, gradKey, gradValue);
    gradQuery = normBackward(nameOf(layer, "q_norm"), saved.query, rotate(gradQuery, -1), d_.headDim);
    gradKey = normBackward(nameOf(layer, "k_norm"), saved.key, rotate(gradKey, -1), d_.headDim);
    Matrix gradInput = productBackward(nameOf(layer, "q_proj.weight"), saved.normed, gradQuery);
    addTo(gradInput.values, productBackward(nameOf(layer, "k_proj.weight"), saved.normed, gradKey).values);
    addTo(gradInput.values, productBackward(nameOf(layer, "v_proj.weight"), saved.normed, gradValue).values);
    Matrix gradX = normBackward(nameOf(layer, "input_layernorm"), x, gradInput, d_.hidden);
    addTo(gradX.values, gradMiddle.values);
    return gradX;
  }

  const ModelDimensions& d_;
  Named weights_;
  std::size_t batch_, seq_, rows_;
  Named gradients_;
};

/// The model on the CPU device, with its tensors readable.
struct SmallModel {
  static constexpr std::uint32_t kBatch = 2, kSeq = 12;

  explicit SmallModel(ElementType type) : element(type), model(autograd, dimensions, type, 3) {
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
  ElementType element;
  ModelDimensions dimensions = std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), std::nullopt));
  CpuDevice device{cancelled, {.kernelThreads = 1}};
  MemoryLedger ledger;
  Recorder recorder{device};
  Executor executor{device, ledger, recorder, cancelled};
  Autograd autograd{executor};
  DecoderModel model;
  Tensor ids = executor.allocate(Layout::contiguous(TensorType::i32, {kBatch, kSeq}), Account::batch);
};

double normOf(const Numbers& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

/// |a - b| / |b| over all numbers.
double relativeError(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  Numbers difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return normOf(difference) / normOf(b);
}

}  // namespace

TEST_CASE("gradients of every parameter agree with double precision, for every strategy") {
  for (const ElementType element : {ElementType::f32, ElementType::bf16}) {
    SmallModel small(element);
    Reference reference(small.dimensions, small.readAll(false), SmallModel::kBatch, SmallModel::kSeq);
    const Named expected = reference.gradients(small.readRaw<std::int32_t>(small.ids));
    PinnedAllocator allocator(small.executor);
    HostPool pool(small.executor, allocator, std::uint64_t{1} << 30);
    Workload workload;
    workload.dimensions = small.dimensions;
    workload.patterns = {"model.layers.{*}"};
    for (const std::string_view name : kStrategies) {
      const auto strategy = makeStrategy(name, small.autograd, pool, small.model.modules(), workload);
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
}
