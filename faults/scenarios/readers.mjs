// Clients that request much and read slowly, and many readers of one reply. Measures the wait of another client meanwhile and the memory of
// the process.
import { connect } from 'node:net';
import { fail, pass } from '../suite.mjs';
import { longest, Probe, rest, watched } from '../watched.mjs';
import { wordyModels, wordyProvider } from '../wordy-provider.mjs';

const bars = { waitMs: 100, megabytes: 700 };
/** The longest wait without readers at which the machine counts as idle. */
const quietMs = 15;
const messageBytes = 1_000_000;
const messagesEach = 8;
const secondsRead = 20;
const password = 'correct horse battery';

/** Crowds of readers of long conversations: the numbers of readers and of accounts. */
const crowds = [
  { readers: 400, accounts: 1 },
  { readers: 4_000, accounts: 20 },
  { readers: 400, accounts: 50 },
];
/** Readers of one public link, without sign-in. */
const strangers = 400;
const streams = 500;
/** How many readers disconnect at once. */
const ENDED_AT_ONCE = 50;

/** `short`: of the crowds, the first alone. */
export async function readers({ root, short }) {
  const provider = await wordyProvider();
  const { product, heldUp, peak, end } = await watched(root, {
    PARLANCE_CONNECTIONS_PER_ADDRESS: '0',
    PARLANCE_ALLOW_PUBLIC_LINKS: 'true',
    PARLANCE_SELF_SIGN_UP_ENABLED: 'true',
    PARLANCE_MODELS: wordyModels(provider),
  });
  try {
    const problems = [];
    const probe = new Probe({ port: product.port, path: '/user/me', token: await product.token() });
    await rest(2_000);
    const idle = longest(await probe.taken());
    const rows = [];
    const measured = async (name, work) => {
      await probe.taken();
      await heldUp();
      const note = await work();
      const waits = await probe.taken();
      const row = { name, note, wait: longest(waits), cpu: await heldUp(), memory: product.isRunning ? peak() : 0 };
      const refused = waits.filter(({ status }) => status !== 200).length;
      if (refused > 0) problems.push(`${name}: another client was refused ${refused} times`);
      rows.push(row);
      console.log(
        `        ${name}: ${note}; blocked for ${row.cpu.toFixed(1)} ms of CPU, others waited ${row.wait.toFixed(0)} ms, ${row.memory} MB so far`,
      );
    };
    const people = [];
    for (const { readers: count, accounts } of short ? crowds.slice(0, 1) : crowds) {
      while (people.length < accounts) people.push(await writerOf(product, people.length));
      await measured(`${count} readers of ${accounts} accounts`, () => slowReaders(product, people.slice(0, accounts), count));
      if (!product.isRunning) break;
    }
    if (product.isRunning) {
      // A larger conversation cannot be shared.
      const path = await publicLink(product, await writerOf(product, people.length, 1));
      await measured(`${strangers} readers of a public link`, () => slowReaders(product, [{ path }], strangers));
    }
    if (product.isRunning) await measured(`${streams} readers of one reply`, () => readersOfReply(product, people[0].token, problems));
    await probe.stop();

    if (!product.isRunning) problems.push('the process is gone');
    const [wait, cpu, megabytes] = ['wait', 'cpu', 'memory'].map((what) => Math.max(...rows.map((row) => row[what])));
    if (cpu > bars.waitMs) problems.push(`the event loop was blocked for ${cpu.toFixed(0)} ms of CPU`);
    // On a busy machine, elapsed time includes other programs.
    if (idle <= quietMs && wait > bars.waitMs) problems.push(`another client waited ${wait.toFixed(0)} ms`);
    if (megabytes > bars.megabytes) problems.push(`the process took ${megabytes} MB`);
    const note = `the event loop blocked for ${cpu.toFixed(0)} ms of CPU at the most, waits of others ${wait.toFixed(0)} ms (idle ${idle.toFixed(0)} ms), ${megabytes} MB at the most`;
    if (problems.length > 0) fail('readers', [{ name: 'waits and memory', count: problems.length, problems }], note);
    else pass('readers', note);
  } finally {
    await end();
    provider.stop();
  }
}

/** A user with a conversation of messages of 1 MB. */
async function writerOf(product, number, messages = messagesEach) {
  const email = `reader-${number}@example.org`;
  await product.ask('POST', '/auth/sign-up', { email, password, first_name: 'Reader', last_name: String(number) }, { signedIn: false });
  const signedIn = await product.ask('POST', '/auth/sign-in', { email, password }, { signedIn: false });
  if (signedIn.status !== 200) throw new Error(`the sign-in was answered with ${signedIn.status}: ${signedIn.why}`);
  const token = signedIn.body.access_token;
  let conversation;
  let parent;
  for (let each = 0; each < messages; each++) {
    const message = { content: [{ content_type: 'text', body: 'x'.repeat(messageBytes) }], ...(parent && { parent_message_id: parent }) };
    const sent = await product.ask(
      'POST',
      '/conversation',
      { ...(conversation && { conversation_id: conversation }), message },
      { token, headers: { prefer: 'wait=30' } },
    );
    if (sent.status !== 200)
      throw new Error(`a message was answered with ${sent.status}: ${sent.why ?? JSON.stringify(sent.body).slice(0, 300)}`);
    conversation ??= sent.body.conversation_id;
    parent = sent.body.message_id ?? sent.body.message?.message_id;
  }
  return { token, conversation, path: `/conversation/${conversation}?limit=100`, headers: `Authorization: Bearer ${token}\r\n` };
}

/** The path of a link to the person's conversation that anybody may read. */
async function publicLink(product, { token, conversation }) {
  const { status, body } = await product.ask('POST', `/conversation/${conversation}/shares`, { audience: 'public' }, { token });
  if (status !== 201) throw new Error(`the link was answered with ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  return `/shared/${body.url.split('/').at(-1)}?limit=100`;
}

/** Clients that read the first bytes of their answer and then one chunk a second. */
async function slowReaders(product, people, count) {
  const answers = new Map();
  const sockets = Array.from({ length: count }, (_, number) => {
    const { path, headers = '' } = people[number % people.length];
    const socket = connect(product.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      const status = String(chunk).slice(9, 12);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      socket.pause();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    return socket;
  });
  for (let second = 0; second < secondsRead && product.isRunning; second++) {
    await rest(1_000);
    for (const socket of sockets) if (socket.isPaused()) socket.read(1);
  }
  // Not all at once: Node needs 25 to 50 µs to close a connection, and closes all that have ended before it does anything else.
  for (let at = 0; at < sockets.length; at += ENDED_AT_ONCE) {
    for (const socket of sockets.slice(at, at + ENDED_AT_ONCE)) socket.destroy();
    await rest(10);
  }
  return [...answers].map(([status, number]) => `${number} × ${status}`).join(', ');
}

/** Clients that follow a reply of a few seconds to its end. */
async function readersOfReply(product, token, problems) {
  const message = { content: [{ content_type: 'text', body: 'Tell me everything.' }], model: 'wordy' };
  const { status, body } = await product.ask('POST', '/conversation', { message }, { token });
  if (status !== 202) throw new Error(`the message was answered with ${status}: ${JSON.stringify(body)}`);
  const path = `/conversation/${body.conversation_id}/${body.message_id}/stream`;
  const ends = await Promise.all(
    Array.from(
      { length: streams },
      () =>
        new Promise((resolve) => {
          const socket = connect(product.port, '127.0.0.1');
          let last = '';
          socket.on('error', () => undefined).on('data', (chunk) => (last = (last + chunk).slice(-2_000)));
          socket.on('close', () => resolve(last));
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`,
          );
        }),
    ),
  );
  const whole = ends.filter((end) => end.includes('event: done')).length;
  if (whole < streams)
    problems.push(`${streams - whole} of ${streams} readers did not see the end of the reply, but: ${ends[0].slice(-300)}`);
  return `${whole} read it to its end`;
}
