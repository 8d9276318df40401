import type { QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PARAMETERS, type TurnFile } from '@parlance/chat-models';
import type { Vault } from '@parlance/privacy';
import type { BotKnowledge } from '../../adapters/bot-knowledge.ts';
import type { Catalogue } from '../../adapters/pricing/catalogue.ts';
import type { FileDetails, MessageFiles } from '../../adapters/files/message-files.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import type { SealedTurn } from '../../projections/transcript.ts';
import { PromptMemory } from '../files/prompt-memory.ts';
import { PromptFilesOf } from '../files/prompt-files.ts';
import type { ReplyMemory, UsedMemory } from '../memory/reply-memory.ts';
import type { ProjectInstructions } from '../projects/project-instructions.ts';
import { type Question, ReplyPrompt } from './reply-prompt.ts';

const MIB = 1024 * 1024;
const question: Question = {
  userId: 'ann',
  botId: null,
  model: 'sees',
  parentId: null,
  text: 'Why?',
  continues: '',
  wantsReasoning: false,
  eventId: null,
};
const file = (id: string, more: Partial<MessageFile> = {}): MessageFile => ({
  id,
  kind: 'attachment',
  mediaType: 'application/pdf',
  bytes: 4,
  textBytes: 4,
  sealed: id,
  ...more,
});
const image = (id: string) => file(id, { kind: 'image', mediaType: 'image/png' });

/** A prompt after these turns. The bytes and texts of files are their IDs. IDs of erased files begin with `x`. */
function prompting(turns: readonly SealedTurn[] = [], memory = new PromptMemory()) {
  const loaded: string[] = [];
  const searches: string[] = [];
  const catalogue = {
    reads: (id: string) => ({ images: id === 'sees', documents: id === 'sees' }),
    // `blind` has `sees` as its fallback.
    readsOfAny: (id: string) => ({ images: id !== 'other', documents: id !== 'other' }),
  } as unknown as Catalogue;
  const files = {
    details: async ({ id }: MessageFile): Promise<FileDetails | null> =>
      id.startsWith('x') ? null : { name: id.startsWith('i') ? null : `${id}.pdf`, sha256: '', key: '' },
    bytes: async (_: string, { id }: MessageFile) => {
      loaded.push(id);
      return Buffer.from(id);
    },
    text: async (_: string, { id }: MessageFile) => `text of ${id}`,
  } as unknown as MessageFiles;
  const bots = {
    search: async (_: string, __: string, query: string) => {
      searches.push(query);
      return { instruction: 'Of the bot.', knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false, bot: null };
    },
  } as unknown as BotKnowledge;
  const projects = {
    of: async (_: string, __: string, id?: string | null) => (id === 'p' ? 'Of the project.' : ''),
  } as ProjectInstructions;
  const remembering = {
    of: async (_: string, { memoryUse }: Question): Promise<UsedMemory> =>
      memoryUse === 'full' ? { ids: ['e'], texts: ['Works in Lisbon.'], mayRemember: true } : { ids: [], texts: [], mayRemember: false },
  } as unknown as ReplyMemory;
  const queries = { execute: async () => turns } as unknown as QueryBus;
  const vault = { openAllOften: async (texts: readonly string[]) => texts } as unknown as Vault;
  const prompts = new ReplyPrompt(queries, vault, bots, new PromptFilesOf(files, catalogue, memory), projects, remembering);
  return {
    loaded,
    searches,
    of: (more: Partial<Question> = {}, signal?: AbortSignal) => prompts.of('c', { ...question, ...more }, signal),
  };
}

describe('the files of a prompt', () => {
  it('are those of each turn, loaded the latest first', async () => {
    const { of, loaded } = prompting([{ role: 'user', content: 'See.', files: [image('i1')] }]);
    const { turns } = await of({ files: [file('d1')] });
    const pdf: TurnFile = { mediaType: 'application/pdf', name: 'd1.pdf', bytes: Buffer.from('d1'), text: 'text of d1' };
    expect(turns).toEqual([
      { role: 'user', text: 'See.', files: [expect.objectContaining({ mediaType: 'image/png', name: null, bytes: Buffer.from('i1') })] },
      { role: 'user', text: 'Why?', files: [pdf] },
    ]);
    expect(loaded).toEqual(['d1', 'i1']);
  });
  it('are loaded for a fallback that accepts them, and not if no model does', async () => {
    const { of, loaded } = prompting();
    await of({ files: [image('i1')], model: 'blind' });
    await of({ files: [image('i2')], model: 'other' });
    expect(loaded).toEqual(['i1']);
  });
  it('are left out once they are erased', async () => {
    expect((await prompting().of({ files: [image('x1')] })).turns).toEqual([{ role: 'user', text: 'Why?' }]);
  });
  it('hold their memory until the reply has ended', async () => {
    const { of } = prompting([], new PromptMemory(4 * MIB));
    const large = [{ ...image('i1'), bytes: 3 * MIB }];
    const first = await of({ files: large });
    let isLater = false;
    const second = of({ files: large }).then(() => expect(isLater).toBe(true));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    isLater = true;
    first.release();
    await second;
  });
  it('are not awaited by a stopped reply', async () => {
    const { of } = prompting([], new PromptMemory(4 * MIB));
    const large = [{ ...image('i1'), bytes: 3 * MIB }];
    const { release } = await of({ files: large });
    const stop = new AbortController();
    const stopped = of({ files: large }, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    release();
    (await of({ files: large })).release();
  });
});

describe('the query for a bot’s knowledge', () => {
  it('is the text', async () => {
    const { of, searches } = prompting();
    await of({ botId: 'b', files: [file('d1')] });
    expect(searches).toEqual(['Why?']);
  });
  it('consists of the names of the files if there is no text', async () => {
    const { of, searches } = prompting();
    await of({ botId: 'b', text: '', files: [file('d1'), image('i1')] });
    expect(searches).toEqual(['d1.pdf image']);
  });
});

describe('the instruction of a prompt', () => {
  const instructionOf = async (more: Partial<Question>) => (await prompting([]).of(more)).instruction;
  it('has the instruction of the bot, and then of the project', async () => {
    expect(await instructionOf({ projectId: 'p' })).toBe('Of the project.');
    expect(await instructionOf({ projectId: 'p', botId: 'b' })).toBe('Of the bot.\n\nOf the project.');
    expect(await instructionOf({ projectId: null, botId: 'b' })).toBe('Of the bot.');
  });
  it('has no project for a published API, whose clients send an instruction of their own', async () =>
    expect(await instructionOf({ projectId: 'p', botId: 'b', apiId: 'a', terms: { instruction: 'Sent.' } })).toBe('Of the bot.\n\nSent.'));
});

describe('the memory in a prompt', () => {
  it('has the entries that are used, and their IDs', async () => {
    const { memory, usedMemory } = await prompting([]).of({ memoryUse: 'full' });
    expect([memory, usedMemory?.ids]).toEqual([['Works in Lisbon.'], ['e']]);
  });
  it('is absent if none is used', async () => expect((await prompting([]).of({ memoryUse: 'off' })).memory).toBeUndefined());
});
