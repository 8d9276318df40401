import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Guardrails, type Policy } from '@parlance/guardrails';
import { TextGuardrails } from '../../../src/workflows/guardrails/text-guardrails.ts';
import type { CallsWorld } from '../calls-world.ts';
import { beginEvents, events, json } from '../mock-provider.ts';

const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const policy = (its: Partial<Policy>): Policy => ({
  id: 'pii',
  apply_to: ['gateway'],
  stage: 'input',
  action: 'mask',
  detectors: ['email'],
  ...its,
});
export const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index, delta, finish_reason }],
});
export const named = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly index: number; readonly function?: { readonly arguments?: string } }[];
}

/** What an OpenAI client makes of a stream: the text, the arguments of each tool, and the order of what ends. */
export function assembled(stream: string) {
  const read = { content: '', reasoning: '', arguments: [] as string[], finish: [] as string[], error: null as unknown };
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6)) as {
      choices?: { delta: Delta; finish_reason: string | null }[];
      error?: unknown;
    };
    if (event.error) read.error = event.error;
    for (const { delta, finish_reason } of event.choices ?? []) {
      expect(read.finish).toEqual([]);
      read.content += delta.content ?? '';
      read.reasoning += delta.reasoning_content ?? '';
      for (const { index, function: its } of delta.tool_calls ?? [])
        read.arguments[index] = (read.arguments[index] ?? '') + (its?.arguments ?? '');
      if (finish_reason) read.finish.push(finish_reason);
    }
  }
  return read;
}

/** The policies of a test, and what the provider answers under them. */
export function guarding(start: () => CallsWorld) {
  let world: CallsWorld;
  beforeEach(() => {
    world = start();
    world.provider.requests.length = 0;
    world.provider.respond = (res) => json(res, 200, { choices: [], usage });
  });
  afterEach(() => void jest.restoreAllMocks());

  const under = (...policies: readonly Partial<Policy>[]) => {
    const guardrails = new Guardrails(policies.map(policy));
    jest.spyOn(world.service.part(TextGuardrails), 'of').mockImplementation((surface, stage) => guardrails.of(surface, stage));
  };
  const sent = () => world.provider.requests[0]?.body ?? '';
  const answersWith = (message: object, more: object = {}) => {
    world.provider.respond = (res) => json(res, 200, { id: 'x', choices: [{ index: 0, message, ...more }], usage });
  };
  const streams = (...each: readonly object[]) => {
    world.provider.respond = (res) => {
      beginEvents(res);
      res.end(`${events(...each, { ...chunk({}), choices: [], usage })}data: [DONE]\n\n`);
    };
  };
  const listed = async ({ headers, tokenId }: ReturnType<CallsWorld['caller']>) => {
    const { text } = await world.ask(`/user/me/calls?token=${tokenId}`, headers);
    return (JSON.parse(text) as { calls: { status: string; policies: unknown }[] }).calls;
  };
  return { under, sent, answersWith, streams, listed };
}
