// Sends hostile bodies, and measures the wait of another client meanwhile and the memory of the process.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { hostileBodies, hostileSizes } from '../../libs/testing/dist/hostile-bodies.js';
import { fail, pass } from '../suite.mjs';
import { longest, Probe, rest, watched } from '../watched.mjs';

const bars = { waitMs: 50, megabytes: 400 };
/** The longest wait without hostile bodies at which the machine counts as idle. */
const quietMs = 15;
const slowConnections = 120;
const slowBytes = 4 * 1024 * 1024;

/** `short`: every shape only at the smallest size. */
export async function hostile({ root, short }) {
  const { product, heldUp, peak, end } = await watched(root);
  try {
    const problems = [];
    const token = await product.token();
    const probe = new Probe({ port: product.port, path: '/admin/groups', token });
    await rest(2_000);
    const idle = longest(await probe.taken());
    await heldUp();

    const rows = [];
    for (const bytes of short ? hostileSizes.slice(0, 1) : hostileSizes) {
      for (const way of ways(token)) {
        // These bodies are not read, or are refused by their length, so one size is enough.
        if (way.oneSize && bytes !== hostileSizes[2]) continue;
        const row = { size: bytes, way: way.name, wait: 0, cpu: 0, of: '', memory: 0 };
        for (const { name, of } of hostileBodies) {
          const body = of(bytes);
          const tries = [];
          // Doubtful measurements are repeated: a body costs the same each time, but a garbage collection or a busy host disturbs only one.
          while (tries.length === 0 || (tries.length < 3 && isDoubtful(tries.at(-1)))) {
            await rest(20);
            await probe.taken();
            await heldUp();
            const status = await post(product.port, way, body);
            if (!way.expected(status)) problems.push(`${way.name}, ${name}, ${body.length} bytes: answered ${status}`);
            tries.push({ wait: longest(await probe.taken()), cpu: await heldUp() });
          }
          row.wait = Math.max(row.wait, Math.min(...tries.map(({ wait }) => wait)));
          const cpu = Math.min(...tries.map((each) => each.cpu));
          if (cpu > row.cpu) Object.assign(row, { cpu, of: name });
        }
        row.memory = peak();
        rows.push(row);
        console.log(`        ${textOf(row)}`);
      }
    }
    if (!short) rows.push(await slow(product, peak, probe, heldUp, token, problems));
    await probe.stop();

    if (!product.isRunning) problems.push('the process is gone');
    const wait = Math.max(...rows.map((row) => row.wait));
    const megabytes = peak();
    const cpu = Math.max(...rows.map((row) => row.cpu));
    if (cpu > bars.waitMs) problems.push(`the event loop was blocked for ${cpu.toFixed(0)} ms of CPU`);
    // On a busy machine, elapsed time includes other programs.
    if (idle <= quietMs && wait > bars.waitMs) problems.push(`another client waited ${wait.toFixed(0)} ms`);
    if (megabytes > bars.megabytes) problems.push(`the process took ${megabytes} MB`);
    const note = `${hostileBodies.length} shapes; the event loop blocked for ${cpu.toFixed(0)} ms of CPU at the most, waits of others ${wait.toFixed(0)} ms (idle ${idle.toFixed(0)} ms), ${megabytes} MB at the most`;
    if (problems.length > 0)
      fail('hostile bodies', [{ name: 'answers, waits and memory', count: problems.length, problems: problems.slice(0, 20) }], note);
    else pass('hostile bodies', note);
  } finally {
    await end();
  }
}

let keys = 0;

/** Senders and routes of the bodies, and the allowed answers. */
function ways(token) {
  return [
    {
      name: 'signed in, with a key',
      path: '/conversation',
      headers: () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': `hostile-${++keys}` }),
      // Some are valid, though odd, messages.
      expected: (status) => [400, 413, 202].includes(status),
    },
    {
      name: 'anonymous, SCIM, with a key',
      path: '/scim/v2/Users',
      headers: () => ({ 'content-type': 'application/scim+json', 'idempotency-key': `hostile-${++keys}` }),
      expected: (status) => status === 401,
      oneSize: true,
    },
    {
      name: 'anonymous, signing in',
      path: '/auth/sign-in',
      headers: () => ({ 'content-type': 'application/json' }),
      // Any shape, and larger than a sign-in may be.
      expected: (status) => [400, 413].includes(status),
    },
  ];
}

/** Connections that send all but the last byte of a large body. They are refused when the limit is reached; other requests are not. */
async function slow(product, peak, probe, heldUp, token, problems) {
  await probe.taken();
  await heldUp();
  const head = `POST /conversation HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const answers = [];
  const sockets = Array.from({ length: slowConnections }, () => {
    const socket = connect(product.port, '127.0.0.1');
    socket.on('error', () => undefined).on('data', (chunk) => answers.push(Number(String(chunk).slice(9, 12))));
    socket.write(`${head}Content-Length: ${slowBytes}\r\n\r\n${`"${'x'.repeat(slowBytes - 2)}`}`);
    return socket;
  });
  const refused = () => answers.filter((status) => status === 503).length;
  for (const until = Date.now() + 20_000; refused() < slowConnections / 2 && Date.now() < until;) await rest(100);
  if (refused() < slowConnections / 2) problems.push(`only ${refused()} of ${slowConnections} slow connections were refused`);
  for (const socket of sockets) socket.destroy();
  const row = {
    size: slowBytes,
    way: `${slowConnections} slow connections`,
    wait: longest(await probe.taken()),
    cpu: await heldUp(),
    of: '',
    memory: peak(),
  };
  console.log(`        ${textOf(row)}; ${refused()} refused`);
  return row;
}

/** The status of the answer; null when there was none. */
function post(port, { path, headers }, body) {
  return new Promise((resolve) => {
    const agent = new Agent({ keepAlive: false });
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers: { ...headers(), 'content-length': body.length }, agent },
      (answer) =>
        answer
          .resume()
          .on('end', () => resolve(answer.statusCode))
          .on('error', () => resolve(answer.statusCode)),
    );
    sent.on('error', () => resolve(null)).end(body);
  });
}

/** Whether a measurement came near the limit of CPU time, or exceeded the limit of waiting. */
const isDoubtful = ({ wait, cpu }) => cpu > bars.waitMs / 2 || wait > bars.waitMs;

const textOf = ({ size, way, wait, cpu, of, memory }) =>
  `${(size / 1024).toFixed(0).padStart(6)} KiB, ${way}: blocked for ${cpu.toFixed(1)} ms of CPU${of && ` (${of})`}, others waited ${wait.toFixed(0)} ms, ${memory} MB so far`;
