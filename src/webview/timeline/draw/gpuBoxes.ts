import { element } from "../../kit/element.js";
import type { Theme } from "../theme.js";
import { type BoxFrame, type BoxPainter, looksByValue, type RowPlace } from "./boxPainter.js";
import { FRAGMENT_SHADER, PATTERN_NUMBERS, VERTEX_SHADER } from "./boxShaders.js";
import { sizeCanvas } from "./canvasSize.js";
import { parseColour } from "./colour.js";
import { gridAlpha } from "./flatBoxes.js";
import { BoxLook, LOOK_COUNT, type PreparedView } from "./preparedView.js";

const UNIFORMS = [
  "viewport",
  "timeToX",
  "stripe",
  "smallest",
  "colours",
  "patterns",
  "background",
  "patternStrength",
  "scale",
] as const;
type Uniforms = Readonly<Record<(typeof UNIFORMS)[number], WebGLUniformLocation | null>>;

/** Boxes in graphics memory, and how their attributes are read. */
interface BoxBuffers {
  readonly array: WebGLVertexArrayObject;
  readonly bounds: WebGLBuffer;
  readonly styles: WebGLBuffer;
}

const BOUNDS = 0;
const STYLE = 1;

/**
 * Boxes through WebGL2: a view is uploaded once and then drawn with a few numbers per row, so that panning and zooming cost
 * the main thread next to nothing, however many boxes there are.
 */
export class GpuBoxes implements BoxPainter {
  readonly kind = "webgl2";
  private readonly view: BoxBuffers;
  private readonly rects: BoxBuffers;
  private readonly uniforms: Uniforms;
  private loaded: PreparedView | null = null;
  private frame: BoxFrame | null = null;
  private theme: Theme | null = null;

  /** null where the browser has no WebGL2 or its compiler refuses the shaders. */
  static create(onLost: () => void): GpuBoxes | null {
    const canvas = element("canvas", { class: "boxes", "aria-hidden": "true" });
    // The picture is copied out for export at any time.
    const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true });
    const program = gl === null ? null : link(gl);
    if (gl === null || program === null) return null;
    const listening = new AbortController();
    canvas.addEventListener("webglcontextlost", onLost, { once: true, signal: listening.signal });
    return new GpuBoxes(canvas, gl, program, listening);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    program: WebGLProgram,
    private readonly listening: AbortController,
  ) {
    this.uniforms = Object.fromEntries(
      UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]),
    ) as unknown as Uniforms;
    this.view = createBuffers(gl);
    this.rects = createBuffers(gl);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.SCISSOR_TEST);
  }

  begin(frame: BoxFrame): void {
    const { gl, uniforms } = this;
    sizeCanvas(this.canvas, frame);
    this.frame = frame;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.scissor(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(uniforms.viewport, width, height);
    gl.uniform1f(uniforms.scale, frame.scale);
    if (this.theme !== frame.theme) this.dress(frame);
  }

  fill(edges: readonly number[], place: RowPlace, value: typeof BoxLook.bed | typeof BoxLook.gridLine): void {
    const { gl, uniforms, frame } = this;
    if (frame === null || edges.length === 0) return;
    const count = edges.length / 2;
    const styles = new Uint8Array(count * 4);
    for (let at = 0; at < count; at++) styles.set([value, 255, 0, 0], at * 4);
    upload(gl, this.rects, Float32Array.from(edges), styles, gl.STREAM_DRAW);
    gl.bindVertexArray(this.rects.array);
    pointAt(gl, this.rects, 0);
    gl.uniform2f(uniforms.timeToX, frame.scale, 0);
    this.draw(place, count);
  }

  row(prepared: PreparedView, row: number, place: RowPlace): void {
    const { gl, uniforms, frame } = this;
    const boxes = prepared.rows[row];
    if (frame === null || boxes === undefined || boxes.count === 0) return;
    if (this.loaded !== prepared) {
      upload(gl, this.view, prepared.bounds, prepared.styles, gl.STATIC_DRAW);
      this.loaded = prepared;
    }
    const { scale, plotX, plotWidth, range } = frame;
    const pxPerNs = (plotWidth * scale) / (range.toNs - range.fromNs);
    gl.bindVertexArray(this.view.array);
    pointAt(gl, this.view, boxes.first);
    gl.uniform2f(uniforms.timeToX, pxPerNs, plotX * scale + (prepared.originNs - range.fromNs) * pxPerNs);
    this.draw(place, boxes.count);
  }

  /** A page may hold some sixteen contexts, and a file that changes on disk makes a new one each time. */
  close(): void {
    this.listening.abort();
    this.frame = null;
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private draw({ y, height, clipTop, smallestPx }: RowPlace, count: number): void {
    const { gl, uniforms, frame } = this;
    if (frame === null) return;
    const { scale, plotX, plotWidth } = frame;
    const clipHeight = Math.max(0, this.canvas.height - Math.round(clipTop * scale));
    gl.scissor(Math.round(plotX * scale), 0, Math.round(plotWidth * scale), clipHeight);
    gl.uniform2f(uniforms.stripe, Math.round(y * scale), Math.round(height * scale));
    gl.uniform1f(uniforms.smallest, Math.max(1, Math.round(smallestPx * scale)));
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  private dress(frame: BoxFrame): void {
    const { gl, uniforms } = this;
    this.theme = frame.theme;
    const looks = looksByValue(frame.theme);
    const colours = new Float32Array(LOOK_COUNT * 4);
    looks.forEach((look, value) => {
      const [red, green, blue, alpha] = parseColour(look.colour);
      colours.set([red, green, blue, value === BoxLook.gridLine ? alpha * gridAlpha(frame) : alpha], value * 4);
    });
    gl.uniform4fv(uniforms.colours, colours);
    gl.uniform1iv(
      uniforms.patterns,
      looks.map((look) => PATTERN_NUMBERS[look.pattern]),
    );
    gl.uniform4fv(uniforms.background, parseColour(frame.theme.background));
    gl.uniform1f(uniforms.patternStrength, frame.theme.isHighContrast ? 0.8 : 0.4);
  }
}

function link(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.bindAttribLocation(program, BOUNDS, "bounds");
  gl.bindAttribLocation(program, STYLE, "style");
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null;
}

function createBuffers(gl: WebGL2RenderingContext): BoxBuffers {
  const buffers = { array: gl.createVertexArray(), bounds: gl.createBuffer(), styles: gl.createBuffer() };
  gl.bindVertexArray(buffers.array);
  gl.enableVertexAttribArray(BOUNDS);
  gl.enableVertexAttribArray(STYLE);
  gl.vertexAttribDivisor(BOUNDS, 1);
  gl.vertexAttribDivisor(STYLE, 1);
  return buffers;
}

function upload(
  gl: WebGL2RenderingContext,
  into: BoxBuffers,
  bounds: Float32Array,
  styles: Uint8Array,
  usage: GLenum,
): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, into.bounds);
  gl.bufferData(gl.ARRAY_BUFFER, bounds, usage);
  gl.bindBuffer(gl.ARRAY_BUFFER, into.styles);
  gl.bufferData(gl.ARRAY_BUFFER, styles, usage);
}

/** WebGL2 has no first instance, so the attributes themselves begin at box `first`. */
function pointAt(gl: WebGL2RenderingContext, from: BoxBuffers, first: number): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, from.bounds);
  gl.vertexAttribPointer(BOUNDS, 2, gl.FLOAT, false, 8, first * 8);
  gl.bindBuffer(gl.ARRAY_BUFFER, from.styles);
  gl.vertexAttribIPointer(STYLE, 4, gl.UNSIGNED_BYTE, 4, first * 4);
}
