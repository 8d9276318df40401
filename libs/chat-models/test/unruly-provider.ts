import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Dialect, type DialectName, DIALECTS, type ReportedUsage, type Stop, type WrittenCall } from './provider-dialects.ts';

/** How the provider responds to a call. */
export type Behaviour =
  /** A complete answer in the given pieces. Usage: null reports none. */
  | {
      readonly does: 'answer';
      readonly text: readonly string[];
      readonly reasoning?: readonly string[];
      /** Tool calls after the text. */
      readonly calls?: readonly WrittenCall[];
      readonly usage: ReportedUsage | null;
      readonly stop?: Stop;
    }
  /** Endless pieces, one per this many milliseconds. */
  | { readonly does: 'drip'; readonly piece: string; readonly everyMillis: number }
  /** Hangs: before the headers, or after this many pieces. */
  | { readonly does: 'hang'; readonly after: 'nothing' | number }
  | { readonly does: 'refuse'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly does: 'redirect'; readonly to: string }
  /** Closes the connection after this many pieces. 'nothing': before the headers. */
  | { readonly does: 'break'; readonly after: 'nothing' | number }
  /** Ends the stream properly after this many pieces, but without the events that end an answer. */
  | { readonly does: 'stop short'; readonly after: number }
  | { readonly does: 'send rubbish' }
  /** Endless text, as fast as it is read. */
  | { readonly does: 'talk endlessly' }
  /** One endless event. */
  | { readonly does: 'send an endless event' };

/** A call as the provider sees it. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  /** The port of the caller's connection. */
  readonly port: string;
  /** What the provider charges for the call. Null if it refused the call. */
  charged: ReportedUsage | null;
  /** Whether the whole answer was sent. */
  isFinished: boolean;
  /** Resolves when the caller closes the connection, or the call has ended. */
  readonly closed: Promise<void>;
}

const PIECE = 'word ';
const RUBBISH = 'data: {"choices": [{\n\n\u0000\u0001\u0002data: \ud83d\n\nevent: nonsense\ndata: 17\n\n';
const LARGE = 'x'.repeat(64 * 1024);

/** A local model provider that speaks the APIs of all providers and misbehaves as tests instruct it. It keeps a ledger of its calls. */
export class UnrulyProvider {
  readonly calls: ReceivedCall[] = [];
  /** Determines the response to a call. */
  behave: (call: ReceivedCall) => Behaviour = () => ({ does: 'answer', text: ['Hello'], usage: { input: 10, output: 1 } });
  private readonly server: Server;
  private readonly arrivals: ((call: ReceivedCall) => void)[] = [];

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async open(): Promise<UnrulyProvider> {
    const made = new UnrulyProvider();
    made.server.listen(0, '127.0.0.1');
    await once(made.server, 'listening');
    return made;
  }

  /** The base URL for every dialect. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Resolves with the next call that arrives. */
  nextCall(): Promise<ReceivedCall> {
    return new Promise((resolve) => this.arrivals.push(resolve));
  }

  /** Tokens that the provider charges over all calls. */
  get ledger(): { readonly calls: number; readonly input: number; readonly output: number } {
    const charged = this.calls.flatMap((call) => (call.charged ? [call.charged] : []));
    return {
      calls: this.calls.length,
      input: charged.reduce((sum, { input }) => sum + input, 0),
      output: charged.reduce((sum, { output }) => sum + output, 0),
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request).catch(() => ({}))) as Record<string, unknown>;
    const path = request.url!.split('?')[0]!;
    const requestId = `request-${this.calls.length + 1}`;
    const closed = once(response, 'close').then(() => undefined);
    const call: ReceivedCall = {
      path,
      headers: request.headers,
      body,
      requestId,
      port: String(request.socket.remotePort),
      charged: null,
      isFinished: false,
      closed,
    };
    response.once('finish', () => (call.isFinished = true));
    response.on('error', () => undefined);
    this.calls.push(call);
    for (const resolve of this.arrivals.splice(0)) resolve(call);
    const name = (Object.keys(DIALECTS) as DialectName[]).find((each) => DIALECTS[each].path.test(path));
    if (name === undefined) response.writeHead(404).end('{}');
    else await this.act(this.behave(call), call, DIALECTS[name], response);
  }

  private async act(behaviour: Behaviour, call: ReceivedCall, dialect: Dialect, response: ServerResponse): Promise<void> {
    const begin = (usage: ReportedUsage | null = { input: 10, output: 0 }) => {
      response.writeHead(200, { 'content-type': dialect.contentType, [dialect.requestIdHeader]: call.requestId });
      response.write(dialect.begin(usage));
    };
    const pieces = (count: number) => {
      for (let piece = 0; piece < count; piece++) response.write(dialect.text(PIECE));
      call.charged = { input: 10, output: count };
    };
    switch (behaviour.does) {
      case 'answer': {
        const { text, reasoning = [], calls = [], usage, stop = calls.length > 0 ? 'tools' : 'end' } = behaviour;
        begin(usage);
        for (const piece of reasoning) response.write(dialect.reasoning(piece));
        for (const piece of text) response.write(dialect.text(piece));
        for (const [nth, made] of calls.entries()) response.write(dialect.call(made, nth));
        call.charged = usage;
        response.end(dialect.end(stop, usage));
        return;
      }
      case 'drip': {
        begin();
        const timer = setInterval(() => response.write(dialect.text(behaviour.piece)), behaviour.everyMillis);
        await call.closed;
        clearInterval(timer);
        return;
      }
      case 'hang':
        if (behaviour.after === 'nothing') return;
        begin();
        pieces(behaviour.after);
        return;
      case 'refuse':
        response.writeHead(behaviour.status, {
          'content-type': 'application/json',
          ...(behaviour.retryAfter !== undefined && { 'retry-after': behaviour.retryAfter }),
        });
        response.end(
          behaviour.body ?? JSON.stringify({ error: { message: 'No, at https://secret.example.org with key sk-secret.', type: 'error' } }),
        );
        return;
      case 'redirect':
        response.writeHead(307, { location: behaviour.to }).end();
        return;
      case 'break':
        if (behaviour.after !== 'nothing') {
          begin();
          pieces(behaviour.after);
          // The pieces arrive before the end of the connection.
          await new Promise((resolve) => response.write('', resolve));
        }
        response.socket?.destroySoon();
        return;
      case 'stop short':
        begin();
        pieces(behaviour.after);
        response.end();
        return;
      case 'send rubbish':
        begin();
        response.end(RUBBISH);
        return;
      case 'talk endlessly':
        begin();
        await this.write(call, response, () => dialect.text(PIECE.repeat(2_000)));
        return;
      case 'send an endless event': {
        response.writeHead(200, { 'content-type': dialect.contentType });
        // A length of 2 GiB in the binary form, and a line without an end in the other form.
        response.write(dialect.contentType === 'text/event-stream' ? 'data: ' : Buffer.from([0x7f, 0xff, 0xff, 0xff]));
        await this.write(call, response, () => Buffer.from(LARGE));
        return;
      }
    }
  }

  /** Writes as fast as the caller reads, until the caller closes the connection. */
  private async write(call: ReceivedCall, response: ServerResponse, piece: () => Buffer): Promise<void> {
    const disconnected = { isTrue: false };
    void call.closed.then(() => (disconnected.isTrue = true));
    while (!disconnected.isTrue) if (!response.write(piece())) await Promise.race([once(response, 'drain'), call.closed]);
  }
}
