// An OpenAI-compatible provider in a separate process, which sends its address to the parent. The model's name selects the answer:
// `mock-30-5` sends 30 chunks, one every 5 milliseconds; `mock-30-0` sends all at once; `mock-hangs` never answers. A request without `stream` gets
// the same text in one answer, at once.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const CHUNK = { role: 'assistant', content: 'Four words to read. ' };
const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };

const server = createServer(async (request, response) => {
  const body = [];
  for await (const part of request) body.push(part);
  const { model, stream } = JSON.parse(Buffer.concat(body).toString());
  if (model === 'mock-hangs') return;
  const [, chunks, millis] = /^mock-(\d+)-(\d+)$/.exec(model).map(Number);
  if (!stream) {
    const message = { ...CHUNK, content: CHUNK.content.repeat(chunks) };
    const answer = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...answer, choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const line = (part) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, ...part })}\n\n`;
  const chunk = line({ choices: [{ index: 0, delta: CHUNK, finish_reason: null }] });
  for (let sent = 0; sent < chunks && !response.destroyed; sent++) {
    response.write(chunk);
    if (millis > 0) await pause(millis);
  }
  response.write(line({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.end(`${line({ choices: [], usage: USAGE })}data: [DONE]\n\n`);
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }));
process.on('disconnect', () => process.exit());
