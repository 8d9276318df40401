import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '@parlance/testing';
import { cpuMicros } from '../measure/process.mjs';
import { ask, messageIn } from './product.mjs';

/** Messages whose processor time is taken together. */
const WINDOW = 100;
const WINDOW_WHEN_SLOW = 5;
/** A conversation that costs more with each message is broken off after so long. */
const LONGEST_MS = 240_000;

/**
 * One conversation, message by message, each sent when the reply to the one before is there. Gives the processor time of a
 * message, in microseconds, of those that follow the `early`th and the `late`th, and how many there were.
 */
export async function longConversation({ url, headers, pid, early, late }) {
  const end = performance.now() + patience(LONGEST_MS);
  let conversation;
  let sent = 0;
  const talk = async (count, until = Infinity) => {
    const [from, first] = [cpuMicros(pid), sent];
    for (; sent < first + count && performance.now() < until; sent++) conversation = await exchange(url, headers, conversation);
    return (cpuMicros(pid) - from) / (sent - first);
  };
  await talk(early);
  const first = await talk(WINDOW);
  await talk(late - sent, end);
  return { early: first, reached: sent, late: await talk(sent < late ? WINDOW_WHEN_SLOW : WINDOW) };
}

async function exchange(url, headers, conversation) {
  const { status, body } = await ask('POST', `${url}/conversation`, headers, messageIn(conversation));
  if (status !== 202) throw new Error(`a message was answered with ${status} ${JSON.stringify(body)}`);
  const place = `${url}/conversation/${body.conversation_id}/${body.message_id}`;
  while ((await ask('GET', place, headers)).status === 202) await pause(5);
  return body.conversation_id;
}
