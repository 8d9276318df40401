import { describe, expect, it } from '@jest/globals';
import { type DocumentReader, DocumentReaderFailed, DocumentRefused } from '@parlance/documents';
import { MAX_FILE_TEXT_BYTES } from '../../domain/file-limits.ts';
import { FileReader, type GivenFile } from './file-reader.ts';

type Read = DocumentReader['read'];

const given = (name: string, text = 'x'): GivenFile => ({
  kind: 'attachment',
  name,
  path: 'message.content[0].body',
  body: Buffer.from(text).toString('base64'),
});

/** A reader of documents that reads the documents when the test says so. */
function slowly() {
  const begun: { readonly name: string; readonly end: () => void }[] = [];
  const read: Read = (file) =>
    new Promise((resolve) => begun.push({ name: file.name, end: () => resolve({ type: 'text', title: null, chunks: 1, tokens: 1 }) }));
  return { begun, read };
}

/** Gives chunks of this text, as many as are wanted. */
const chunks =
  (text: string, count: number): Read =>
  async (_, __, { onChunks }) => {
    const chunk = { id: '', ordinal: 0, text, parent: null, page_number: null, heading: null, tokens: 1 };
    for (let nth = 0; nth < count; nth++) await onChunks([chunk], { type: 'csv', title: null });
    return { type: 'csv', title: null, chunks: count, tokens: count };
  };

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the attachments of messages', () => {
  it('of one user are read one after the other, beside those of others', async () => {
    const { begun, read } = slowly();
    const reader = new FileReader({ read });
    const reading = [reader.check('ann', [given('1'), given('2')]), reader.check('ann', [given('3')]), reader.check('ben', [given('4')])];
    await turn();
    expect(begun.map(({ name }) => name)).toEqual(['1', '4']);
    for (let nth = 0; nth < 4; nth++) {
      begun[nth]!.end();
      await turn();
    }
    expect(begun.map(({ name }) => name).toSorted()).toEqual(['1', '2', '3', '4']);
    await Promise.all(reading);
  });
  it('are refused as busy when others are read for too long', async () => {
    const { begun, read } = slowly();
    const reader = new FileReader({ read }, 20);
    const first = reader.check('ann', [given('1')]);
    await expect(reader.check('ann', [given('2')])).rejects.toMatchObject({ kind: 'unavailable', code: 'busy' });
    begun[0]!.end();
    await first;
    expect(begun).toHaveLength(1);
  });
  it('are refused as busy when no process can be started', () =>
    expect(new FileReader({ read: () => Promise.reject(new DocumentReaderFailed('no')) }).check('ann', [given('1')])).rejects.toMatchObject(
      {
        kind: 'unavailable',
        code: 'busy',
      },
    ));
  it('are refused with what is wrong with them', () =>
    expect(
      new FileReader({ read: () => Promise.reject(new DocumentRefused('encrypted', 'It has a password.')) }).check('ann', [given('1')]),
    ).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_file', message: 'It has a password.' }));
  it('give their whole text', async () => {
    const [file] = await new FileReader({ read: chunks('Words.', 3) }).check('ann', [given('a.csv')]);
    expect(file).toMatchObject({ kind: 'attachment', mediaType: 'text/csv', name: 'a.csv', text: 'Words.\n\nWords.\n\nWords.' });
  });
  it('give the beginning of a long text, and say that there is more', async () => {
    const [file] = await new FileReader({ read: chunks('ß'.repeat(1_000), 1_000_000) }).check('ann', [given('a.csv')]);
    const bytes = Buffer.byteLength(file!.text!);
    expect([bytes <= MAX_FILE_TEXT_BYTES, bytes > MAX_FILE_TEXT_BYTES - 3_000]).toEqual([true, true]);
    expect(file!.text).toMatch(/ß\n\n\[… the rest of this file was left out, because it is too long …\]$/);
  });
});
