import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Changes the body of an answer. */
export type Rewrite = (body: Buffer) => Buffer | Promise<Buffer>;

/** A rewrite that changes headers too. Their names are in lower case. */
interface RewriteWithHeaders {
  readonly rewrite: Rewrite;
  readonly headers: Readonly<Record<string, string>>;
}

/** Called with the head of an answer, header names in lower case. Null: the answer is sent unchanged, from its first byte. */
export type ChooseRewrite = (status: number, headers: OutgoingHttpHeaders) => Rewrite | RewriteWithHeaders | null;

type Head = readonly [status: number, headers: OutgoingHttpHeaders];

const BODILESS: ReadonlySet<number> = new Set([204, 304]);

const OVERRIDDEN = ['writeHead', 'write', 'end', 'flushHeaders', 'headersSent', 'writableEnded'] as const;

/**
 * Collects the answer to one request and rewrites it before the client receives any of it. It may be installed several times on one
 * response: the rewrite installed last runs first. To the answering code, the answer looks as if it were being sent, so an answer that
 * breaks off is cut and not mistaken for a complete one. If a rewrite fails, `onFailure` is called and the answer is sent unchanged.
 */
export function rewriteAnswer(res: ServerResponse, choose: ChooseRewrite, onFailure: (error: unknown) => void): void {
  const before = OVERRIDDEN.map((name) => [name, Object.getOwnPropertyDescriptor(res, name)] as const);
  const restore = () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(res, name, descriptor);
      else delete (res as Partial<ServerResponse>)[name as 'write'];
    }
  };

  let held: { readonly head: Head; readonly rewrite: Rewrite; readonly chunks: Buffer[]; ended: boolean } | null = null;

  /** Starts to collect the answer, or restores the response if the answer passes unchanged. */
  const begin = (status: number, headers: OutgoingHttpHeaders): boolean => {
    const chosen = choose(status, { ...res.getHeaders(), ...headers });
    if (chosen === null) restore();
    else if (typeof chosen === 'function') held = { head: [status, headers], rewrite: chosen, chunks: [], ended: false };
    else held = { head: [status, { ...headers, ...chosen.headers }], rewrite: chosen.rewrite, chunks: [], ended: false };
    return chosen !== null;
  };
  const isHeld = () => held !== null || begin(res.statusCode, {});

  const send = ([status, headers]: Head, body: Buffer, done: () => void) => {
    restore();
    if (BODILESS.has(status)) return void res.writeHead(status, headers).end(done);
    res.removeHeader('content-length');
    res.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body, done);
  };
  const finish = async ({ head, rewrite, chunks }: NonNullable<typeof held>, done: () => void) => {
    const body = Buffer.concat(chunks);
    let rewritten: Buffer = body;
    try {
      rewritten = await rewrite(body);
    } catch (error) {
      onFailure(error);
    }
    // An answer that was cut off stays cut off.
    if (!res.destroyed) send(head, rewritten, done);
  };

  const overriding = {
    writeHead(status: number, ...rest: readonly unknown[]) {
      const headers = headersIn(rest);
      return begin(status, headers) ? res : res.writeHead(status, headers);
    },
    write(chunk: unknown, ...rest: readonly unknown[]) {
      if (!isHeld()) return res.write(chunk as string, ...(rest as []));
      held?.chunks.push(bytesOf(chunk, rest[0]));
      queueMicrotask(callbackIn(rest));
      return true;
    },
    end(...args: readonly unknown[]) {
      if (!isHeld()) return res.end(...(args as []));
      if (!held || held.ended) return res;
      const [chunk, encoding] = args;
      if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') held.chunks.push(bytesOf(chunk, encoding));
      held.ended = true;
      void finish(held, callbackIn(args));
      return res;
    },
    flushHeaders() {
      if (!isHeld()) res.flushHeaders();
    },
  };
  for (const [name, value] of Object.entries(overriding)) Object.defineProperty(res, name, { value, configurable: true, writable: true });
  const whether = (name: 'headersSent' | 'writableEnded', holds: () => boolean) => {
    const inner = before.find(([property]) => property === name)?.[1]?.get;
    const own = () => (inner ? (inner.call(res) as boolean) : (Reflect.get(Object.getPrototypeOf(res) as object, name, res) as boolean));
    Object.defineProperty(res, name, { get: () => holds() || own(), configurable: true });
  };
  whether('headersSent', () => held !== null);
  whether('writableEnded', () => held?.ended === true);
}

const bytesOf = (chunk: unknown, encoding: unknown): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : Buffer.from(chunk as Uint8Array);

const callbackIn = (args: readonly unknown[]): (() => void) =>
  (args.find((argument) => typeof argument === 'function') as (() => void) | undefined) ?? (() => undefined);

/** The headers in `writeHead(status, message?, headers?)`, in either form that Node accepts. */
function headersIn(args: readonly unknown[]): OutgoingHttpHeaders {
  const given = args.find((argument) => typeof argument === 'object' && argument !== null) ?? {};
  const pairs = Array.isArray(given)
    ? Array.from({ length: given.length / 2 }, (_, index): [string, unknown] => [String(given[index * 2]), given[index * 2 + 1]])
    : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])) as OutgoingHttpHeaders;
}
