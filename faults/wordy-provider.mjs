// A provider whose replies take ten seconds.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export const WORDS = 500;

/** The value of PARLANCE_MODELS with the provider's model `wordy` beside the local one. */
export function wordyModels({ url }) {
  return JSON.stringify({
    providers: { local: { type: 'local' }, wordy: { type: 'openai_compatible', base_url: url, api_key: 'none' } },
    models: [
      { id: 'local-extractive', provider: 'local', model: 'local-extractive' },
      { id: 'wordy', provider: 'wordy', model: 'wordy' },
    ].map((model) => ({ ...model, prices: [{ from: '2026-01-01T00:00:00Z', input: 0.5, output: 2 }] })),
    defaults: { chat: 'local-extractive' },
  });
}

/** A provider that writes fifty words a second for ten seconds. */
export async function wordyProvider() {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (part) =>
      response.write(`data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'wordy', ...part })}\n\n`);
    for (let word = 0; word < WORDS; word++) {
      send({ choices: [{ index: 0, delta: { role: 'assistant', content: `word${word} ` }, finish_reason: null }] });
      await pause(20);
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: WORDS, total_tokens: 10 + WORDS } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Does not keep the program running, even if the product does not start.
  server.unref();
  const stop = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop };
}
