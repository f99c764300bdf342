import type { Launcher } from "../veomni/trainingWorkload.js";

/** More than one of a flag: which of them starts the call is not known. */
const perNodeFlag = /--nproc[-_]per[-_]node(?:=|\s+)(\S+)/g;
const nodesFlag = /--nnodes(?:=|\s+)(\S+)/g;

/**
 * What `torchrun` says about ranks in a text: processes of a node times nodes (1 where it does not say). `undefined` where the text has
 * none or several of them, or where the run fills them in.
 */
export function launcherIn(text: string): Launcher | undefined {
  const read = text.replace(/^[ \t]*#.*$/gm, "");
  const [perNode, ...otherPerNode] = [...read.matchAll(perNodeFlag)];
  const [nodes, ...otherNodes] = [...read.matchAll(nodesFlag)];
  if (perNode === undefined || otherPerNode.length > 0 || otherNodes.length > 0) return undefined;
  const ranks = countOf(perNode[1]) * (nodes === undefined ? 1 : countOf(nodes[1]));
  if (!Number.isSafeInteger(ranks) || ranks < 1) return undefined;
  const what = [perNode[0], ...(nodes === undefined ? [] : [nodes[0]])].join(" ").replace(/\s+/g, " ");
  return { ranks, what: `torchrun ${what}` };
}

function countOf(word: string | undefined): number {
  return word !== undefined && /^[1-9]\d*$/.test(word) ? Number(word) : Number.NaN;
}
