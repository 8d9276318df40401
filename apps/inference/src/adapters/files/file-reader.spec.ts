import { describe, expect, it } from '@jest/globals';
import { type DocumentReader, DocumentReaderBusy, DocumentReaderFailed, DocumentRefused } from '@parlance/documents';
import { MAX_FILE_TEXT_BYTES } from '../../domain/file-limits.ts';
import { FileReader, type RequestFile } from './file-reader.ts';

type Read = DocumentReader['read'];

const fileOf = (name: string, text = 'x'): RequestFile => ({
  kind: 'attachment',
  name,
  path: 'message.content[0].body',
  body: Buffer.from(text).toString('base64'),
});

/** Returns this many chunks of this text. */
const chunks =
  (text: string, count: number, tokens = 1): Read =>
  async (_, __, { onChunks }) => {
    const chunk = { id: '', ordinal: 0, text, parent: null, page_number: null, heading: null, tokens };
    for (let index = 0; index < count; index++) await onChunks([chunk], { type: 'csv', title: null });
    return { type: 'csv', title: null, chunks: count, tokens: count };
  };

describe('the attachments of messages', () => {
  it('are read one after another, each in the turn of the account', async () => {
    const begun: unknown[] = [];
    let open = 0;
    const read: Read = async ({ name }, _, { account, waitMillis }) => {
      begun.push([name, account, ++open]);
      expect(waitMillis).toBeGreaterThan(0);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return { type: 'text', title: null, chunks: 1, tokens: 1 };
    };
    await new FileReader({ read }).check('ann', [fileOf('1'), fileOf('2')]);
    expect(begun).toEqual([
      ['1', 'ann', 1],
      ['2', 'ann', 1],
    ]);
  });
  it.each([
    ['other attachments are read for too long', new DocumentReaderBusy('busy'), 'Too many attachments'],
    ['no process can be started', new DocumentReaderFailed('no'), 'does not start'],
  ])('are refused as busy when %s', async (_, error, detail) => {
    const reader = new FileReader({ read: () => Promise.reject(error) });
    await expect(reader.check('ann', [fileOf('1')])).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'busy',
      message: expect.stringContaining(detail),
    });
  });
  it('are refused with the reason', () =>
    expect(
      new FileReader({ read: () => Promise.reject(new DocumentRefused('encrypted', 'It has a password.')) }).check('ann', [fileOf('1')]),
    ).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_file', message: 'It has a password.' }));
  it('have their whole text', async () => {
    const [file] = await new FileReader({ read: chunks('Words.', 3) }).check('ann', [fileOf('a.csv')]);
    expect(file).toMatchObject({ kind: 'attachment', mediaType: 'text/csv', name: 'a.csv', text: 'Words.\n\nWords.\n\nWords.' });
    expect(file!.pages).toBeUndefined();
  });
  it('have the tokens of their text', async () => {
    const { countTokens } = await import('@parlance/chat-models');
    const words = 'The committee meets on Tuesday, and every invoice needs its approval.';
    const tokens = (await countTokens(words)).tokens;
    for (const count of [40, 1_000_000]) {
      const [file] = await new FileReader({ read: chunks(words, count, tokens) }).check('ann', [fileOf('a.csv')]);
      expect(Math.abs(file!.textTokens! / (await countTokens(file!.text!, Infinity)).tokens - 1)).toBeLessThan(0.1);
    }
  });
  it('have the number of pages of a PDF, even without text', async () => {
    const refused = new DocumentRefused('no_text', 'This PDF has no text.', 7);
    const read: Read = async () => ({ type: 'pdf', title: null, pages: 3, chunks: 1, tokens: 1 });
    const pagesOf = async (its: Read) => (await new FileReader({ read: its }).check('ann', [fileOf('a.pdf', '%PDF-1.7')]))[0]!.pages;
    expect([await pagesOf(read), await pagesOf(() => Promise.reject(refused))]).toEqual([3, 7]);
  });
  it('have the beginning of a long text, and a note that it was cut', async () => {
    const [file] = await new FileReader({ read: chunks('ß'.repeat(1_000), 1_000_000) }).check('ann', [fileOf('a.csv')]);
    const bytes = Buffer.byteLength(file!.text!);
    expect([bytes <= MAX_FILE_TEXT_BYTES, bytes > MAX_FILE_TEXT_BYTES - 3_000]).toEqual([true, true]);
    expect(file!.text).toMatch(/ß\n\n\[… the rest of this file was left out, because it is too long …\]$/);
  });
});
