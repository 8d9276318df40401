import { Agent, request } from 'node:http';
import { percentile } from '../measure/figures.mjs';
import { memory } from '../measure/process.mjs';

const FIRST_DELTA = 'event: delta\n';

/** Sends a request whose answer is a stream, and reads it to its end. Returns the milliseconds until `mark` arrived, and how often it arrived. */
export function streamed({ url, headers, body, mark = FIRST_DELTA, agent, onFirst = () => undefined }) {
  return new Promise((resolve, reject) => {
    const payload = Buffer.from(body);
    const sentAt = performance.now();
    const asking = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': payload.length } }, (answer) => {
      let first = null;
      let tail = '';
      let marks = 0;
      answer.setEncoding('utf8').on('data', (part) => {
        const text = tail + part;
        marks += text.split(mark).length - 1;
        if (first === null && marks > 0) {
          first = performance.now() - sentAt;
          onFirst();
        }
        // A mark may be split between two chunks.
        tail = text.slice(
          text.lastIndexOf(mark) < 0 ? -(mark.length - 1) : Math.max(text.lastIndexOf(mark) + mark.length, text.length - mark.length + 1),
        );
      });
      answer.once('end', () => resolve({ status: answer.statusCode, first, marks, millis: performance.now() - sentAt }));
      answer.once('error', reject);
    });
    asking.once('error', reject);
    asking.end(payload);
  });
}

/** Sends `count` requests for streams, `atOnce` at a time. */
export async function streams({ count, atOnce, ...one }) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const results = [];
  let sent = 0;
  const connection = async () => {
    while (sent++ < count) results.push(await streamed({ agent, ...one }));
  };
  await Promise.all(Array.from({ length: atOnce }, connection));
  agent.destroy();
  return results;
}

/** Memory while all streams are open. */
export async function openAtOnce(one, count, { pid }) {
  let begun = 0;
  let highest = 0;
  const onFirst = () => {
    if (++begun % 50 === 0 || begun === count) highest = Math.max(highest, memory(pid).now);
  };
  const results = await streams({ ...one, count, atOnce: count, onFirst });
  return {
    memory: Math.max(highest, memory(pid).now),
    p99: percentile(
      results.map(({ first }) => first ?? NaN),
      0.99,
    ),
    wrong: results.filter(({ status, marks }) => status !== 200 || marks === 0).length,
  };
}
