// kill -9 of the single process while mails are due, with a mail server that refuses, delays and drops: each event's mail is sent at least
// once, and all copies of it have one Message-ID.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { Evidence, idOf } from '../evidence.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const DOMAIN = 'example.org';
const TOKENS = 2;
const INVITATIONS = 2;
/** Longer than the lease of a try, and shorter than the lifetime of an access token. */
const SHIFT_MILLIS = 20 * 60_000;
const WARNING_PERIOD_MILLIS = 5 * 60_000;
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export async function mails({ root, seed, count, keep }) {
  const server = await smtpServer();
  const environment = {
    PARLANCE_SMTP_URL: server.url,
    PARLANCE_MAIL_FROM: `Parlance <no-reply@${DOMAIN}>`,
    PARLANCE_PUBLIC_BASE_URL: 'http://localhost',
    NODE_OPTIONS: `--import=${new URL('./shifted-clock.mjs', import.meta.url).href}`,
  };
  const trial = await Trial.open(root, seed, 'mails', environment);
  server.chance = trial.chanceOf('server');
  const found = await trial.start();
  for (let round = 1; round <= count && found.length === 0; round++) found.push(...(await killed(trial, round)));
  if (found.length === 0) found.push(...(await allArrived(trial, server)));
  await trial.end({ keep: keep || found.length > 0 });
  await new Promise((done) => server.close(done));
  const name = `mails, ${count} kills`;
  const said = `${server.sent.length} mails arrived, ${server.sent.length - new Set(server.sent).size} of them copies, ${server.troubles} tries disturbed`;
  if (found.length === 0) pass(name, said);
  else fail(name, found, `${said}; all of it is in ${trial.directory}`);
}

/** Triggers events that send mails, and kills the process while they are sent. */
async function killed(trial, round) {
  const { product } = trial;
  await product.token();
  const chance = trial.chanceOf(round);
  const invite = (index) => product.ask('POST', '/admin/invitations', { email: `round-${round}-${index}@${DOMAIN}`, groups: [] });
  const asked = [
    ...Array.from({ length: TOKENS }, () => makeToken(product, round)),
    ...Array.from({ length: INVITATIONS }, (_, index) => invite(index)),
  ];
  await pause(chance.between(20, 2_500));
  await product.kill();
  await Promise.all(asked);
  return trial.start();
}

/** A user has a limited number of tokens, so each is revoked again. */
async function makeToken(product, round) {
  const { status, body } = await product.ask('POST', '/user/me/tokens', { description: `Round ${round}`, scopes: ['chat'] });
  if (status === 201) await product.ask('DELETE', `/user/me/tokens/${body.token_id}`);
}

async function allArrived(trial, server) {
  const { product } = trial;
  server.isGood = true;
  // All leases and pauses between tries are over by then.
  await product.stop();
  process.env.FAULTS_SHIFT = String(SHIFT_MILLIS);
  const found = await trial.start();
  const missing = () => {
    const arrived = new Set(server.sent);
    const events = new Evidence(product.data).events('identity');
    const asked = [...new Set(events.flatMap(mailOf))];
    const unsent = asked.filter((id) => !arrived.has(messageId(id))).map((id) => `no mail with the Message-ID of ${id} has arrived`);
    const ended = new Set(events.flatMap(({ event, commit }) => (/^Mail(Sent|Failed)$/.test(event.type) ? idOf(commit.stream) : [])));
    const open = asked.filter((id) => !ended.has(id)).map((id) => `the mail ${id} has not ended`);
    const known = new Set(asked.map(messageId));
    const strange = [...arrived].filter((id) => !known.has(id)).map((id) => `a mail has arrived with the Message-ID ${id} of no event`);
    return { asked: asked.length, problems: [...unsent, ...open, ...strange] };
  };
  await waitFor(() => missing().problems.length === 0, { timeout: patience(120_000), what: 'all mails' }).catch(() => {});
  delete process.env.FAULTS_SHIFT;
  const { asked, problems } = missing();
  if (asked === 0) problems.push('no event was recorded that sends a mail');
  return problems.length === 0 ? found : [...found, { name: 'each event sends its mail', count: problems.length, problems }];
}

/** The ID of an event's mail. The tokens that a user creates within five minutes share one mail. */
function mailOf({ event, commit }) {
  if (event.type === 'InvitationMade') return event.invitationId;
  if (event.type !== 'PersonalTokenMade') return [];
  return derivedId(idOf(commit.stream), `token_created ${Math.floor(commit.metadata.at / WARNING_PERIOD_MILLIS)}`);
}

/** Like the product's derived IDs, independent of its code: the time of the other ID, and 16 characters of a hash. */
function derivedId(id, purpose) {
  const bytes = createHash('sha256').update(`${purpose} ${id}`).digest().subarray(0, 16);
  return id.slice(0, 10) + Array.from(bytes, (byte) => BASE_32[byte % 32]).join('');
}

/** Independent of the product's own function. */
const messageId = (id) => `<${createHash('sha256').update(id).digest('hex').slice(0, 40)}@${DOMAIN}>`;

/** One try in five is refused for now, delayed, or accepted without an answer. */
async function smtpServer() {
  const state = { sent: [], troubles: 0, isGood: false, chance: undefined };
  const isBad = (probability) => !state.isGood && state.chance?.chance(probability) && ++state.troubles > 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo(_, __, done) {
      done(isBad(0.07) ? Object.assign(new Error('Later'), { responseCode: 451 }) : null);
    },
    onData(stream, _, done) {
      const parts = [];
      stream.on('data', (part) => parts.push(part));
      stream.on('end', () => {
        state.sent.push(/^Message-ID: (.*)\r$/im.exec(Buffer.concat(parts).toString())?.[1] ?? 'none');
        if (isBad(0.07)) done(Object.assign(new Error('Lost'), { responseCode: 421 }));
        else setTimeout(done, isBad(0.07) ? 2_000 : 0);
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return Object.assign(state, { url: `smtp://127.0.0.1:${server.server.address().port}`, close: (done) => server.close(done) });
}
