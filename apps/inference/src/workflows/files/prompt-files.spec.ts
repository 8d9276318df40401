import { describe, expect, it } from '@jest/globals';
import type { Catalogue } from '../../adapters/pricing/catalogue.ts';
import type { MessageFiles } from '../../adapters/files/message-files.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { PromptMemory } from './prompt-memory.ts';
import { chooseFiles, PROMPT_DOCUMENTS, PROMPT_FILE_BYTES, PROMPT_FILE_TEXT_BYTES, PROMPT_IMAGES, PromptFilesOf } from './prompt-files.ts';

const ALL = { images: true, documents: true };
const image: MessageFile = { id: 'i', kind: 'image', mediaType: 'image/png', bytes: 10, sealed: 's' };
const document: MessageFile = { id: 'd', kind: 'attachment', mediaType: 'application/pdf', bytes: 10, textBytes: 10, sealed: 's' };
const sheet: MessageFile = { ...document, id: 's', mediaType: 'text/csv' };

const times = (count: number, file: MessageFile) => Array.from({ length: count }, () => file);
/** How the prompt includes each file: f as a file, t as a text. */
const chosen = (files: readonly MessageFile[], takes = ALL) =>
  chooseFiles(files, takes).map(({ asFile, asText }) => `${asFile ? 'f' : ''}${asText ? 't' : ''}`);

describe('the files of a prompt', () => {
  it('are the files that the model accepts, with texts for fallbacks', () =>
    expect(chosen([image, document, sheet])).toEqual(['f', 'ft', 't']));
  it('are only texts for a model that accepts no files', () =>
    expect(chosen([image, document, sheet], { images: false, documents: false })).toEqual(['', 't', 't']));
  it('are the latest images', () =>
    expect(chosen(times(PROMPT_IMAGES + 1, image)).filter((each) => each === 'f')).toHaveLength(PROMPT_IMAGES));
  it('are the latest documents, and the texts of others', () => expect(chosen(times(PROMPT_DOCUMENTS + 1, document)).at(-1)).toBe('t'));
  it('have no more bytes than a request allows', () =>
    expect(chosen([{ ...image, bytes: PROMPT_FILE_BYTES }, image, { ...image, bytes: 1 }])).toEqual(['f', '', '']));
  it('have no more text than a prompt allows, and a later text that fits', () =>
    expect(chosen([{ ...sheet, textBytes: PROMPT_FILE_TEXT_BYTES - 10 }, { ...sheet, textBytes: 11 }, sheet])).toEqual(['t', '', 't']));
});

describe('loading the files of a prompt', () => {
  const catalogue = {
    readsOfAny: (id: string) => ({ images: id === 'seeing' || id === 'blind', documents: false }),
  } as unknown as Catalogue;
  /** The file store. Files of `broken` cannot be read, and `erased` no longer has a key. */
  const files = {
    details: async ({ id }: MessageFile) => (id === 'erased' ? null : { name: `${id}.png` }),
    bytes: async (_: string, { id }: MessageFile) => {
      if (id === 'broken') throw new Error('the store does not answer');
      return Buffer.from(id);
    },
    text: async () => 'text',
  } as unknown as MessageFiles;
  /** Memory for one image. */
  const opened = (memory = new PromptMemory(image.bytes)) => ({ memory, prompt: new PromptFilesOf(files, catalogue, memory) });
  /** Whether one byte of memory is free. Does not wait for it. */
  async function hasFree(memory: PromptMemory): Promise<boolean> {
    const now = new AbortController();
    const taken = memory.take(1, now.signal).then(
      (release) => (release(), true),
      () => false,
    );
    now.abort();
    return taken;
  }

  it('loads the images that a fallback can see', async () => {
    const { byId } = await opened().prompt.load('c', 'blind', [image]);
    expect(byId.get('i')).toMatchObject({ bytes: Buffer.from('i') });
  });
  it('leaves out the bytes of images that no model sees, and erased files', async () => {
    const { byId } = await opened().prompt.load('c', 'other', [image, { ...image, id: 'erased' }]);
    expect([[...byId.keys()], byId.get('i')!.bytes.byteLength]).toEqual([['i'], 0]);
  });
  it('keeps its memory until it is released', async () => {
    const { memory, prompt } = opened();
    const { release } = await prompt.load('c', 'seeing', [image]);
    const whileLoaded = await hasFree(memory);
    release();
    expect([whileLoaded, await hasFree(memory)]).toEqual([false, true]);
  });
  it('releases its memory when a file cannot be read', async () => {
    const { memory, prompt } = opened();
    await expect(prompt.load('c', 'seeing', [{ ...image, id: 'broken' }])).rejects.toThrow('the store does not answer');
    expect(await hasFree(memory)).toBe(true);
  });
});
