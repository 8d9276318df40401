import { createHash } from 'node:crypto';

/** Short enough to be read for each candidate, unlike the text of a parent. */
export const parentKey = (sourceId: string, parent: string): string =>
  createHash('sha256').update(`${sourceId}\n`).update(parent).digest('base64url').slice(0, 22);
