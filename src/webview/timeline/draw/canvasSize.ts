/**
 * Gives a canvas `width` × `height` CSS pixels at `scale` screen pixels each. Assigning a size clears even when nothing
 * changes, and costs a new buffer, so it is done only on change.
 */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  { width, height, scale }: { readonly width: number; readonly height: number; readonly scale: number },
): void {
  const pixelWidth = Math.max(1, Math.round(width * scale));
  const pixelHeight = Math.max(1, Math.round(height * scale));
  if (canvas.width === pixelWidth && canvas.height === pixelHeight) return;
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
