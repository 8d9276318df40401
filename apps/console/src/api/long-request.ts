import { ParlanceError } from '@parlance/client';
import { parlance } from '../session/parlance.ts';
import { withReusedKeys } from '../session/idempotency-keys.ts';

const send = withReusedKeys((input, init) => globalThis.fetch(input, init));

/** A request that may take minutes. It is sent once and has no timeout: the client would otherwise give up and send it again. */
export async function longPost<Answer>(path: string, body: object, idempotencyKey: string): Promise<Answer> {
  const headers = { ...(await parlance.session.headers()), 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return (await answered(send(path, { method: 'POST', headers, body: JSON.stringify(body) }))).json() as Promise<Answer>;
}

/** Like `longPost`, with a file as the whole body. */
export async function longUpload<Answer>(path: string, file: Blob, mediaType: string, method = 'POST'): Promise<Answer> {
  const headers = { ...(await parlance.session.headers()), 'content-type': mediaType };
  return (await answered(fetch(path, { method, headers, body: file }))).json() as Promise<Answer>;
}

/** Like `longPost`, with a form. */
export async function longForm<Answer>(path: string, form: FormData, signal: AbortSignal): Promise<Answer> {
  const headers = await parlance.session.headers();
  return (await answered(fetch(path, { method: 'POST', headers, body: form, signal }))).json() as Promise<Answer>;
}

/** Sends JSON, and returns the bytes that are made of it. */
export async function longRender(path: string, body: object, signal: AbortSignal): Promise<Blob> {
  const headers = { ...(await parlance.session.headers()), 'content-type': 'application/json' };
  return (await answered(fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal }))).blob();
}

/** Downloads a file that the server may need minutes to produce. */
export const longDownload = async (path: string): Promise<Blob> =>
  (await answered(fetch(path, { headers: await parlance.session.headers() }))).blob();

async function answered(request: Promise<Response>): Promise<Response> {
  const answer = await request.catch((cause: unknown) => {
    throw new ParlanceError('connection_failed', 'The server did not answer.', { cause });
  });
  if (!answer.ok) throw await ParlanceError.of(answer);
  return answer;
}
