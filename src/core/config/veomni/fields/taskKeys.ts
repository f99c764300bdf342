import type { StrayKey } from "./strayKeys.js";

/** A task that VeOmni ships or shipped, with the keys that it declares beside those of all tasks. */
export interface RecordedTask {
  /** The path in VeOmni's tree. */
  readonly path: string;
  readonly declares: readonly string[];
}

/** Keys of the trainers that stand in the field table count there; a task of one of them declares nothing of its own. */
const none: readonly string[] = [];

/**
 * The tasks of VeOmni's snapshot of 2026-08-21, recorded by `src/dev/recording/veomni.py`. The deprecated ones have stood in other
 * folders below `tasks` before, so a task is known by the name of its file.
 */
export const recordedTasks: readonly RecordedTask[] = [
  { path: "tasks/train_text.py", declares: none },
  { path: "tasks/train_text_dpo.py", declares: none },
  { path: "tasks/train_text_rl.py", declares: none },
  { path: "tasks/train_vlm.py", declares: none },
  { path: "tasks/train_vlm_rl.py", declares: none },
  { path: "tasks/train_dit.py", declares: none },
  { path: "tasks/deprecated_task/train_torch.py", declares: none },
  { path: "tasks/deprecated_task/train_qwen_vl.py", declares: none },
  {
    path: "tasks/deprecated_task/train_wan.py",
    declares: ["data.datasets_repeat", "train.ops_to_save", "train.save_initial_model"],
  },
  {
    path: "tasks/deprecated_task/train_flux.py",
    declares: [
      "data.datasets_repeat",
      "data.height",
      "data.width",
      "model.init_lora_weights",
      "model.lora_alpha",
      "model.lora_rank",
      "model.lora_target_modules",
      "model.lora_target_modules_support",
      "model.pretrained_lora_path",
      "model.pretrained_text_encoder_2_path",
      "model.pretrained_text_encoder_path",
      "model.pretrained_vae_path",
      "model.tokenizer_1_path",
      "model.tokenizer_2_path",
      "train.ops_to_save",
      "train.save_initial_model",
    ],
  },
  {
    path: "tasks/omni/train_omni_model.py",
    declares: [
      "data.generation_ratio",
      "data.max_image_nums",
      "data.max_pixel_size",
      "data.max_pixels",
      "data.scale_factor",
      "train.freeze_decoder",
      "train.freeze_encoder",
      "train.freeze_encoder_all",
      "train.freeze_foundation",
      "train.save_initial_model",
    ],
  },
];

const byName: ReadonlyMap<string, RecordedTask> = new Map(recordedTasks.map((task) => [fileNameOf(task.path), task]));

/** The recorded task that a command starts; `undefined` for a task of somebody's own, a newer one, or none that is written. */
export function recordedTaskOf(program: string | undefined): RecordedTask | undefined {
  if (program === undefined || !/(?:^|\/)tasks\//.test(program.replaceAll("\\", "/"))) return undefined;
  return byName.get(fileNameOf(program));
}

/** Every key that only tasks declare, with the sentence about it. */
export const taskKeys: readonly StrayKey[] = [...new Set(recordedTasks.flatMap(({ declares }) => declares))].map(
  (path) => ({
    path,
    note: `Of VeOmni's tasks only ${tasksDeclaring(path)
      .map((task) => task.path)
      .join(" and ")} declares it.`,
  }),
);

/** The recorded tasks that declare a key. */
export function tasksDeclaring(path: string): readonly RecordedTask[] {
  return recordedTasks.filter(({ declares }) => declares.includes(path));
}

function fileNameOf(path: string): string {
  return path.slice(path.replaceAll("\\", "/").lastIndexOf("/") + 1);
}
