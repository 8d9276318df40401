import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const PRICES = [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }];
const MODELS = { gpt: [], vectors: ['embedding'], painter: ['image_generation'], voice: ['speech'], ear: ['transcription'] };
const ANSWER = 'It is warm in Bern.';
const PLACE = JSON.stringify({ city: 'Bern' });
const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: PLACE } };
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const RESPONSE_USAGE = { input_tokens: 7, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, total_tokens: 12 };

interface Asked {
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly response_format?: unknown;
  readonly messages?: readonly { readonly role: string }[];
  readonly input?: readonly unknown[];
}

/**
 * A server with the protocol of OpenAI. It knows one answer: the weather in Bern, as a text, as a call of the first tool until its result was sent, or
 * as an object if a format is asked for.
 */
export class WeatherProvider {
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** Resolves with the setting `models`. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const base_url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
    return JSON.stringify({
      providers: { mock: { type: 'openai_compatible', base_url, api_key: 'none' } },
      models: Object.entries(MODELS).map(([id, capabilities]) => ({
        id,
        provider: 'mock',
        model: id,
        context_window: 100_000,
        prices: PRICES,
        ...(capabilities.length > 0 && { capabilities }),
      })),
      defaults: { chat: 'gpt' },
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice('/v1/'.length);
    const body = await text(request);
    const json = (value: object) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === 'audio/speech') return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound');
    if (path === 'audio/transcriptions') return void json({ text: ANSWER, usage: { type: 'duration', seconds: 1 } });
    const asked = JSON.parse(body) as Asked;
    if (path === 'images/generations') return void json({ created: 1, data: [{ b64_json: 'aW1hZ2U=' }], usage: RESPONSE_USAGE });
    if (path === 'embeddings') return void json(vectorsOf(asked));
    if (path === 'responses') return void (asked.stream ? stream(response, responseEvents) : json(responseOf('completed')));
    return void (asked.stream ? stream(response, chunksOf(asked)) : json(completionOf(asked)));
  }
}

function messageOf({ tools, response_format, messages = [] }: Asked) {
  const isToolDone = messages.some(({ role }) => role === 'tool');
  if (tools && tools.length > 0 && !isToolDone) return { role: 'assistant', content: null, tool_calls: [CALL] };
  return { role: 'assistant', content: response_format ? PLACE : ANSWER };
}

function completionOf(asked: Asked) {
  const message = messageOf(asked);
  const choice = { index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' };
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt', choices: [choice], usage: USAGE };
}

function chunksOf(asked: Asked): readonly object[] {
  const { tool_calls, ...message } = messageOf(asked);
  const delta = tool_calls ? { ...message, tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } : message;
  const chunk = (its: object, finish_reason: string | null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt',
    choices: [{ index: 0, delta: its, finish_reason }],
  });
  return [chunk(delta, null), chunk({}, tool_calls ? 'tool_calls' : 'stop'), { ...chunk({}, null), choices: [], usage: USAGE }];
}

const vectorsOf = ({ input = [] }: Asked) => ({
  object: 'list',
  model: 'vectors',
  data: [input].flat().map((_, index) => ({ object: 'embedding', index, embedding: [0.1, 0.2, 0.3] })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
});

const part = { type: 'output_text', text: ANSWER, annotations: [] };
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };

function responseOf(status: string) {
  const isDone = status === 'completed';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status,
    model: 'gpt',
    output: isDone ? [item] : [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: isDone ? RESPONSE_USAGE : null,
  };
}

const place = { item_id: item.id, output_index: 0, content_index: 0 };
const responseEvents = [
  { type: 'response.created', response: responseOf('in_progress') },
  { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', ...place, delta: ANSWER, logprobs: [] },
  { type: 'response.output_text.done', ...place, text: ANSWER, logprobs: [] },
  { type: 'response.content_part.done', ...place, part },
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response: responseOf('completed') },
].map((event, sequence_number) => ({ ...event, sequence_number }));

function stream(response: ServerResponse, events: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const line = (event: object) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
  response.end(`${events.map(line).join('')}${'type' in events[0]! ? '' : 'data: [DONE]\n\n'}`);
}
