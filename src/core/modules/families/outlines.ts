/** A list of layers in a model of which little else is known. */
export interface OutlineStack {
  readonly path: string;
  /** Class of its elements; `undefined` where it is not known. */
  readonly type: string | undefined;
  /** Keys of config.json that may count its elements, likeliest first. */
  readonly countKeys: readonly string[];
  /** Not built where no key counts its elements. */
  readonly isOptional?: boolean;
}

/** What is known of a class beside transformers' own: its lists of layers, and where the knowledge ends. */
export interface Outline {
  readonly architecture: string;
  readonly stacks: readonly OutlineStack[];
  /** `_no_split_modules`; `undefined` where it depends on the parts of the model. */
  readonly noSplit: readonly string[] | undefined;
  /** Sentences on what was not read in the class itself. */
  readonly doubts: readonly string[];
}

const layers = ["num_layers", "num_hidden_layers", "n_layers", "depth", "num_blocks"];
const singles = ["num_single_layers", "num_single_blocks", "depth_single_blocks"];

function diffusion(architecture: string, path: string, type: string, doubts: readonly string[] = []): Outline {
  return { architecture, stacks: [{ path, type, countKeys: layers }], noSplit: [type], doubts };
}

/** Classes of VeOmni that transformers does not have, by `architectures[0]` or `_class_name`. */
const known: readonly Outline[] = [
  diffusion("WanModel", "blocks", "DiTBlock"),
  diffusion("WanTransformer3DModel", "blocks", "WanTransformerBlock", [
    "The class of the layers and _no_split_modules are those of diffusers.",
  ]),
  diffusion("QwenImageTransformer2DModel", "transformer_blocks", "QwenImageTransformerBlock", [
    "The path of the layers is that of diffusers.",
  ]),
  diffusion("LTXVideoTransformerModel", "transformer_blocks", "BasicAVTransformerBlock"),
  {
    architecture: "FluxModel",
    stacks: [
      { path: "blocks", type: "FluxJointTransformerBlock", countKeys: layers },
      { path: "single_blocks", type: "FluxSingleTransformerBlock", countKeys: singles },
    ],
    noSplit: ["FluxJointTransformerBlock", "FluxSingleTransformerBlock"],
    doubts: [],
  },
  {
    architecture: "Janus",
    stacks: [
      {
        path: "language_model.model.layers",
        type: "LlamaDecoderLayer",
        countKeys: [
          ...["language_config", "text_config"].map((section) => `${section}.num_hidden_layers`),
          "num_hidden_layers",
        ],
      },
    ],
    noSplit: ["LlamaDecoderLayer"],
    doubts: [
      "The path of the layers follows from the parts of the class, and _no_split_modules is taken to be that of the language model.",
    ],
  },
  {
    architecture: "MoVQGAN",
    stacks: [],
    noSplit: [],
    doubts: ["The class has no _no_split_modules, so the automatic mode fails on it."],
  },
  {
    architecture: "SeedOmniModel",
    stacks: [],
    noSplit: undefined,
    doubts: [
      "The model is put together from an encoder, a foundation and a decoder: paths and _no_split_modules depend on these parts.",
    ],
  },
];

const byModelType: Readonly<Record<string, string>> = {
  flux: "FluxModel",
  wan: "WanModel",
  janus: "Janus",
  movqgan: "MoVQGAN",
  seed_omni: "SeedOmniModel",
};

/**
 * The outline of a class by its name, or of the class that a `model_type` stands for. Diffusers saves a transformer without a
 * `model_type`; of those that are not known the usual names are guessed.
 */
export function outlineOf(architecture: string | undefined, modelType: string | undefined): Outline | undefined {
  const type = modelType ?? "";
  const named = architecture ?? (Object.hasOwn(byModelType, type) ? byModelType[type] : type);
  const found = known.find((outline) => outline.architecture === named);
  if (found !== undefined || architecture === undefined || modelType !== undefined) return found;
  return /Transformer\w*Model$/.test(architecture) ? guessedOutline(architecture) : undefined;
}

function guessedOutline(architecture: string): Outline {
  const doubts = [
    `The class ${architecture} is not known here: that its layers are called "transformer_blocks", as in most transformers of diffusers, is a guess.`,
  ];
  const stack = { path: "transformer_blocks", type: undefined, countKeys: layers };
  const single = { path: "single_transformer_blocks", type: undefined, countKeys: singles, isOptional: true };
  return { architecture, stacks: [stack, single], noSplit: undefined, doubts };
}
