import { Readable } from 'node:stream';
import { boundedFetch } from '../remote/bounded-fetch.ts';

/** The parts of an AWS SDK request that are sent. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface SdkResponse {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Record<string, string>;
    readonly body: Readable;
  };
}

/** Sends requests of the AWS SDK and limits the bytes of an answer, which its own handlers do not. */
export class BoundedHandler {
  private readonly fetch: typeof globalThis.fetch;

  constructor(mostBytes: number) {
    this.fetch = boundedFetch(mostBytes);
  }

  async handle(request: SdkRequest, { abortSignal }: { abortSignal?: unknown } = {}): Promise<SdkResponse> {
    const { host: _, 'content-length': __, ...headers } = request.headers;
    const answer = await this.fetch(urlOf(request), {
      method: request.method,
      headers,
      ...(request.body !== undefined && { body: request.body as string }),
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    const body = Readable.from([Buffer.from(await answer.arrayBuffer())]);
    return { response: { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body } };
  }

  /** Part of the SDK's interface. There are no settings. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): URL {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, said] of Object.entries(query))
    for (const value of said === null ? [''] : [said].flat()) url.searchParams.append(name, value);
  return url;
}
