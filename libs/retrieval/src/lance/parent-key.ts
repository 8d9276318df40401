import { createHash } from 'node:crypto';

/** A short hash of a parent. A search reads it for each candidate instead of the parent's text. */
export const parentKey = (sourceId: string, parent: string): string =>
  createHash('sha256').update(`${sourceId}\n`).update(parent).digest('base64url').slice(0, 22);
