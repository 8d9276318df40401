import { CREATING_PATHS, type paths } from './generated/api.ts';
import type { Transport } from './transport.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** The paths of the API that have the method. */
export type PathOf<M extends Method> = { [P in keyof paths]: [paths[P][M]] extends [undefined] ? never : P }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

type InPath<Op> = Op extends { parameters: { path: infer Its extends object } } ? { readonly path: Its } : { readonly path?: never };
type InQuery<Op> = Op extends { parameters: { query: infer Its extends object } }
  ? { readonly query: Its }
  : Op extends { parameters: { query?: infer Its } }
    ? { readonly query?: Its }
    : { readonly query?: never };
type InBody<Op> = Op extends { requestBody?: never }
  ? { readonly body?: never }
  : Op extends { requestBody: { content: { 'application/json': infer Its } } }
    ? { readonly body: Its }
    : Op extends { requestBody?: { content: { 'application/json': infer Its } } }
      ? { readonly body?: Its }
      : { readonly body?: never };

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The ETag of the version to change: 412 if there is a newer one. */
  readonly ifMatch?: string;
  /** `*` only creates: 412 if it already exists. */
  readonly ifNoneMatch?: '*';
  /** The client generates one for each request that creates something. Pass your own to repeat the request from another process. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Request<P extends keyof paths, M extends Method> = RequestOf<Operation<P, M>>;

/** Evaluated per operation: every path with every query and body would be too many types for the compiler. */
type RequestOf<Op> = Op extends unknown ? InPath<Op> & InQuery<Op> & InBody<Op> & CallOptions : never;

type JsonOf<Its> = Its extends { content: { 'application/json': infer Json } } ? Json : never;
type JsonOfAll<Answers> = { [Status in keyof Answers]: JsonOf<Answers[Status]> }[keyof Answers];

/** The operation's response: a union if there are several, undefined if there is none. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Answers }
    ? [JsonOfAll<Answers>] extends [never]
      ? undefined
      : JsonOfAll<Answers>
    : undefined;

/** The request parameter is optional if none of its fields is required. */
type Last<Its> = Record<never, never> extends Its ? [request?: Its] : [request: Its];

/** The paths of lists, whose responses are paged. */
export type ListPath = { [P in PathOf<'get'>]: Answer<P, 'get'> extends { next_token: string | null } ? P : never }[PathOf<'get'>];

/** The items of a page. */
export type Item<Page> = { [Name in keyof Page]: Page[Name] extends readonly (infer Its)[] ? Its : never }[keyof Page];

export interface Answered<Data> {
  readonly data: Data;
  readonly status: number;
  /** For `ifMatch`. */
  readonly etag: string | null;
  readonly headers: Headers;
}

/** Every operation of the API with the types of the API document: `api.get('/bot/{botId}', { path: { botId } })`. */
export class TypedApi {
  constructor(private readonly transport: Transport) {}

  async get<P extends PathOf<'get'>>(path: P, ...[request]: Last<Request<P, 'get'>>): Promise<Answer<P, 'get'>> {
    return (await this.request('get', path, request)).data;
  }

  async post<P extends PathOf<'post'>>(path: P, ...[request]: Last<Request<P, 'post'>>): Promise<Answer<P, 'post'>> {
    return (await this.request('post', path, request)).data;
  }

  async put<P extends PathOf<'put'>>(path: P, ...[request]: Last<Request<P, 'put'>>): Promise<Answer<P, 'put'>> {
    return (await this.request('put', path, request)).data;
  }

  async patch<P extends PathOf<'patch'>>(path: P, ...[request]: Last<Request<P, 'patch'>>): Promise<Answer<P, 'patch'>> {
    return (await this.request('patch', path, request)).data;
  }

  async delete<P extends PathOf<'delete'>>(path: P, ...[request]: Last<Request<P, 'delete'>>): Promise<Answer<P, 'delete'>> {
    return (await this.request('delete', path, request)).data;
  }

  /** The items of a list. Pages are fetched as the items are consumed. */
  async *list<P extends ListPath>(path: P, ...[request]: Last<Request<P, 'get'>>): AsyncGenerator<Item<Answer<P, 'get'>>, void, undefined> {
    const options = (request ?? {}) as { readonly query?: object };
    let next: string | null | undefined;
    do {
      const query = { ...options.query, ...(next && { next_token: next }) };
      const { data } = await this.request('get', path, { ...options, query } as unknown as Request<P, 'get'>);
      const page = data as unknown as { readonly next_token: string | null };
      yield* Object.values(page).find(Array.isArray) as unknown as Item<Answer<P, 'get'>>[];
      next = page.next_token;
    } while (next);
  }

  /** Like the other methods, but returns status, headers and ETag too. */
  async request<P extends keyof paths, M extends Method>(
    method: M,
    path: P,
    request: Request<P, M> | undefined,
  ): Promise<Answered<Answer<P, M>>> {
    const {
      path: inPath,
      query,
      body,
      signal,
      ifMatch,
      ifNoneMatch,
      idempotencyKey,
      headers,
    } = (request as unknown as Loose | undefined) ?? {};
    const creates = method === 'post' && CREATING_PATHS.includes(path);
    const key = idempotencyKey ?? (creates ? newIdempotencyKey() : undefined);
    const answer = await this.transport.send({
      method: method.toUpperCase(),
      path: filled(path, inPath),
      query,
      body,
      signal,
      headers: {
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      isRepeatable: method === 'get' || creates,
    });
    const text = await answer.text();
    return {
      data: (text === '' ? undefined : JSON.parse(text)) as Answer<P, M>,
      status: answer.status,
      etag: answer.headers.get('etag'),
      headers: answer.headers,
    };
  }
}

interface Loose extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Browsers provide no `randomUUID` on pages loaded over http. */
export const newIdempotencyKey = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The path with its parameters in place, each as one segment. */
export function filled(template: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
}
