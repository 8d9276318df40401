import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { Remember } from './remember.ts';

const context = { userId: 'ann', botId: null, conversationId: 'c', callId: 'call' };

describe('the tool `remember`', () => {
  const called = async (input: unknown, error: Error | null = null) => {
    const added: [string, string][] = [];
    const tool = new Remember(async (id, text) => {
      if (error) throw error;
      added.push([id, text]);
    });
    return { added, result: await tool.call(input, context) };
  };

  it('adds an entry with the ID of the call', async () => {
    const { added, result } = await called({ text: ' Works in Lisbon. ' });
    expect(added).toEqual([['call', 'Works in Lisbon.']]);
    expect(result.isError).toBe(false);
  });
  it.each([{}, { text: '' }, { text: '  ' }, { text: 1 }, { text: 'x'.repeat(501) }])('adds nothing for %j', async (input) => {
    const { added, result } = await called(input);
    expect([added, result.isError]).toEqual([[], true]);
  });
  it('passes a refusal to the model', async () => {
    const { result } = await called({ text: 'A' }, refuse('conflict', 'too_many_memories', 'It is full.'));
    expect(result).toEqual({ text: 'Nothing was added: It is full.', isError: true });
  });
  it('fails if a store is unavailable', async () =>
    expect(called({ text: 'A' }, refuse('unavailable', 'store_unavailable', 'Try again later.'))).rejects.toThrow('Try again later.'));
});
