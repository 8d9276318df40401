import { boundedLoop } from './bounded.mjs';
import { ask, messageIn } from './product.mjs';

export const CONNECTIONS = 64;
/** The most messages that may be accepted and not yet in the summary. */
export const UNFINISHED = 512;

/** Sends messages, each in its own conversation, until the cost summary includes all of them. */
export function messages(product, count) {
  const { url, headers } = product;
  const common = { url: `${url}/conversation`, headers, bodies: () => messageIn(), connections: CONNECTIONS, expected: 202 };
  return boundedLoop({ ...common, total: count, unfinished: UNFINISHED, finished: () => finishedIn(product) });
}

/** The number of charged conversations. Each message of the load starts one. */
export async function finishedIn({ url, headers }) {
  const { status, body } = await ask('GET', `${url}/admin/costs/summary?top_n=1`, headers);
  if (status !== 200) throw new Error(`asking for the cost summary was answered with ${status}`);
  return body.top_users[0]?.conversation_count ?? 0;
}
