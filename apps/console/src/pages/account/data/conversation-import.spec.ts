import { describe, expect, it } from '@jest/globals';
import type { ConversationImport } from '@parlance/client/types';
import fc from 'fast-check';
import { byReason, importAll } from './conversation-import.ts';

const report = (more: Partial<ConversationImport>): ConversationImport => ({
  dry_run: false,
  source: 'chatgpt',
  is_complete: true,
  imported: 0,
  unchanged: 0,
  deleted: 0,
  conversations: [],
  left_out: [],
  left_out_in_all: 0,
  ...more,
});

describe('an import', () => {
  it('is repeated until the server had time for all conversations', async () => {
    const reports = [
      report({ is_complete: false, imported: 5, unchanged: 1 }),
      report({ is_complete: false, imported: 4, unchanged: 6 }),
      report({ imported: 2, unchanged: 11, deleted: 3 }),
    ];
    const seen: number[] = [];
    const all = await importAll(
      async () => reports.shift()!,
      (imported) => seen.push(imported),
    );
    expect(all).toMatchObject({ is_complete: true, imported: 11, unchanged: 2, deleted: 3 });
    expect(seen).toEqual([5, 9, 11]);
    expect(reports).toEqual([]);
  });
  it('ends when a repeat adds nothing', async () => {
    const reports = [report({ is_complete: false, imported: 5 }), report({ is_complete: false, unchanged: 5 })];
    expect(
      await importAll(
        async () => reports.shift()!,
        () => undefined,
      ),
    ).toMatchObject({ is_complete: false, imported: 5, unchanged: 0 });
  });
  it('counts each conversation once, however many the server takes at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 20 }), async (fresh, before, atOnce) => {
        let left = fresh;
        const send = async () => {
          const taken = Math.min(atOnce, left);
          const unchanged = before + fresh - left;
          left -= taken;
          return report({ is_complete: left === 0, imported: taken, unchanged });
        };
        expect(await importAll(send, () => undefined)).toMatchObject({ is_complete: true, imported: fresh, unchanged: before });
      }),
    );
  });
});

it('counts what is left out by its reason', () => {
  const image = { reason: 'image' as const, detail: 'Images are not imported.' };
  expect(
    byReason([
      { ...image, source_id: 'a', count: 2 },
      { source_id: 'a', reason: 'reasoning', count: 1, detail: 'The reasoning of a model is not imported.' },
      { ...image, source_id: 'b', count: 3 },
    ]),
  ).toEqual([
    { ...image, conversations: 2, times: 5 },
    { reason: 'reasoning', detail: 'The reasoning of a model is not imported.', conversations: 1, times: 1 },
  ]);
});
