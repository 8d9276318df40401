import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { KeyTaken } from '@parlance/privacy';
import type { Catalogue } from '../adapters/pricing/catalogue.ts';
import type { FileReader, RequestFile } from '../adapters/files/file-reader.ts';
import type { MessageRef, MessageFiles } from '../adapters/files/message-files.ts';
import { NewFiles } from './new-files.ts';

const place = { conversationId: 'c', messageId: 'm' };

/** Returns the messages whose files are removed after an append with this outcome. */
async function removedAfter(append: Promise<{ readonly written: boolean }>, fails = false) {
  const removed: MessageRef[] = [];
  const files = {
    remove: async (its: MessageRef) => {
      removed.push(its);
      if (fails) throw new Error('the store does not answer');
    },
  } as unknown as MessageFiles;
  const outcome = await new NewFiles({} as Catalogue, {} as FileReader, files)
    .removedUnlessNamed(place, append)
    .catch((error: unknown) => error);
  return { removed, outcome };
}

describe('the files of an appended message', () => {
  it('stay if the append names them', async () => {
    expect((await removedAfter(Promise.resolve({ written: true }))).removed).toEqual([]);
  });
  it('are removed when the append is a repeat', async () => {
    expect((await removedAfter(Promise.resolve({ written: false }))).removed).toEqual([place]);
  });
  it('are removed if the append is refused, or repeated with another key', async () => {
    const refusal = refuse('conflict', 'reply_in_progress', 'Wait.');
    expect(await removedAfter(Promise.reject(refusal))).toEqual({ removed: [place], outcome: refusal });
    expect((await removedAfter(Promise.reject(new KeyTaken('c')))).removed).toEqual([place]);
  });
  it.each([
    ['the database fails', new Error('ECONNRESET')],
    ['the store of events is unavailable', refuse('unavailable', 'busy', 'Wait.')],
  ])('stay when the append may have been carried out: %s', async (_, error) => {
    expect(await removedAfter(Promise.reject(error))).toEqual({ removed: [], outcome: error });
  });
  it('do not change the outcome when they cannot be removed', async () => {
    expect((await removedAfter(Promise.resolve({ written: false }), true)).outcome).toEqual({ written: false });
  });
});

it('reads no file while the object store does not answer', async () => {
  const unavailable = refuse('unavailable', 'object_store_unavailable', 'The file store does not answer.');
  const files = { requireAvailable: () => Promise.reject(unavailable) } as unknown as MessageFiles;
  const image = { kind: 'image' } as RequestFile;
  await expect(new NewFiles({} as Catalogue, {} as FileReader, files).checked('ann', [image], 'sees')).rejects.toBe(unavailable);
});

describe('a message with images', () => {
  const model = (id: string, isAvailable = true) => ({ id, available: isAvailable });
  const list = [model('reader'), model('seeing'), model('without credentials', false)];
  const catalogue = { list, reads: (id: string) => ({ images: id !== 'reader', documents: false }) } as unknown as Catalogue;
  const files = new NewFiles(catalogue, {} as FileReader, {} as MessageFiles);
  it('is refused for a model without vision, naming the available models that have it', () =>
    expect(() => files.requireVision('reader')).toThrow('The model reader cannot see images; models that can: seeing.'));
  it('is accepted for a model with vision', () => expect(() => files.requireVision('seeing')).not.toThrow());
});
