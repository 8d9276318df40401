// Streams of replies while a replica that writes and sends them is frozen (SIGSTOP), then while one is killed. Each stream must go on by itself, say
// soon that the text begins again, and end with the whole reply.
import { setTimeout as pause } from 'node:timers/promises';
import { fail, pass } from '../suite.mjs';
import { WORDS, wordyModels, wordyProvider } from '../wordy-provider.mjs';
import { withCluster } from './with-cluster.mjs';

const STREAMS = 12;
/** The longest silence of a stream before it says that its text begins again, in milliseconds. */
const SAID_WITHIN = 3_000;
/** How many words each stream has received before the replica is lost, and how long a replica is used again before the next round. */
const WORDS_BEFORE = 20;
const USED_AGAIN_MS = 3_000;
const text = Array.from({ length: WORDS }, (_, word) => `word${word}`).join(' ');

export async function streams() {
  const provider = await wordyProvider();
  try {
    await withCluster('streams of lost replicas', { PARLANCE_MODELS: wordyModels(provider) }, async ({ running, clients }) => {
      const { pid } = running.servers.get('inference-2');
      await lost('frozen', clients, () => process.kill(pid, 'SIGSTOP')).finally(() => process.kill(pid, 'SIGCONT'));
      await pause(USED_AGAIN_MS);
      await lost('killed', clients, () => process.kill(pid, 'SIGKILL'));
    });
  } finally {
    provider.stop();
  }
}

async function lost(name, clients, lose) {
  let begun = 0;
  const { promise: allBegun, resolve } = Promise.withResolvers();
  const hasBegun = () => ++begun === STREAMS && resolve();
  const reading = Array.from({ length: STREAMS }, (_, stream) => read(clients[stream % clients.length], hasBegun));
  await Promise.race([allBegun, Promise.all(reading)]);
  lose();
  const ended = await Promise.all(reading);
  const problems = ended.flatMap(({ starts, last, words, why, silence }, stream) => [
    ...(last === 'done' ? [] : [`stream ${stream} ended with ${last}${why ? `: ${why}` : ''}`]),
    ...(starts === 1 ? [] : [`stream ${stream} had ${starts} starts`]),
    ...(words.trim() === text ? [] : [`stream ${stream} has another text: ${words.slice(0, 80)}… (${words.length})`]),
    ...(silence <= SAID_WITHIN ? [] : [`stream ${stream} was silent for ${silence} ms before it said that its text begins again`]),
  ]);
  const again = ended.filter(({ restarts }) => restarts > 0);
  if (again.length === 0) problems.push('the lost replica wrote none of the replies');
  const figures = `${STREAMS} streams, ${again.length} began again, after ${Math.max(0, ...again.map(({ silence }) => silence))} ms of silence at the most; all ended ${Math.max(...ended.map(({ millis }) => millis))} ms after their start`;
  if (problems.length > 0) fail(`streams of a replica that is ${name}`, [{ name: 'streams', count: problems.length, problems }], figures);
  else pass(`streams of a replica that is ${name}`, figures);
}

/** Reads one stream to its end, without resuming it. */
async function read(client, hasBegun) {
  const begun = Date.now();
  const seen = { starts: 0, restarts: 0, last: 'nothing', words: '', silence: 0, why: '' };
  let at = begun;
  try {
    for await (const { event, data } of client.streamed({
      message: { content: [{ content_type: 'text', body: 'Tell me everything.' }], model: 'wordy' },
    })) {
      seen.last = event;
      if (event === 'start') seen.starts++;
      else if (event === 'delta') {
        const before = seen.words.split(' ').length;
        seen.words += data.text;
        if (seen.restarts === 0 && before < WORDS_BEFORE && seen.words.split(' ').length >= WORDS_BEFORE) hasBegun();
      } else if (event === 'error') seen.why = data.message;
      else if (event === 'restarted') {
        seen.restarts++;
        seen.words = '';
        seen.silence = Math.max(seen.silence, Date.now() - at);
      }
      at = Date.now();
    }
  } catch (error) {
    seen.why = error.cause?.message ?? error.message;
  }
  return { ...seen, millis: Date.now() - begun };
}
