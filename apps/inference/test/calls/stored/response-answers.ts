import { newId } from '@parlance/event-store';
import OpenAI from 'openai';
import { expect } from '@jest/globals';
import type { CallsWorld } from '../calls-world.ts';

export type Item = Readonly<Record<string, unknown>>;

const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 2, total_tokens: 12 };
/** A whole response of the provider. */
export const answer = (text: string, ...before: readonly Item[]) => ({
  id: 'resp_of_provider',
  object: 'response',
  status: 'completed',
  model: 'gpt-upstream',
  store: false,
  output: [
    ...before,
    { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  ],
  usage,
});
const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
/** The same in events. */
export const streamOf = (text: string) => {
  const { output, ...whole } = answer(text);
  const [item] = output;
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const all: [string, object][] = [
    ['response.created', { response: { ...whole, status: 'in_progress', output: [] } }],
    ['response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }],
    ['response.content_part.added', { ...at, part }],
    ['response.output_text.delta', { ...at, delta: text, logprobs: [] }],
    ['response.output_text.done', { ...at, text, logprobs: [] }],
    ['response.content_part.done', { ...at, part: { ...part, text } }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response: { ...whole, output } }],
  ];
  return all.map(([type, fields], sequence_number) => event(type, { ...fields, sequence_number })).join('');
};

/** Calls of programs that store responses. */
export const responsesOf = (world: CallsWorld) => {
  const headersOf = (userId: string, terms: object = {}) => world.service.asModelsToken(newId(), userId, terms);
  const clientOf = (userId: string) => {
    const { port } = world.service.server.address() as { port: number };
    const { authorization: _, ...defaultHeaders } = headersOf(userId);
    return new OpenAI({ apiKey: 'unused', baseURL: `http://127.0.0.1:${port}/v1`, defaultHeaders, maxRetries: 0 });
  };
  const sent = () =>
    JSON.parse(world.provider.requests.at(-1)!.body) as { store: boolean; previous_response_id: unknown; input: readonly Item[] };
  const respond = (headers: Record<string, string>, body: object = {}) =>
    world.ask('/v1/responses', headers, { model: 'gpt', input: 'Hi', store: true, ...body });
  /** The ID of a new one. */
  const stored = async (headers: Record<string, string>, body: object = {}): Promise<string> => {
    const { status, text } = await respond(headers, body);
    expect(status).toBe(200);
    return (JSON.parse(text) as { id: string }).id;
  };
  const statusOf = async (headers: Record<string, string>, id: string) => (await world.ask(`/v1/responses/${id}`, headers)).status;
  return { headersOf, clientOf, sent, respond, stored, statusOf };
};
