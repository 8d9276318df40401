import type { EdgeUnderTest } from './rig.ts';

/** Changes of the usual request, in which ann creates a bot with the title Guide. */
export interface CreatingRequest {
  /** Null for an anonymous caller. */
  readonly user?: string | null;
  readonly groups?: readonly string[];
  readonly path?: string;
  readonly title?: string;
  readonly headers?: Record<string, string>;
  /** The complete body, instead of the one with the title. */
  readonly text?: string;
}

/** Sends requests that create something to an edge, each with an Idempotency-Key. */
export async function create(
  edge: EdgeUnderTest,
  key: string,
  { user = 'ann', groups = [], path = '/bot', title = 'Guide', headers = {}, text }: CreatingRequest = {},
) {
  const got = await fetch(`${edge.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(user !== null && (await edge.as(user, ...groups))),
      ...headers,
    },
    body: text ?? JSON.stringify({ bot_title: title }),
  });
  // oxlint-disable-next-line no-explicit-any
  return { status: got.status, headers: got.headers, replayed: got.headers.get('idempotent-replayed'), body: (await got.json()) as any };
}
