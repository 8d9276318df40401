import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '@parlance/testing';
import { cpuMicros } from '../measure/process.mjs';
import { ask, messageIn } from './product.mjs';

/** The number of messages whose processor time is measured together. */
const WINDOW = 100;
const WINDOW_WHEN_SLOW = 5;
/** The time limit of a conversation, in case its cost grows with each message. */
const LONGEST_MS = 240_000;

/**
 * Sends the messages of one conversation, each after the reply to the previous one. Returns the processor time per message in
 * microseconds after the `early`th and after the `late`th message, and the number of messages.
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
  const replyUrl = `${url}/conversation/${body.conversation_id}/${body.message_id}`;
  while ((await ask('GET', replyUrl, headers)).status === 202) await pause(5);
  return body.conversation_id;
}
