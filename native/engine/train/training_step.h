#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/head/head_run.h"
#include "engine/model/decoder_model.h"
#include "engine/strategy/workload.h"
#include "engine/train/optimizer.h"
#include "engine/train/step_phases.h"

namespace offload {

/// One optimizer step as a framework runs it: micro-batches, each forward, head, backward; then clip and optimizer.
class TrainingStep {
 public:
  /// All of them outlive it; `sharding` may be null.
  TrainingStep(Autograd& autograd, DecoderModel& model, Sharding* sharding, ModuleHooks& hooks, const Workload& workload,
               bool isCheckpointed);

  /// `idsOf` gives the token ids of a micro-batch. Returns the bytes live after the forward of the last one.
  std::uint64_t run(const std::function<Tensor(std::uint32_t microBatch)>& idsOf, StepPhases& phases);
  /// What a step leaves behind: gradients, or where an optimizer has used them up, parameters and its states.
  std::vector<Tensor> results();

 private:
  struct Forward {
    Tensor root;                   ///< where backward starts: the loss, or the last hidden states without their memory
    std::optional<HeadRun> head;
  };
  Forward forward(const Tensor& ids, std::uint32_t microBatch, StepPhases& phases);
  void backward(Forward forward, std::uint32_t microBatch, StepPhases& phases);
  void forwardOnly(const Tensor& ids, StepPhases& phases);
  void update(StepPhases& phases);
  HeadRun headRun() const;

  Autograd& autograd_;
  Executor& executor_;
  DecoderModel& model_;
  Sharding* sharding_;
  ModuleHooks& hooks_;
  const Workload& workload_;
  bool isCheckpointed_;
  std::optional<HeadForm> form_;
  HeadSizes sizes_;
  std::optional<Optimizer> optimizer_;
};

/// Whether the loss of a step is scaled, as asked or as frameworks do it.
bool isLossScaled(const Workload& workload);

}  // namespace offload
