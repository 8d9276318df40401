import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '@parlance/testing';
import { ask } from './product.mjs';

const LOOK_MS = 20;
/** So high that no request of a bench is refused. */
const THROTTLE = { rate_limit: 100_000, burst_limit: 100_000 };

/** Publishes a new bot and creates a key. Returns the address of the bot's API and the key. */
export async function published({ url, headers }, more = {}) {
  const { body: bot } = await ask('POST', `${url}/bot`, headers, { title: 'Published', ...more });
  await required(ask('PATCH', `${url}/bot/${bot.id}/visibility`, headers, { target_shared_scope: 'all' }), 200);
  const publication = `${url}/bot/${bot.id}/publication`;
  await required(ask('POST', publication, headers, { allowed_origins: ['*'], throttle: THROTTLE }), 202);
  for (const until = performance.now() + patience(20_000); ; await pause(LOOK_MS)) {
    const { body } = await ask('GET', publication, headers);
    if (body.codebuild_status === 'SUCCEEDED') {
      const { value } = await required(ask('POST', `${publication}/api-key`, headers, { description: 'Bench' }), 201);
      return { endpoint: `${url}${new URL(body.endpoint).pathname}`, key: value };
    }
    if (performance.now() > until) throw new Error(`the bot was not published: ${JSON.stringify(body)}`);
  }
}

async function required(asking, expected) {
  const { status, body } = await asking;
  if (status !== expected) throw new Error(`answered with ${status} instead of ${expected}: ${JSON.stringify(body)}`);
  return body;
}
