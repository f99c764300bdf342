#!/usr/bin/env bash
# GRPO with verl's VeOmni engine and asynchronous activation offload.
#
# Quoting: the shell takes one layer of quotes away before Hydra reads the override. Hydra needs quotes around an entry with
# braces, so the whole override stands in single quotes and the entry in double ones.
set -euo pipefail

MODEL_PATH=${MODEL_PATH:-./checkpoint}
TRAIN_FILES=${TRAIN_FILES:-data/train.parquet}
VAL_FILES=${VAL_FILES:-data/test.parquet}

DATA=(
  data.train_files="$TRAIN_FILES"
  data.val_files="$VAL_FILES"
  data.train_batch_size=8
  data.max_prompt_length=128
  data.max_response_length=128
)

MODEL=(
  actor_rollout_ref.model.path="$MODEL_PATH"
  actor_rollout_ref.model.enable_gradient_checkpointing=true
  actor_rollout_ref.model.use_remove_padding=true
)

ACTOR=(
  actor_rollout_ref.actor.ppo_mini_batch_size=8
  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2
  actor_rollout_ref.actor.pad_to_length=true
  actor_rollout_ref.actor.optim.lr=1e-6
  actor_rollout_ref.actor.veomni.enable_async_activation_offload=true
  'actor_rollout_ref.actor.veomni.activation_offload_modules=["model.layers.{*}"]'
  actor_rollout_ref.actor.veomni.activation_offload_host_cache_limit_gb=4.0
)

ROLLOUT=(
  actor_rollout_ref.rollout.name=vllm
  actor_rollout_ref.rollout.n=4
  actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2
  actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2
)

python3 -m verl.trainer.main_ppo \
  model_engine=veomni \
  algorithm.adv_estimator=grpo \
  "${DATA[@]}" \
  "${MODEL[@]}" \
  "${ACTOR[@]}" \
  "${ROLLOUT[@]}" \
  trainer.nnodes=1 \
  trainer.n_gpus_per_node=1 \
  trainer.total_epochs=1 \
  "$@"
