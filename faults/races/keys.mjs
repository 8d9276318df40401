// Races of keys, tokens, quotas and budgets.
import { accepted, broken, exactly, summary } from './race-world.mjs';

/** 503: the edge cannot know whether its copy of the revocations is fresh. */
const REFUSALS = [401, 403, 503];
const QUOTA = 10;
const REQUESTS = 64;
const QUESTIONS = 12;
/** In dollars. Enough for some of the questions only. */
const BUDGET = 0.02;
/** This tool call counts towards the quota without calling a model. */
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_knowledge', arguments: { query: 'harbour' } } };
const accept = { accept: 'application/json, text/event-stream' };

let shared;
/** One publication for all rounds. */
async function publication(world) {
  shared ??= (async () => {
    const owner = await world.person(['PublishAllowed']);
    return { owner: owner.token, ...(await world.published(owner.token, QUOTA)) };
  })();
  const { bot, path } = await shared;
  // The owner's token lives for only half an hour.
  const keys = `/bot/${bot}/publication/api-key`;
  return {
    path,
    key: (round) => world.good(null, 'POST', keys, { description: `Round ${round}` }),
    change: (id, fields) => world.good(null, 'PATCH', `${keys}/${id}`, fields),
    /** A publication has a limited number of keys. */
    remove: (id) => world.good(null, 'DELETE', `${keys}/${id}`),
  };
}

/** Repeats `use` during `end` and a few times after its answer. No use that begins after the answer may be accepted. */
async function usedWhileEnded(world, chance, use, end, refusals) {
  let isOver = false;
  const late = [];
  let before = 0;
  const uses = async () => {
    for (let index = 0; index < 4; index++) {
      const wasOver = isOver;
      const answer = await use();
      if (!wasOver && answer.status === 200) before += 1;
      if (wasOver && !refusals.includes(answer.status))
        late.push(`a use after the answer was answered with ${answer.status} ${summary([answer])}`);
    }
  };
  const ending = async () => {
    await end();
    isOver = true;
  };
  await world.race(chance, [ending, uses, uses, uses, uses]);
  await uses();
  return { won: before > 0 ? 'used before' : 'ended first', problems: late };
}

export const races = {
  'a quota, used by 64 at once': async (world, chance, round) => {
    const { path, key, remove } = await publication(world);
    const { id, value } = await key(round);
    const use = () => world.ask(undefined, 'POST', `${path}/mcp`, call, { ...accept, 'x-api-key': value });
    const answers = await world.race(
      chance,
      Array.from({ length: REQUESTS }, () => use),
    );
    await remove(id);
    const others = answers.filter(({ status, body }) => status !== 200 && body?.code !== 'quota_exceeded');
    return { won: `${accepted(answers)} admitted`, problems: [...exactly(QUOTA, answers), ...broken(others)] };
  },

  'a key, revoked while it is used': async (world, chance, round) => {
    const { path, key, remove } = await publication(world);
    const { id, value } = await key(round);
    const use = () => world.ask(undefined, 'GET', `${path}/v1/models`, undefined, { 'x-api-key': value });
    return usedWhileEnded(world, chance, use, () => remove(id), REFUSALS);
  },

  'a key, disabled while it is used': async (world, chance, round) => {
    const { path, key, change, remove } = await publication(world);
    const { id, value } = await key(round);
    const use = () => world.ask(undefined, 'GET', `${path}/v1/models`, undefined, { 'x-api-key': value });
    const outcome = await usedWhileEnded(world, chance, use, () => change(id, { enabled: false }), REFUSALS);
    await remove(id);
    return outcome;
  },

  'a personal token, revoked while it is used': async (world, chance) => {
    const { token } = await world.person();
    const made = await world.good(token, 'POST', '/user/me/tokens', { description: 'Race', scopes: ['chat'] });
    const use = () => world.ask(made.value ?? made.token, 'GET', '/conversations');
    return usedWhileEnded(world, chance, use, () => world.good(token, 'DELETE', `/user/me/tokens/${made.token_id}`), REFUSALS);
  },

  'a hard budget, by questions at once': async (world, chance) => {
    const { userId, token } = await world.person();
    const budget = { scope: 'user', scope_id: userId, period: 'MONTH', limit: BUDGET, mode: 'hard' };
    await world.good(null, 'PUT', '/admin/budgets', budget);
    const ask = () =>
      world.ask(
        token,
        'POST',
        '/conversation',
        { message: { content: [{ content_type: 'text', body: 'harbour '.repeat(400) }] } },
        { prefer: 'wait=20' },
      );
    const answers = await world.race(
      chance,
      Array.from({ length: QUESTIONS }, () => ask),
    );
    const { budgets } = await world.good(null, 'GET', '/admin/budgets?limit=1000');
    const { spent, reserved = 0 } = budgets.find(({ scope_id }) => scope_id === userId) ?? { spent: 0 };
    const over = spent + reserved > BUDGET ? [`${spent} was spent and ${reserved} reserved of ${BUDGET}`] : [];
    const odd = answers.filter(({ status, body }) => status > 202 && body?.code !== 'budget_exceeded');
    return { won: `${accepted(answers)} asked`, problems: [...over, ...broken(answers), ...odd.map((answer) => summary([answer]))] };
  },
};
