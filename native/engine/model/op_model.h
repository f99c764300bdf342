#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/operator_costs.h"

namespace offload {

/// A tensor that a norm over n elements in r rows of width w can save. Bytes in bf16.
enum class NormTensor : std::uint8_t {
  input,         ///< its input as it came, no bytes of its own
  inputRows,     ///< the same as a two-dimensional view
  input32,       ///< fp32 copy of the input, 4n
  mean,          ///< fp32 per row, 4r
  rstd,          ///< reciprocal root or deviation, fp32 per row, 4r
  weight,        ///< the parameter, no bytes of its own
  weight32,      ///< fp32 copy of the weight, 4w
  normalised,    ///< before the weight, 2n
  normalised32,  ///< the same in fp32, 4n
  centred32,     ///< input less its mean in fp32, 4n
  centredAgain32,///< the same, computed a second time, 4n
};

/// A tensor that an MLP between its projections can save, each of 2 bytes an element of the intermediate width in bf16.
enum class MlpTensor : std::uint8_t {
  gate,         ///< output of the gate projection
  gateRows,     ///< the same as a two-dimensional view
  up,           ///< output of the up projection; the activation's input where there is no gate
  upRows,
  activated,    ///< act(gate)
  product,      ///< what the down projection reads and saves in any case
  tanh,         ///< intermediates of gelu_new
  halfInput,
  onePlusTanh,
};

/// Which tensors a family's code saves for backward, operator by operator, as data: one file of `engine/model/op_models` each.
/// Attention, projections, rotary positions and the loss save the same in all (facts of the framework, see operators.h).
struct OpModel {
  std::string name;
  std::string source;                    ///< the code or rule that the set is read from
  bool isComputable = false;             ///< devices with kernels can run it; others run on simulated devices only
  std::vector<std::string> replaces;     ///< op models whose families it can run unchanged in what they compute
  std::vector<std::string> activations;  ///< names in config.json for which `activationSaves` is right
  double timeUncertainty = 0;            ///< added to that of the device, as a share
  std::string normKind;                  ///< `RMS` or `layer`
  std::vector<NormTensor> normSaves;     ///< in the order of saving
  bool isFused = false;                  ///< one projection for query, key and value, which stays whole as long as one of them;
                                         ///< attention's output is copied before the output projection
  bool isGated = true;                   ///< without a gate there is no such projection
  std::vector<MlpTensor> activationSaves;///< inside the activation's module; none where that module is not called
  std::vector<MlpTensor> mlpSaves;       ///< behind it
  /// What backward of a norm makes beside its saved input, its gradients in and out, at its fullest moment; bytes in bf16.
  double normTransientBytesPerElement = 0;
  OperatorCosts costs;

  bool savesActivated() const;
};

/// The set that kernels compute, and that of families which nobody knows.
inline constexpr std::string_view kDefaultOpModel = "hf-eager";

/// All built-in op models by name. They live as long as the program.
const std::vector<OpModel>& opModels();

/// The op model of that name, or nullptr.
const OpModel* findOpModel(std::string_view name);
const OpModel& defaultOpModel();

/// `model` where it knows the activation (an empty name counts as known), else one with the same norm and gate that does;
/// nullptr where there is none.
const OpModel* withActivation(const OpModel& model, std::string_view activation);

/// Reads a file of `engine/model/op_models`. They are part of the program: a mistake in one throws std::logic_error.
OpModel parseOpModel(std::string_view json);

}  // namespace offload
