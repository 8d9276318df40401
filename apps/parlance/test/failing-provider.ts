import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The behaviour of each model. Each model has its own provider, because a provider that fails often is not called for a while. */
const MODELS = ['answers', 'breaks', 'refuses', 'hangs', 'resets'] as const;
export type Model = (typeof MODELS)[number];

const PRICES = [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }];
const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };

/** A server with the protocol of OpenAI. Each of its models fails in another way. */
export class FailingProvider {
  /** The number of calls so far. */
  calls = 0;
  private readonly hanging = new Set<ServerResponse>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** Resolves with the setting `models`. */
  async start(): Promise<string> {
    this.server.on('connection', (socket) => socket.unref()).unref();
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const base_url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return JSON.stringify({
      providers: Object.fromEntries(MODELS.map((name) => [name, { type: 'openai_compatible', base_url, api_key: 'none' }])),
      models: MODELS.map((name) => ({ id: name, provider: name, model: name, context_window: 100_000, prices: PRICES })),
      defaults: { chat: 'answers' },
    });
  }

  get waiting(): number {
    return this.hanging.size;
  }

  /** Answers the calls that hang. */
  release(): void {
    for (const response of this.hanging) this.write(response);
    this.hanging.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls++;
    const { model } = (await json(request)) as { model: Model };
    if (model === 'resets') return void request.socket.resetAndDestroy();
    if (model === 'refuses') return void response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{}}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.chunk(response, { content: 'Yes' });
    if (model === 'hangs') return void this.hanging.add(response);
    // The chunk is sent before the connection is closed.
    if (model === 'breaks') return void setImmediate(() => response.destroy());
    this.write(response);
  }

  private chunk(response: ServerResponse, delta: object, more: object = {}): void {
    const chunk = { id: 'reply', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, ...more }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  private write(response: ServerResponse): void {
    this.chunk(response, { content: ', indeed.' }, { finish_reason: 'stop' });
    const usage = { id: 'reply', object: 'chat.completion.chunk', model: 'm', choices: [], usage: USAGE };
    response.end(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
  }
}
