import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { EVENT_STREAM, limitOf } from './answer-limits.ts';
import { Redirected } from './generation-failed.ts';
import { JoinedEvents } from './joined-events.ts';

/** The number of unused connections that are kept open, and for how long. */
const KEPT_CONNECTIONS = 64;
const KEPT_MILLIS = 30_000;

type Init = Parameters<typeof globalThis.fetch>[1];

/** The addresses that a provider may have. */
export interface ProviderNetwork {
  /** Resolves host names. Fails for a host with a forbidden address. */
  readonly lookup: LookupFunction;
  /** Throws if this IP address is forbidden. A connection to an IP address needs no lookup. */
  readonly requireAllowed: (address: string) => void;
}

/**
 * Requests to one provider over its own connections, so that a hanging provider delays no other. Redirects are not followed, because they would
 * send the key and the conversation to another host. It uses `node:http`, which needs less CPU per piece of a stream than `fetch`.
 */
export class ProviderHttp {
  private readonly agent: HttpAgent;
  private readonly isSecure: boolean;

  /** `network`: null for a provider that may have any address. */
  constructor(
    baseUrl: string,
    private readonly network: ProviderNetwork | null = null,
  ) {
    this.isSecure = new URL(baseUrl).protocol === 'https:';
    const options = {
      keepAlive: true,
      maxFreeSockets: KEPT_CONNECTIONS,
      timeout: KEPT_MILLIS,
      scheduling: 'lifo',
      ...(network && { lookup: network.lookup }),
    } as const;
    this.agent = this.isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** A `fetch` for the AI SDK. Rejects with `Redirected`, or with the error of the connection. */
  readonly fetch = async (input: unknown, init?: Init): Promise<Response> => {
    const answer = await this.exchange(String(input), init);
    const status = answer.statusCode ?? 500;
    if (status >= 300 && status < 400) {
      answer.on('error', () => undefined).destroy();
      throw new Redirected();
    }
    return new Response(status === 204 ? null : streamOf(answer), { status, headers: headersOf(answer) });
  };

  /**
   * Sends a body as it is, and resolves with the answer, which is read only as fast as it is consumed. Rejects with `Redirected`, or with the
   * error of the connection.
   */
  async pass(url: string, { headers, body, signal }: PassedRequest): Promise<IncomingMessage> {
    const request = this.open('POST', url, headers, signal);
    for (const part of body) request.write(part);
    return notRedirected(await answerTo(request));
  }

  /** Reads from the provider, such as the list of its models. Rejects like `pass`. */
  async get(url: string, { headers, signal }: Omit<PassedRequest, 'body'>): Promise<IncomingMessage> {
    return notRedirected(await answerTo(this.open('GET', url, headers, signal)));
  }

  close(): void {
    this.agent.destroy();
  }

  /** Closes the unused connections, and the others when their answers end. */
  retire(): void {
    this.agent.maxFreeSockets = 0;
    for (const socket of Object.values(this.agent.freeSockets).flat()) socket?.destroy();
  }

  private exchange(url: string, init: Init): Promise<IncomingMessage> {
    const body = init?.body as string;
    const headers = { ...(init?.headers as Record<string, string>), 'content-length': String(Buffer.byteLength(body)) };
    return answerTo(this.open('POST', url, headers, init?.signal ?? undefined), body);
  }

  private open(
    method: 'GET' | 'POST',
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): ClientRequest {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    if (this.network && isIP(host) !== 0) this.network.requireAllowed(host);
    const send = this.isSecure ? requestHttps : requestHttp;
    // Without this header a server may compress its answer, which is read and passed on as it is.
    const sent = { 'accept-encoding': 'identity', ...headers };
    const request = send(url, { method, headers: sent, agent: this.agent, ...(signal && { signal }) });
    // A keep-alive connection has the agent's time limit. That limit is for unused connections only, because an answer may pause for longer.
    return request.once('socket', (socket) => socket.setTimeout(0));
  }
}

/** A request with the body of a caller. */
export interface PassedRequest {
  /** With `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[];
  readonly signal: AbortSignal;
}

function notRedirected(answer: IncomingMessage): IncomingMessage {
  const status = answer.statusCode ?? 500;
  if (status < 300 || status >= 400) return answer;
  answer.on('error', () => undefined).destroy();
  throw new Redirected();
}

function answerTo(request: ClientRequest, rest?: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Some ends of a connection have no error, such as that after an answer with status 101.
  request
    .on('response', resolve)
    .on('error', reject)
    .on('close', () => reject(new Error('the connection was closed')))
    .end(rest);
  return promise;
}

/** The body of an answer within its limits. It is read only as fast as it is consumed. Events after its end are ignored. */
export function streamOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const contentType = answer.headers['content-type'];
  const limit = limitOf(contentType);
  const joined = contentType?.startsWith(EVENT_STREAM) ? new JoinedEvents() : null;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const parts: Buffer[] = [];
      const flush = () => {
        if (isOver || parts.length === 0) return;
        const read = Buffer.concat(parts.splice(0));
        controller.enqueue(joined ? joined.add(read) : read);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      };
      const end = (how: () => void) => {
        flush();
        if (!isOver) how();
        isOver = true;
      };
      answer.on('data', (part: Buffer) => {
        if (isOver) return;
        try {
          limit(part);
        } catch (error) {
          end(() => controller.error(error));
          answer.destroy();
          return;
        }
        // Node's parser emits each HTTP chunk, and servers send one chunk per event. The chunks of one read are combined here.
        if (parts.push(part) === 1) process.nextTick(flush);
      });
      answer.on('end', () => end(() => controller.close()));
      answer.on('error', (error) => end(() => controller.error(error)));
      // The provider closed the connection in the middle of the answer.
      answer.on('close', () => end(() => controller.error(new Error('the connection was closed'))));
      answer.pause();
    },
    pull: () => void answer.resume(),
    cancel: () => {
      isOver = true;
      answer.destroy();
    },
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') kept.set(name, value);
  return kept;
}
