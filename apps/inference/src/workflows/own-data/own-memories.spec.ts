import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { Vault } from '@parlance/privacy';
import { ownMemories } from './own-memories.ts';

describe("the memory in an export of a user's own data", () => {
  const exported = async (texts: readonly (string | null)[]) => {
    const row = (text: string | null, index: number) => ({
      memory_id: `m${index}`,
      text,
      conversation_id: null,
      message_id: null,
      created_at: 0,
    });
    const queries = { execute: async () => ({ rows: texts.map(row), next: null }) } as unknown as QueryBus;
    const vault = { open: async (text: string | null) => text } as unknown as Vault;
    let json = '';
    for await (const part of ownMemories({ queries, vault }, 'ann', async () => undefined)) json += part;
    return JSON.parse(json) as object[];
  };

  it('has all entries', async () => expect(await exported(['A', 'B'])).toMatchObject([{ text: 'A' }, { text: 'B' }]));
  it('is an empty list without entries', async () => expect(await exported([])).toEqual([]));
  it('leaves out entries that are being removed', async () =>
    expect(await exported([null, 'B', null])).toMatchObject([{ memory_id: 'm1', text: 'B' }]));
});
