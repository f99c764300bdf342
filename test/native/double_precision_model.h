#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/model_dimensions.h"

namespace offload::testing {

/*
 * The engine's decoder in double precision, written plainly and without a look at the kernels.
 */

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

inline void addTo(Numbers& sum, const Numbers& more) {
  if (sum.empty()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

/// The decoder of the engine (facts of the model: RMS norm, rotary, grouped heads, SwiGLU), forward and backward.
class DoublePrecisionModel {
 public:
  DoublePrecisionModel(const ModelDimensions& dimensions, Named weights, std::size_t batch, std::size_t seq)
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

}  // namespace offload::testing
