/** What a page needs from its host. */
export interface PageSources {
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Origin of scripts, styles and pictures in the page's policy. */
  readonly cspSource: string;
  /** From a cryptographic source, new for each page. */
  readonly nonce: string;
  /** The same for style elements, another value: this one stands in the page for scripts to read. */
  readonly styleNonce: string;
  /** Read out when the page is focused. */
  readonly title: string;
}

/**
 * The page of an editor, view or panel. Its policy allows our own bundled script by nonce, our own styles, and nothing else: no
 * network, no frames, no evaluated code, no styles in the text of the page. The control kit adopts constructed style sheets, which
 * no policy forbids. One style element it does write, empty and for a moment, to learn whether the browser knows `:focus-visible`;
 * it takes a nonce from the meta element `csp-nonce`.
 */
export function pageHtml({ scriptUri, styleUri, cspSource, nonce, styleNonce, title }: PageSources): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${styleNonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${styleNonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${styleUri}">
<title>${title}</title>
</head>
<body>
<div id="page"></div>
<script nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>`;
}
