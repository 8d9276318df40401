import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The code of a problem. */
  readonly code: string | undefined;
}

/** Sends a request unchanged: any target, any host, repeated headers. */
export async function raw(
  url: string,
  path: string,
  { method = 'GET', headers = {} as Record<string, string | string[]>, body = '' } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers, agent: new Agent({ keepAlive: false }) });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const got = await text(answer);
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json');
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: got,
    code: isProblem && got !== '' ? (JSON.parse(got) as { code: string }).code : undefined,
  };
}

/** Sends bytes that may not be HTTP, and reads until the other side closes the connection. */
export async function bytes(url: string, what: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(what);
  return text(socket);
}
