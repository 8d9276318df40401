// Races of bots, their sharing and publication, and conversations.
import { accepted, broken, exactly, summary } from './race-world.mjs';

const AT_ONCE = 8;
const message = (body) => ({ message: { content: [{ content_type: 'text', body }] } });
const people = new Map();

/** A person who stays the same in all rounds of a race, with a valid token. */
async function person(world, name, groups) {
  if (!people.has(name)) people.set(name, await world.person(groups));
  const known = people.get(name);
  if (known.until === undefined || Date.now() > known.until)
    Object.assign(known, { token: await world.signIn(known.email), until: Date.now() + 15 * 60_000 });
  return known;
}

export const races = {
  'an Idempotency-Key, sent by several at once': async (world, chance, round) => {
    const { token } = await person(world, 'keys');
    const title = `Idempotent ${round}`;
    const make = () => world.ask(token, 'POST', '/bot', { title }, { 'idempotency-key': `race-${round}` });
    const answers = await world.race(
      chance,
      Array.from({ length: AT_ONCE }, () => make),
    );
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    const { bots } = await world.good(token, 'GET', '/bot?kind=private&limit=1000');
    const made = bots.filter((bot) => bot.title === title);
    const problems = [
      ...(ids.size === 1 ? [] : [`${ids.size} IDs were answered: ${summary(answers)}`]),
      ...(made.length === 1 ? [] : [`${made.length} bots were created`]),
      ...broken(answers),
    ];
    for (const { id } of made) await world.good(token, 'DELETE', `/bot/${id}`);
    return { won: `${accepted(answers)} answered`, problems };
  },

  'a star, set and taken at once': async (world, chance) => {
    const { token } = await person(world, 'stars');
    const { id } = await world.good(token, 'POST', '/bot', { title: 'Starred' });
    const put = (starred) => () => world.ask(token, 'PATCH', `/bot/${id}/starred`, { starred });
    const answers = await world.race(chance, [true, false, true, false, true, false].map(put));
    const isInList = async () => (await world.good(token, 'GET', '/bot?starred=true&limit=1000')).bots.some((bot) => bot.id === id);
    const [shown, listed] = [(await world.good(token, 'GET', `/bot/${id}`)).is_starred, await isInList()];
    await put(true)();
    const afterwards = await isInList();
    await world.good(token, 'DELETE', `/bot/${id}`);
    const problems = [
      ...(shown === listed ? [] : [`the bot says ${shown}, the list ${listed}`]),
      ...(afterwards ? [] : ['a star that was set afterwards is missing']),
      ...broken(answers),
    ];
    return { won: String(shown), problems };
  },

  'a bot, narrowed to private while another asks it': async (world, chance) => {
    const [owner, other] = [await person(world, 'owner'), await person(world, 'reader')];
    const { id } = await world.good(owner.token, 'POST', '/bot', { title: 'Shared' });
    await world.good(owner.token, 'PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'all' });
    let isOver = false;
    const late = [];
    let before = 0;
    const uses = async () => {
      for (let index = 0; index < 3; index++) {
        const wasOver = isOver;
        const answer = await world.ask(other.token, 'POST', '/conversation', { bot_id: id, ...message('Hello.') });
        if (!wasOver && answer.status === 202) before += 1;
        if (wasOver && answer.status !== 404) late.push(`a question after the answer was answered with ${answer.status}`);
      }
    };
    const narrow = async () => {
      await world.good(owner.token, 'PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'private' });
      isOver = true;
    };
    await world.race(chance, [narrow, uses, uses, uses]);
    await uses();
    return { won: before > 0 ? 'asked before' : 'narrowed first', problems: late };
  },

  'a publication, while its owner loses PublishAllowed': async (world, chance) => {
    const owner = await person(world, 'publisher');
    const path = `/admin/users/${owner.userId}/groups/PublishAllowed`;
    await world.good(null, 'PUT', path);
    const token = await world.signIn(owner.email);
    const { id } = await world.good(token, 'POST', '/bot', { title: 'Published' });
    await world.good(token, 'PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'all' });
    const publish = () =>
      world.ask(token, 'POST', `/bot/${id}/publication`, { allowed_origins: ['*'], throttle: { rate_limit: 10, burst_limit: 10 } });
    const lose = () => world.ask(null, 'DELETE', path);
    const [published, lost] = await world.race(chance, [publish, lose]);
    // An access token keeps the groups with which it was issued.
    const next = await world.signIn(owner.email);
    const late = await world.ask(next, 'GET', `/bot/${id}/publication/api-key`);
    const problems = broken([published, lost]);
    if (lost.status >= 300) problems.push(`the removal was answered with ${lost.status}`);
    if (late.status !== 403) problems.push(`the keys were answered to the next token with ${late.status} ${summary([late])}`);
    return { won: published.status === 202 ? 'published' : 'refused', problems };
  },

  'a bot, published and narrowed at once': async (world, chance) => {
    const owner = await person(world, 'both', ['PublishAllowed']);
    const { id } = await world.good(owner.token, 'POST', '/bot', { title: 'Either' });
    await world.good(owner.token, 'PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'all' });
    const publish = () =>
      world.ask(owner.token, 'POST', `/bot/${id}/publication`, { allowed_origins: ['*'], throttle: { rate_limit: 10, burst_limit: 10 } });
    const narrow = () => world.ask(owner.token, 'PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'private' });
    const [published, narrowed] = await world.race(chance, [publish, narrow]);
    const bot = await world.good(owner.token, 'GET', `/bot/private/${id}`);
    const problems = broken([published, narrowed]);
    const isNarrowed = narrowed.status === 200;
    if (isNarrowed === (bot.shared_scope === 'all'))
      problems.push(`narrowing was answered with ${narrowed.status}, and the scope is ${bot.shared_scope}`);
    return { won: isNarrowed ? 'narrowed' : 'published', problems };
  },

  'a conversation, deleted while it is continued': async (world, chance) => {
    const { token } = await person(world, 'talker');
    const { conversation_id } = await world.good(token, 'POST', '/conversation', message('Begin.'), { prefer: 'wait=20' });
    const path = `/conversation/${conversation_id}`;
    const go = (index) => () => world.ask(token, 'POST', '/conversation', { conversation_id, ...message(`More ${index}.`) });
    const remove = () => world.ask(token, 'DELETE', path);
    const [removed, ...more] = await world.race(chance, [remove, go(1), go(2), go(3)]);
    const late = await go(4)();
    const shown = await world.ask(token, 'GET', path);
    const problems = [...exactly(1, [removed]), ...broken(more)];
    if (late.status < 300) problems.push(`a message after the deletion was answered with ${late.status}`);
    if (shown.status !== 404) problems.push(`the deleted conversation is answered with ${shown.status}`);
    const again = await world.ask(token, 'GET', '/conversations?limit=1000');
    if (again.body.conversations.some((each) => each.conversation_id === conversation_id))
      problems.push('the deleted conversation is listed');
    return { won: `${accepted(more)} continued`, problems };
  },
};
