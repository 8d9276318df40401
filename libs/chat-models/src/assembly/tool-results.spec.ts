import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PARAMETERS, type Prompt, type Turn } from '../chat-model.ts';
import { assemble } from './assemble.ts';

const SMALL = { contextWindow: 2_048, maxOutputTokens: 256 };
/** The part of the window without the answer and the margin. */
const ROOM = 2_048 - 256 - 256;

const call = (callId: string) => ({ callId, name: 'search', input: { query: callId } });
const exchange = (result: string): readonly Turn[] => [
  { role: 'user', text: 'Which one?' },
  { role: 'assistant', text: '', calls: [call('a'), call('b')] },
  {
    role: 'tool',
    text: '',
    results: [
      { ...call('a'), text: result, isError: false },
      { ...call('b'), text: 'short', isError: false },
    ],
  },
];
const asking = (turns: readonly Turn[], more: Partial<Prompt> = {}): Prompt => ({
  turns,
  instruction: '',
  knowledge: null,
  parameters: DEFAULT_PARAMETERS,
  isCached: false,
  ...more,
});
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 10}`).join(' ');

describe('an exchange with tool calls', () => {
  it('is complete if there is room', async () => {
    const turns = [{ role: 'user', text: 'Before' } as const, ...exchange('found')];
    expect((await assemble(asking(turns), SMALL)).messages).toEqual(turns);
  });
  it('keeps each call with its result, and loses the middle of long results after older exchanges are omitted', async () => {
    const older: readonly Turn[] = [
      { role: 'user', text: words(200) },
      { role: 'assistant', text: 'Yes.' },
    ];
    const { messages, trimmedTurns, inputTokensEstimate } = await assemble(asking([...older, ...exchange(words(3_000))]), SMALL);
    expect([trimmedTurns, messages.map(({ role }) => role)]).toEqual([2, ['user', 'assistant', 'tool']]);
    const [long, short] = messages[2]!.results!;
    expect([long!.callId, short]).toEqual(['a', expect.objectContaining({ callId: 'b', text: 'short' })]);
    expect(long!.text).toContain('left out');
    expect(inputTokensEstimate).toBeLessThanOrEqual(ROOM);
  });
  it('counts the tool definitions', async () => {
    const tools = [{ name: 'search', description: words(100), inputSchema: {} }];
    const [without, with_] = await Promise.all(
      [asking(exchange('x')), asking(exchange('x'), { tools })].map((prompt) => assemble(prompt, SMALL)),
    );
    expect(with_!.inputTokensEstimate - without!.inputTokensEstimate).toBeGreaterThan(100);
  });
});
