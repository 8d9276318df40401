import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StreamingProvider {
  readonly baseUrl: string;
  /** The setting `models` with this provider as the default. */
  readonly models: string;
  /** Sends the next words of all running replies. */
  say(text: string): void;
  /** Ends all replies, and those that begin later, at once after `text`. */
  finish(text: string): void;
  /** Ends all replies that are being written after `text`. */
  end(text: string): void;
  /** Ends all replies that are being written with a call of a tool. */
  call(name: string, input: object): void;
  /** Sets the input tokens reported for replies that end later. */
  reportInput(tokens: number): void;
  /** Later requests with another key are refused. */
  requireKey(key: string): void;
  /** Sets what the audio of later dictations says. */
  hear(words: string): void;
  /** The texts that were read aloud. */
  readonly spoken: readonly string[];
  /** Later replies no longer end at once. */
  goOn(): void;
  /** How many replies have begun. */
  readonly begun: number;
  /** How many replies are being written. */
  readonly open: number;
  /** The body of the last request, as JSON. */
  readonly lastRequest: string;
  /** Resets the provider to its initial state. */
  reset(): void;
  stop(): Promise<void>;
}

const CAPABILITIES = ['vision', 'documents'];
/** The default usage. */
const INPUT_TOKENS = 20;
/** The list of models, which has more models than the setting `models`. */
const MODELS = [{ id: 'scripted' }, { id: 'swift-2', name: 'Swift 2', context_length: 64_000 }];
const PRICES = [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }];

/** One pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A fifth of a second of silence. */
function silence(): Buffer {
  const [rate, bytes] = [8_000, 1_600];
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  // One channel of whole numbers, of a byte each.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
}

/** A model server with OpenAI's protocol whose replies and timing the spec controls. */
export async function streamingProvider(): Promise<StreamingProvider> {
  const open = new Set<ServerResponse>();
  let [begun, ending, lastRequest, inputTokens, key] = [0, null as string | null, '', INPUT_TOKENS, null as string | null];
  let heard = '';
  const spoken: string[] = [];
  const write = (to: ServerResponse, delta: object, finish_reason: string | null) =>
    to.write(
      `data: ${JSON.stringify({ id: 'reply', object: 'chat.completion.chunk', model: 'scripted', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  const send = (to: ServerResponse, content: string) => write(to, { content }, null);
  const end = (to: ServerResponse, text: string) => endWith(to, { content: text }, 'stop');
  const endWith = (to: ServerResponse, delta: object, reason: string) => {
    write(to, delta, reason);
    const usage = { prompt_tokens: inputTokens, completion_tokens: 10, total_tokens: inputTokens + 10 };
    to.write(`data: ${JSON.stringify({ id: 'reply', object: 'chat.completion.chunk', model: 'scripted', choices: [], usage })}\n\n`);
    to.end('data: [DONE]\n\n');
    open.delete(to);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (key !== null && request.headers.authorization !== `Bearer ${key}`) return response.writeHead(401).end();
      if (request.method === 'GET') return response.end(JSON.stringify({ data: MODELS }));
      if (request.url === '/audio/transcriptions')
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: heard }));
      if (request.url === '/audio/speech') {
        spoken.push((JSON.parse(Buffer.concat(parts).toString()) as { readonly input: string }).input);
        return response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence());
      }
      if (request.url === '/images/generations')
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [{ b64_json: PIXEL }] }));
      lastRequest = Buffer.concat(parts).toString();
      begun += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (ending !== null) return end(response, ending);
      open.add(response);
      send(response, '');
    });
    response.on('close', () => open.delete(response));
  });
  // The process may end while it listens.
  server.on('connection', (socket) => socket.unref()).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    models: JSON.stringify({
      providers: { scripted: { type: 'openai_compatible', base_url: baseUrl, api_key: 'none' } },
      models: [
        {
          id: 'scripted',
          name: 'Scripted model',
          provider: 'scripted',
          model: 'scripted',
          context_window: 100_000,
          capabilities: CAPABILITIES,
          prices: PRICES,
        },
        { id: 'voice', provider: 'scripted', model: 'voice', capabilities: ['speech'] },
        { id: 'painter', provider: 'scripted', model: 'painter', capabilities: ['image_generation'] },
        { id: 'ear', provider: 'scripted', model: 'ear', capabilities: ['transcription'] },
      ],
      defaults: { chat: 'scripted' },
    }),
    say(text) {
      for (const each of open) send(each, text);
    },
    finish(text) {
      ending = text;
      for (const each of open) end(each, text);
    },
    end(text) {
      for (const each of open) end(each, text);
    },
    call(name, input) {
      const tool_calls = [{ index: 0, id: `call-${begun}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
      for (const each of open) endWith(each, { tool_calls }, 'tool_calls');
    },
    reportInput(tokens) {
      inputTokens = tokens;
    },
    requireKey(only) {
      key = only;
    },
    hear(words) {
      heard = words;
    },
    spoken,
    goOn() {
      ending = null;
    },
    reset() {
      [begun, ending, lastRequest, inputTokens, key] = [0, null, '', INPUT_TOKENS, null];
      heard = '';
      spoken.length = 0;
    },
    get begun() {
      return begun;
    },
    get open() {
      return open.size;
    },
    get lastRequest() {
      return lastRequest;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
