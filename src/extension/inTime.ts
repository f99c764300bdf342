/**
 * The answer if it comes within the wait, in an object: an answer of `undefined` is no late one. A late answer is still on its
 * way. Rejects when the answer does so in time.
 */
export async function inTime<T>(answer: PromiseLike<T>, waitMs: number): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  try {
    return await Promise.race([answer.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
