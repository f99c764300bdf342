import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";

/**
 * Puts `after` in the place of `before` in a text file: at once or not at all, with the same permissions and owner, through a link
 * if the path is one. Fails with `FILE_CHANGED` when the file no longer says `before`, and with `FILE_NOT_WRITABLE`; the file is
 * then as it was. `shown` is the path for messages.
 */
export async function replaceFile(
  shown: string,
  path: string,
  before: string,
  after: string,
): Promise<Outcome<undefined>> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path);
    await access(target, constants.W_OK);
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
    await writeLike(target, temporary, after);
    if ((await readFile(target)).compare(Buffer.from(before)) !== 0) return fail(changedProblem(shown));
    await rename(temporary, target);
    temporary = undefined;
    return succeed(undefined);
  } catch (error) {
    return fail(notWritable(shown, error));
  } finally {
    // Where no file can be, none can be removed.
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function writeLike(target: string, temporary: string, text: string): Promise<void> {
  const info = await stat(target);
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await keepOwner(handle, info);
    await handle.chmod(info.mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only root may give files away; for others the file was their own, or their group's. */
async function keepOwner(handle: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch {
    // Permissions are kept all the same.
  }
}

function changedProblem(shown: string): Problem {
  return {
    code: "FILE_CHANGED",
    message: `${shown} was changed by someone else in the meantime.`,
    nextStep: "Run the command again; nothing was written.",
  };
}

function notWritable(shown: string, error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown error";
  return {
    code: "FILE_NOT_WRITABLE",
    message: `${shown} cannot be written.`,
    cause: `The system says ${code}.`,
    nextStep: "Check the permissions of the file and its folder, and the space on the disk; nothing was written.",
  };
}
