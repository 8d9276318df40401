// An object store that is frozen (SIGSTOP): it accepts connections and does not answer. Requests that need it are refused within seconds, all
// others are answered, and a run that needs it is tried again and succeeds afterwards.
import { fail, pass } from '../suite.mjs';
import { withCluster } from './with-cluster.mjs';

/** The longest wait for a refusal that names the object store, and for any other answer, in milliseconds. */
const bars = { refusal: 5_500, other: 2_500 };
const ROUNDS = 5;
/** Small enough for the buffers of a connection, and too large for them. */
const SIZES = [1_000, 3_000_000];

export function frozenStore() {
  return withCluster('a frozen object store', {}, async ({ running, clients: [client], waitFor }) => {
    const { pid } = running.servers.get('s3');
    const problems = [];
    const timed = async (what, most, expected, work) => {
      const began = Date.now();
      const { status, body } = await work();
      const ms = Date.now() - began;
      if (status !== expected.status || (expected.code && body.code !== expected.code))
        problems.push(`${what} was answered with ${status} ${body.code ?? ''}`);
      if (ms > most) problems.push(`${what} took ${ms} ms`);
      return { ms, body };
    };
    const refused = { status: 503, code: 'object_store_unavailable' };
    const withFile = await client.ask('POST', '/conversation', message([file(10)]));
    if (withFile.status !== 202) problems.push(`a file was refused before: ${withFile.status} ${withFile.body.code}`);
    const bot = (await client.ask('POST', '/bot', { title: 'Reader' })).body;
    let slowest = 0;
    process.kill(pid, 'SIGSTOP');
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const needing = SIZES.map((size) =>
          timed(`a message with a file of ${size} bytes`, bars.refusal, refused, () =>
            client.ask('POST', '/conversation', message([file(size)])),
          ),
        );
        needing.push(
          timed('a list of users', bars.refusal, { status: 200 }, () => client.ask('GET', '/admin/users?limit=1')),
          timed("an upload's address", bars.refusal, refused, () =>
            client.ask('GET', `/bot/${bot.id}/presigned-url?filename=a.txt&content_type=text/plain`),
          ),
        );
        await timed('a message', bars.other, { status: 202 }, () => client.ask('POST', '/conversation', message([])));
        await timed('a list of bots', bars.other, { status: 200 }, () => client.ask('GET', '/bot?limit=5'));
        slowest = Math.max(slowest, ...(await Promise.all(needing)).map(({ ms }) => ms));
      }
      const { body: health } = await client.ask('GET', '/admin/health');
      const down = health.stores.filter(({ kind, status }) => kind === 'object_store' && status === 'down');
      if (health.status === 'ok' || down.length === 0) problems.push('/admin/health does not show the object store');
      const ready = await fetch(`${running.addresses.inference.split(',')[0]}/health/ready`);
      const { details } = await ready.json();
      if (ready.status !== 200 || details['object store'].status !== 'down')
        problems.push(`/health/ready is ${ready.status} ${JSON.stringify(details)}`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await waitFor(async () => (await client.ask('POST', '/conversation', message([file(10)]))).status === 202, {
      what: 'a file after the freeze',
    }).catch(({ message: text }) => problems.push(text));
    const figures = `the slowest refusal after ${slowest} ms`;
    if (problems.length > 0) fail('a frozen object store', [{ name: 'answers', count: problems.length, problems }], figures);
    else pass('a frozen object store', figures);
  });
}

const file = (bytes) => ({ content_type: 'attachment', file_name: 'a.txt', body: Buffer.alloc(bytes, 'word ').toString('base64') });
const message = (files) => ({
  message: { content: [...files, { content_type: 'text', body: 'Hello' }] },
});
