import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeBase64 } from './base64-bytes.ts';

const MIB = 1024 * 1024;

describe('base64 of a request', () => {
  it.each([1, 2, 3, 4, MIB, 3 * MIB + 1])('returns its bytes and their hash: %i bytes', async (size) => {
    const bytes = randomBytes(size);
    const decoded = await decodeBase64(bytes.toString('base64'));
    expect(decoded?.bytes.equals(bytes)).toBe(true);
    expect(decoded?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
  it.each(['AAA', 'A===', '====', 'AA==AAAA', 'AA AA===', 'AAA\n', '__--', 'AÄAA'])('is refused if it is invalid: %j', async (text) =>
    expect(await decodeBase64(text)).toBeNull(),
  );
  it('is refused if its padding is before the last piece', async () =>
    expect(await decodeBase64(`${'A'.repeat(512 * 1024 - 1)}=${'A'.repeat(512 * 1024)}`)).toBeNull());
  it('lets other work run between pieces', async () => {
    let turns = 0;
    const ticking = new AbortController();
    const tick = () => {
      turns++;
      if (!ticking.signal.aborted) setImmediate(tick);
    };
    tick();
    await decodeBase64('A'.repeat(8 * MIB));
    ticking.abort();
    expect(turns).toBeGreaterThanOrEqual((8 * MIB) / (512 * 1024) - 1);
  });
});
