import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Changes the body of an answer. */
export type Rewrite = (body: Buffer) => Buffer | Promise<Buffer>;

/** A rewrite that changes headers too. Their names are in lower case. */
interface RewriteWithHeaders {
  readonly rewrite: Rewrite;
  readonly headers: Readonly<Record<string, string>>;
}

/** Called with the head of an answer. Null: the answer is sent unchanged, from its first byte. */
export type ChooseRewrite = (
  status: number,
  header: (name: string) => OutgoingHttpHeader | undefined,
) => Rewrite | RewriteWithHeaders | null;

type Head = readonly [status: number, headers: OutgoingHttpHeaders];

const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/**
 * Collects the answer to one request and rewrites it before the client receives any of it. It may be installed several times on one
 * response: the rewrite installed last runs first. To the answering code, the answer looks as if it were being sent, so an answer that
 * breaks off is cut and not mistaken for a complete one. If a rewrite fails, `onFailure` is called and the answer is sent unchanged.
 */
export function rewriteAnswer(res: ServerResponse, choose: ChooseRewrite, onFailure: (error: unknown) => void): void {
  const before = { writeHead: res.writeHead, write: res.write, end: res.end, flushHeaders: res.flushHeaders };
  /** Assigns the methods, because deleting properties would make each later access to the response slow. */
  const restore = () => void Object.assign(res, before);

  let held: { readonly head: Head; readonly rewrite: Rewrite; readonly chunks: Buffer[]; ended: boolean } | null = null;
  let show = () => undefined as void;

  /** Starts to collect the answer, or restores the response if the answer passes unchanged. */
  const begin = (status: number, headers: OutgoingHttpHeaders): boolean => {
    const chosen = choose(status, (name) => headers[name] ?? res.getHeader(name));
    if (chosen === null) {
      restore();
      return false;
    }
    const { rewrite, headers: others } = typeof chosen === 'function' ? { rewrite: chosen, headers: {} } : chosen;
    const holding = (held = { head: [status, { ...headers, ...others }], rewrite, chunks: [], ended: false });
    show = seem(res, { headersSent: () => true, writableEnded: () => holding.ended });
    return true;
  };
  const isHeld = () => held !== null || begin(res.statusCode, {});

  const send = ([status, headers]: Head, body: Buffer, done: () => void) => {
    restore();
    show();
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
  Object.assign(res, overriding);
}

/** Makes properties of a response appear to be true while their functions say so. Returns what ends this. */
function seem(res: ServerResponse, properties: Readonly<Record<'headersSent' | 'writableEnded', () => boolean>>): () => void {
  for (const [name, seems] of Object.entries(properties))
    Object.defineProperty(res, name, {
      get: () => seems() || (Reflect.get(Object.getPrototypeOf(res) as object, name, res) as boolean),
      configurable: true,
    });
  return () => {
    for (const name of Object.keys(properties)) Reflect.deleteProperty(res, name);
  };
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
