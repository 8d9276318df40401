import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { AuditHead } from '../projections/audit-verification.ts';

/** Thrown by `readAuditHead` when the file cannot be read, or contains no exported head. */
export class NoAuditHead extends Error {
  constructor(path: string, reason: string) {
    super(`${path} holds no exported head of the audit log: ${reason}`);
    this.name = 'NoAuditHead';
  }
}

/** Null if there is no file. Throws `NoAuditHead`. */
export async function readAuditHead(path: string): Promise<AuditHead | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new NoAuditHead(path, code ?? String(error));
  }
  let value: Partial<AuditHead> | null = null;
  try {
    value = JSON.parse(text) as Partial<AuditHead> | null;
  } catch {
    // The error is thrown below, with a reason.
  }
  const { id, hash, version } = value ?? {};
  if (typeof id !== 'string' || typeof hash !== 'string' || !Number.isSafeInteger(version) || version! < 1)
    throw new NoAuditHead(path, 'it is not a JSON object with id, hash and version');
  return { id, hash, version: version! };
}

/** Replaces the file in one step. It is durable when this resolves. */
export async function writeAuditHead(path: string, head: AuditHead, time: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(`${JSON.stringify({ ...head, time })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
