// An OpenAI-compatible provider for direct calls of models. It fails at random, and keeps a ledger of the calls by their `seed`. It runs in the process of
// the harness, so that the ledger survives the kills of the product.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** The percentage of calls that end in each way. */
const ways = { whole: 88, silent: 2, refused: 3, failed: 3, broken: 4 };

export class CallsProvider {
  /** How each call ended, and what it reports. */
  calls = new Map();
  #server;
  #chance;
  #awaited = { count: Infinity, reached: () => undefined };

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

  /** Resolves when this many calls have arrived. */
  reached(count) {
    return new Promise((reached) => (this.#awaited = { count, reached }));
  }

  async #answer(request, response) {
    const { seed, stream } = await json(request);
    const way = this.#chance.weighted(ways);
    const usage = {
      // Identifies the call in the log.
      prompt_tokens: 1_000 + seed,
      completion_tokens: this.#chance.between(1, 400),
      prompt_tokens_details: { cached_tokens: this.#chance.between(0, 100) },
    };
    const times = (this.calls.get(seed)?.times ?? 0) + 1;
    this.calls.set(seed, { way, usage, times });
    if (this.calls.size >= this.#awaited.count) this.#awaited.reached();
    if (way === 'refused') return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{}}');
    if (way === 'failed') return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    const reported = way === 'whole' && { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } };
    const message = { role: 'assistant', content: 'A short answer.' };
    if (!stream) {
      const text = JSON.stringify({ id: `c${seed}`, choices: [{ index: 0, message, finish_reason: 'stop' }], ...reported });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      return void (way === 'broken' ? response.write(text.slice(0, 20), () => response.destroy()) : response.end(text));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (part) => response.write(`data: ${JSON.stringify({ id: `c${seed}`, object: 'chat.completion.chunk', ...part })}\n\n`);
    send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
    await pause(this.#chance.between(0, 20));
    if (way === 'broken') return void response.destroy();
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    if (reported) send({ choices: [], ...reported });
    response.end('data: [DONE]\n\n');
  }
}
