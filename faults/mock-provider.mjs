// An OpenAI-compatible provider that fails at random and keeps a ledger of what it has sent. It runs in the process of the harness, so that
// the ledger survives the kills of the product.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The percentage of calls that end in each way. */
const ways = { whole: 88, silent: 2, refused: 3, failed: 3, broken: 4 };

export class MockProvider {
  /** Each answered call by the ID that it returned: how it ended, its tokens, and whether its end was written. */
  calls = new Map();
  #server;
  #chance;

  constructor(chance) {
    this.#chance = chance;
  }

  async start() {
    this.#server = createServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    for await (const _ of request);
    const id = `chatcmpl-${this.calls.size + 1}`;
    const way = this.#chance.weighted(ways);
    const usage = {
      prompt_tokens: this.#chance.between(100, 5_000),
      completion_tokens: this.#chance.between(1, 400),
      prompt_tokens_details: { cached_tokens: this.#chance.between(0, 100) },
    };
    const call = { way, usage, isWritten: false };
    this.calls.set(id, call);
    if (way === 'refused') return void response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}');
    if (way === 'failed') return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (part) =>
      response.write(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'mock', ...part })}\n\n`);
    const words = this.#chance.between(3, 12);
    for (let word = 0; word < words; word++) {
      send({ choices: [{ index: 0, delta: { role: 'assistant', content: `word${word} ` }, finish_reason: null }] });
      await pause(this.#chance.between(0, 30));
      if (way === 'broken' && word === 1) return void response.destroy();
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    if (way === 'whole') send({ choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } });
    response.end('data: [DONE]\n\n', () => (call.isWritten = true));
  }
}
