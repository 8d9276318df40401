import { expect, type it as jestIt } from '@jest/globals';
import { type Prompt } from '../src/index.ts';
import { LONGEST_TOOL_INPUT } from '../src/providers/tool-call-of.ts';
import type { ReportedUsage, Stop } from './provider-dialects.ts';
import { type Behaviour } from './unruly-provider.ts';
import { type Collected, promptOf } from './collected.ts';

/** Receives the cases: `it` of jest, or a list. */
export type Register = Pick<typeof jestIt, 'each'> & ((name: string, run: () => Promise<void>) => void);

interface Asking {
  /** Calls the model, whose provider behaves like this. */
  readonly asked: (behaviour: Behaviour, prompt?: Prompt) => Promise<Collected>;
  readonly answering: (text: readonly string[], usage: ReportedUsage | null) => Behaviour;
  /** The last request body that the provider received. */
  readonly sent: () => string;
}

/** The cases for tools and tool calls that every adapter must pass. */
export function toolCases({ asked, answering, sent: sentLast }: Asking, it: Register): void {
  const inputSchema = { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] };
  const tools = [{ name: 'calculator', description: 'Computes an expression.', inputSchema }];
  const calling = (calls: Extract<Behaviour, { does: 'answer' }>['calls'], stop?: Stop): Behaviour => ({
    does: 'answer',
    text: ['Let me see.'],
    calls: calls!,
    usage: { input: 10, output: 9 },
    ...(stop && { stop }),
  });
  const one = { id: 'call_1', name: 'calculator', input: '{"expression":"1+1"}' };

  it('sends the tool definitions', async () => {
    await asked(answering(['Hello'], { input: 5, output: 1 }), promptOf({ tools }));
    const sent = sentLast();
    for (const text of ['calculator', 'Computes an expression.', '"expression"']) expect(sent).toContain(text);
  });
  it('produces tool calls after the text', async () => {
    const { text, calls, end } = await asked(calling([one, { ...one, id: 'call_2', input: '' }]), promptOf({ tools }));
    expect([text, end?.stopReason, end?.usage.outputTokens]).toEqual(['Let me see.', 'tool_calls', 9]);
    expect(calls).toEqual([
      { type: 'tool_call', callId: 'call_1', name: 'calculator', input: { expression: '1+1' }, fault: null },
      { type: 'tool_call', callId: 'call_2', name: 'calculator', input: {}, fault: null },
    ]);
  });
  it.each(['{"expression": ', '[1]', '17', 'x'])('reports what is wrong with the input %j', async (input) => {
    const { calls, end } = await asked(calling([{ ...one, input }]), promptOf({ tools }));
    expect(calls).toEqual([expect.objectContaining({ input: {}, fault: expect.stringMatching(/JSON object/) })]);
    expect(end?.stopReason).toBe('tool_calls');
  });
  it('refuses an input that is too long', async () => {
    const input = JSON.stringify({ expression: '1'.repeat(LONGEST_TOOL_INPUT) });
    const { calls } = await asked(calling([{ ...one, input }]), promptOf({ tools }));
    expect(calls).toEqual([expect.objectContaining({ input: {}, fault: expect.stringMatching(/shorter/) })]);
  });
  it('produces the calls of an answer with a normal end', async () =>
    expect((await asked(calling([one], 'end'), promptOf({ tools }))).end?.stopReason).toBe('tool_calls'));
  it('stops at the token limit even after a call', async () =>
    expect((await asked(calling([one], 'length'), promptOf({ tools }))).end?.stopReason).toBe('max_tokens'));
  it('sends calls and their results, including failed ones', async () => {
    const [first, second] = ['call_1', 'call_2'].map((callId) => ({ callId, name: 'calculator' }));
    const turns = [
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text: '', calls: [first!, second!].map((call) => ({ ...call, input: { expression: call.callId } })) },
      {
        role: 'tool',
        text: '',
        results: [
          { ...first!, text: 'two', isError: false },
          { ...second!, text: 'no number', isError: true },
        ],
      },
    ] as const;
    await asked(answering(['Hello'], { input: 5, output: 1 }), promptOf({ tools, turns }));
    const sent = sentLast();
    const places = ['Why?', 'expression', 'two', 'no number'].map((text) => sent.indexOf(text, sent.indexOf('Why?')));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    for (const { callId } of [first!, second!]) expect(sent.split(`"${callId}"`).length).toBeGreaterThan(2);
  });
}
